import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

const forbidden: readonly [file: string, imported: string][] = [
  ['src/domain/errors.ts', '../runtime/log.ts'],
  ['src/runtime/log.ts', '../config/config.ts'],
  ['src/config/config.ts', '../contract/contract.ts'],
  ['src/contract/contract.ts', '../upstream/operation.ts'],
  ['src/upstream/customers.ts', '../graphql/context.ts'],
  ['src/upstream/customers.ts', '../bank/bank.ts'],
  ['src/upstream/customers.ts', 'undici'],
  ['src/upstream/operation.ts', './credentials/credentials.ts'],
  ['src/upstream/calls/read.ts', '../customers.ts'],
  ['src/upstream/calls/read.ts', '../../graphql/context.ts'],
  ['src/upstream/decoding/envelope.ts', '../calls/read.ts'],
  ['src/upstream/paging/list.ts', '../calls/read.ts'],
  ['src/upstream/wire/http-client.ts', '../decoding/envelope.ts'],
  ['src/upstream/idempotency/store.ts', '../paging/list.ts'],
  ['src/upstream/credentials/credentials.ts', '../wire/http-client.ts'],
  ['src/upstream/wire/http-client.ts', 'dataloader'],
  ['src/graphql/context.ts', '../http/app.ts'],
  ['src/graphql/resolvers/Query.ts', '../../server.ts'],
  ['src/graphql/resolvers/Query.ts', 'dataloader'],
  ['src/graphql/loader.ts', 'undici'],
  ['src/http/app.ts', '../telemetry/metrics.ts'],
  ['src/telemetry/metrics.ts', '../server.ts'],
  ['src/server.ts', './commands/main.ts'],
  ['src/server.ts', './bank/bank.ts'],
  ['src/commands/main.ts', '../cli.ts'],
  ['src/commands/main.ts', '../client/index.ts'],
  ['src/contract-tools/judge.ts', '../commands/main.ts'],
  ['src/contract-tools/judge.ts', '../upstream/operation.ts'],
  ['src/contract-tools/check/check.ts', '../../upstream/decoding/envelope.ts'],
  ['src/server.ts', './contract-tools/judge.ts'],
  ['src/bank/bank.ts', '../upstream/operation.ts'],
  ['src/client/errors.ts', 'graphql'],
  ['src/client/errors.ts', '../graphql/context.ts'],
];

const allowed: readonly [file: string, imported: string][] = [
  ['src/bank/data/records.ts', '../../contract/records.ts'],
  ['src/upstream/customers.ts', '../domain/records.ts'],
  ['src/upstream/calls/read.ts', '../operation.ts'],
  ['src/upstream/calls/write.ts', '../idempotency/idempotency.ts'],
  ['src/upstream/wire/http-client.ts', 'undici'],
  ['src/graphql/loader.ts', 'dataloader'],
  ['src/graphql/resolvers/Query.ts', '../../upstream/operations.ts'],
  ['src/http/app.ts', '../graphql/context.ts'],
  ['src/telemetry/metrics.ts', '../http/app.ts'],
  ['src/commands/main.ts', '../bank/bank.ts'],
  ['src/contract-tools/check/check.ts', '../../upstream/index.ts'],
  ['src/commands/contract.ts', '../contract-tools/judge.ts'],
  ['src/server.ts', './telemetry/metrics.ts'],
];

/** Of which the browser's part may import types only. */
const clientImport = ['src/client/errors.ts', '../domain/errors.ts'] as const;

type Kind = 'values' | 'types';
/** Where a linted file imports what: its line, by file, imported module and kind. */
const lineOf = new Map<string, string>();
/** The lines that the import law refuses, as `file:line`. */
const refused = new Set<string>();
/** Files that import types of each other. */
const circle = ['src/runtime/first.ts', 'src/runtime/second.ts'] as const;
/** A file with a function of 73 lines that reads the environment, as only files of config/ may. */
const careless = 'src/http/careless.ts';
let output = '';

/** Lints all files at once, each with a line for every import in question, as if they were part of the tree. */
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'settlement-graph-lint-'));
  for (const name of ['oxlint.config.ts', 'tsconfig.json']) copyFileSync(join(root, name), join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const texts = new Map<string, string[]>();
  for (const [file, imported] of [...forbidden, ...allowed, clientImport]) {
    const lines = texts.get(file) ?? [];
    texts.set(file, lines);
    const add = (kind: Kind, clause: string): void => {
      lineOf.set([file, imported, kind].join(), `${file}:${lines.push(`${clause} from '${imported}';`)}`);
    };
    add('values', `import { anything as value${lines.length} }`);
    add('types', `import type { Anything as Type${lines.length} }`);
  }
  texts.set(circle[0], ["import type { Second } from './second.ts';", 'export type First = Second;']);
  texts.set(circle[1], ["import type { First } from './first.ts';", 'export type Second = First | 1;']);
  const calls = Array.from({ length: 71 }, () => '  print(process.env);');
  texts.set(careless, ['export function printOften(print: (value: unknown) => void): void {', ...calls, '}']);
  for (const [file, lines] of texts) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), lines.join('\n'));
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'unix', 'src'], {
    cwd: folder,
    encoding: 'utf8',
  });
  output = stdout;
  for (const [, at = ''] of stdout.matchAll(/^(\S+?:\d+):\d+: .*no-restricted-imports/gm)) refused.add(at);
  rmSync(folder, { recursive: true });
});

const isRefused = (file: string, imported: string, kind: Kind): boolean =>
  refused.has(lineOf.get([file, imported, kind].join()) ?? 'nowhere');

it.each(forbidden)('%s may not import %s', (file, imported) => {
  expect(isRefused(file, imported, 'values')).toBe(true);
});

it.each(forbidden.filter(([, imported]) => imported.startsWith('.')))(
  '%s may not import types of %s',
  (file, imported) => {
    expect(isRefused(file, imported, 'types')).toBe(true);
  },
);

it.each(allowed)('%s may import %s', (file, imported) => {
  expect(isRefused(file, imported, 'values')).toBe(false);
});

it.each(circle)('%s may not import types of a file that imports types of it', (file) => {
  expect(output).toMatch(new RegExp(`^${file}:1:\\d+: .*no-cycle`, 'm'));
});

it.each(['max-lines-per-function', 'no-process-env'])('%s holds for a file of src/', (rule) => {
  expect(output).toMatch(new RegExp(`^${careless}:\\d+:\\d+: .*${rule}`, 'm'));
});

it('client/ may import types of domain/', () => {
  expect(isRefused(...clientImport, 'types')).toBe(false);
});
