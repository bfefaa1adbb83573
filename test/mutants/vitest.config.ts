import { defineConfig } from 'vitest/config';

const tests = (process.env['MUTANTS_TESTS'] ?? '').split(',');

/** The tests that StrykerJS runs against each mutant. */
export default defineConfig({
  resolve: { mainFields: ['main'], extensions: ['.js', '.mjs', '.json'] },
  test: {
    include: tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)),
    testTimeout: 20_000,
  },
});
