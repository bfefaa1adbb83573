import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

/** One file for each kind of border, and what it may not import: neither values nor, of our own files, types. */
const forbidden: readonly [file: string, imported: string][] = [
  ['src/domain/errors.ts', '../runtime/log.ts'],
  ['src/contract/contract.ts', '../upstream/operation.ts'],
  ['src/upstream/customers.ts', '../bank/bank.ts'],
  ['src/upstream/customers.ts', 'undici'],
  ['src/upstream/operation.ts', './credentials/credentials.ts'],
  ['src/upstream/calls/read.ts', '../customers.ts'],
  ['src/upstream/calls/read.ts', '../../graphql/context.ts'],
  ['src/upstream/decoding/envelope.ts', '../calls/read.ts'],
  ['src/upstream/credentials/credentials.ts', '../wire/http-client.ts'],
  ['src/upstream/wire/http-client.ts', 'dataloader'],
  ['src/graphql/loader.ts', 'undici'],
  ['src/graphql/resolvers/Query.ts', '../../server.ts'],
  ['src/server.ts', './bank/bank.ts'],
  ['src/commands/main.ts', '../client/index.ts'],
  ['src/contract-tools/check/check.ts', '../../upstream/decoding/envelope.ts'],
  ['src/bank/bank.ts', '../upstream/operation.ts'],
  ['src/client/errors.ts', 'graphql'],
  ['src/client/errors.ts', '../graphql/context.ts'],
];

const allowed: readonly [file: string, imported: string][] = [
  ['src/bank/data/records.ts', '../../contract/records.ts'],
  ['src/upstream/calls/read.ts', '../operation.ts'],
  ['src/upstream/wire/http-client.ts', 'undici'],
  ['src/graphql/loader.ts', 'dataloader'],
  ['src/graphql/resolvers/Query.ts', '../../upstream/operations.ts'],
  ['src/commands/main.ts', '../bank/bank.ts'],
  ['src/contract-tools/check/check.ts', '../../upstream/index.ts'],
];

/** All that oxlint says of these lines by file, as if they were part of the tree. */
function lint(files: ReadonlyMap<string, readonly string[]>): string {
  const folder = mkdtempSync(join(tmpdir(), 'settlement-graph-lint-'));
  for (const name of ['oxlint.config.ts', 'tsconfig.json']) copyFileSync(join(root, name), join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, lines] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), lines.join('\n'));
  }
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'unix', 'src'], options);
  rmSync(folder, { recursive: true });
  return stdout;
}

it('refuses each import that the order of folders forbids, of types too, and no other', () => {
  const ofTypes = forbidden.filter(([, imported]) => imported.startsWith('.'));
  const imports: readonly (readonly [file: string, line: string, isRefused: boolean])[] = [
    ...forbidden.map(([file, from], at) => [file, `import { value as value${at} } from '${from}';`, true] as const),
    ...ofTypes.map(([file, from], at) => [file, `import type { Type as Type${at} } from '${from}';`, true] as const),
    ...allowed.map(([file, from], at) => [file, `import { other as other${at} } from '${from}';`, false] as const),
    ['src/client/errors.ts', "import type { Error as Ours } from '../domain/errors.ts';", false],
  ];
  const files = new Map(
    [...Map.groupBy(imports, ([file]) => file)].map(([file, all]) => [file, all.map((one) => one[1])]),
  );
  const refused = [...lint(files).matchAll(/^(\S+?):(\d+):\d+: .*no-restricted-imports/gm)];
  const told = new Set(refused.map(([, file = '', line]) => files.get(file)?.[Number(line) - 1]));
  expect(told).toEqual(new Set(imports.filter(([, , isRefused]) => isRefused).map(([, line]) => line)));
});

it('refuses circles of types, long functions, and the environment outside config/', () => {
  const calls = Array.from({ length: 71 }, () => '  print(process.env);');
  const printed = lint(
    new Map([
      ['src/runtime/first.ts', ["import type { Second } from './second.ts';", 'export type First = Second;']],
      ['src/runtime/second.ts', ["import type { First } from './first.ts';", 'export type Second = First | 1;']],
      ['src/http/careless.ts', ['export function printOften(print: (value: unknown) => void): void {', ...calls, '}']],
    ]),
  );
  expect(printed).toMatch(/^src\/runtime\/first\.ts:1:\d+: .*no-cycle/m);
  for (const rule of ['max-lines-per-function', 'no-process-env'])
    expect(printed).toMatch(new RegExp(String.raw`^src/http/careless\.ts:\d+:\d+: .*${rule}`, 'm'));
});
