import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const proofFiles = (...names: readonly string[]): string[] => names.map((name) => `test/proofs/${name}.test.ts`);

/** Proofs of rates and of many requests at once: nothing may run beside them. */
const measured = proofFiles('stores/creates', 'failures/{fairness,throttle}', 'operation/caches');

/** Proofs of delays: they mostly wait, so a few run beside each other, but not beside proofs that keep a core busy. */
const timed = proofFiles('failures/{outage,stale-sockets}', 'stores/store');
const longTimed = proofFiles('hostile/fault-matrix', 'stores/redis');

/** Proofs that take half a minute and more: Vitest starts projects by name, so these are not left over for the end. */
const long = proofFiles('hostile/unread-bodies', 'process/{apollo-integration,image,package,stop}');

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
          // Folders as in src; each room's tests stand under its name.
          include: ['test/**/*.test.ts'],
          exclude: ['test/{apollo-integration,clients,federation,proofs}/**', '**/node_modules/**'],
          testTimeout: 20_000,
          // No module keeps anything between gateways, so files share what they import: 40 % less CPU.
          isolate: false,
          // A tenth of the time is spent waiting.
          maxWorkers: availableParallelism() + 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'proofs',
          include: ['test/proofs/**/*.test.ts'],
          exclude: [...long, ...measured, ...longTimed, ...timed],
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
          globalSetup: 'test/proofs/setup.ts',
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
      {
        extends: true,
        test: {
          name: 'long-timed-proofs',
          include: longTimed,
          maxWorkers: proofWorkers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'timed-proofs',
          include: timed,
          maxWorkers: proofWorkers,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
