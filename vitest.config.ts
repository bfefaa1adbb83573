import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** All mutants keep two cores busy for half an hour, and a test that fails for want of time is no proof. */
const isFull = process.env['PROOFS'] === 'full';

/** Proofs of rates and delays, and of many requests at once: nothing may run beside them. */
const measured = [
  'caches',
  'creates',
  'fairness',
  'network',
  'outage',
  'overload',
  'redis',
  'stale-sockets',
  'store',
  'throttle',
  ...(isFull ? ['mutants'] : []),
].map((name) => `test/proofs/${name}.test.ts`);

/** Proofs that take half a minute and more: Vitest starts projects by name, so these are not left over for the end. */
const long = ['apollo-integration', 'image', 'package', 'stop', 'unread-bodies', ...(isFull ? [] : ['mutants'])].map(
  (name) => `test/proofs/${name}.test.ts`,
);

/** On two cores: a third one runs while others wait for npm and for processes to start. */
const proofWorkers = 3;

export default defineConfig({
  // As Node resolves packages: graphql must not be there twice, once by `module` and once by `main`.
  resolve: { mainFields: ['main'], extensions: ['.js', '.mjs', '.json'] },
  test: {
    // Many tests start the product as a process of its own: it need not be compiled from its source each time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'settlement-graph-compile-cache') },
    testTimeout: 60_000,
    // A hook removes folders with the packages of npm in them, which takes a busy disk long.
    hookTimeout: 60_000,
    // What will become true may take its time on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/{gateway,upstream,bank}/**/*.test.ts'],
          testTimeout: 20_000,
          // No module keeps anything between gateways, so files share what they import: 40 % less CPU.
          isolate: false,
          // Vitest leaves one core free, and half of two is half of the speed.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        test: {
          name: 'proofs',
          include: ['test/proofs/**/*.test.ts'],
          exclude: [...long, ...measured],
          globalSetup: 'test/proofs/setup.ts',
          maxWorkers: proofWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'long-proofs',
          include: long,
          globalSetup: 'test/proofs/setup.ts',
          maxWorkers: proofWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: ['test/clients/*.test.ts'],
          globalSetup: 'test/clients/setup.ts',
          maxWorkers: proofWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'measured-proofs',
          include: measured,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
