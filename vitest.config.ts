import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'tests', include: ['test/{gateway,upstream,bank}/**/*.test.ts'], testTimeout: 10_000 } },
      { test: { name: 'proofs', include: ['test/proofs/**/*.test.ts'], testTimeout: 300_000, fileParallelism: false } },
    ],
  },
});
