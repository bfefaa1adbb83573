import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

/** Lints a file with this text as if it were part of the tree, and returns the linter's output. */
async function lint(file: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-lint-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await copyFile(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  await copyFile(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
  return new Promise((resolve) => {
    execFile(join(root, 'node_modules/.bin/oxlint'), [file], { cwd: folder }, (_, stdout) => resolve(stdout));
  });
}

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
  ['src/bank/bank.ts', '../domain/records.ts'],
  ['src/bank/data/ledger.ts', '../../contract/money.ts'],
  ['src/client/errors.ts', 'graphql'],
  ['src/client/errors.ts', '../graphql/context.ts'],
];

it.each(forbidden)('%s may not import %s', async (file, imported) => {
  expect(await lint(file, `import { anything } from '${imported}';\nexport const used = anything;\n`)).toContain(
    'no-restricted-imports',
  );
});

it.each(forbidden.filter(([, imported]) => imported.startsWith('.')))(
  '%s may not import types of %s',
  async (file, imported) => {
    expect(await lint(file, `import type { Anything } from '${imported}';\nexport type Used = Anything;\n`)).toContain(
      'no-restricted-imports',
    );
  },
);

it.each([
  ['src/upstream/customers.ts', '../domain/records.ts'],
  ['src/upstream/calls/read.ts', '../operation.ts'],
  ['src/upstream/calls/write.ts', '../idempotency/idempotency.ts'],
  ['src/upstream/wire/http-client.ts', 'undici'],
  ['src/graphql/loader.ts', 'dataloader'],
  ['src/graphql/resolvers/Query.ts', '../../upstream/operations.ts'],
  ['src/http/app.ts', '../graphql/context.ts'],
  ['src/telemetry/metrics.ts', '../http/app.ts'],
  ['src/commands/main.ts', '../bank/bank.ts'],
  ['src/server.ts', './telemetry/metrics.ts'],
])('%s may import %s', async (file, imported) => {
  expect(await lint(file, `import { anything } from '${imported}';\nexport const used = anything;\n`)).not.toContain(
    'no-restricted-imports',
  );
});

it('client/ may import types of domain/', async () => {
  const text = `import type { Lookup } from '../domain/errors.ts';\nexport type Used = Lookup;\n`;
  expect(await lint('src/client/errors.ts', text)).not.toContain('no-restricted-imports');
});
