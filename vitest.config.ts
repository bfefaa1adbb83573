import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As Node resolves packages: graphql must not be there twice, once by `module` and once by `main`.
  resolve: { mainFields: ['main'], extensions: ['.js', '.mjs', '.json'] },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/{gateway,upstream,bank}/**/*.test.ts'],
          testTimeout: 20_000,
          // Vitest leaves one core free, and half of two is half of the speed.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        test: {
          name: 'proofs',
          include: ['test/proofs/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'frontends',
          include: ['test/clients/**/*.test.ts'],
          globalSetup: 'test/clients/setup.ts',
          testTimeout: 60_000,
          fileParallelism: false,
          // Never beside the proofs: both build the same folder.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
