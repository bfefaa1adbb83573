import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

/** Lints one planted file as if it stood in the tree; what the linter says of its imports. */
async function lint(file: string, imported: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-lint-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await copyFile(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  await copyFile(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), `import { anything } from '${imported}';\nexport const used = anything;\n`);
  return new Promise((resolve) => {
    execFile(join(root, 'node_modules/.bin/oxlint'), [file], { cwd: folder }, (_, stdout) => resolve(stdout));
  });
}

const forbidden: readonly [file: string, imported: string][] = [
  ['src/domain.ts', './loader.ts'],
  ['src/selections.ts', './loader.ts'],
  ['src/config.ts', './domain.ts'],
  ['src/config-rules.ts', './config.ts'],
  ['src/upstream/customers.ts', '../context.ts'],
  ['src/upstream/customers.ts', '../resolvers/Query.ts'],
  ['src/upstream/customers.ts', '../bank/bank.ts'],
  ['src/upstream/customers.ts', 'dataloader'],
  ['src/loader.ts', './context.ts'],
  ['src/loader.ts', 'undici'],
  ['src/resolvers/Query.ts', '../context.ts'],
  ['src/resolvers/Query.ts', '../server.ts'],
  ['src/resolvers/Query.ts', 'undici'],
  ['src/context.ts', './server.ts'],
  ['src/context.ts', './edge/errors.ts'],
  ['src/edge/errors.ts', '../upstream/call.ts'],
  ['src/server.ts', './bank/bank.ts'],
  ['src/server.ts', 'undici'],
  ['src/bank/bank.ts', '../domain.ts'],
  ['src/check/check.ts', '../server.ts'],
  ['src/client/errors.ts', '../errors.ts'],
  ['src/client/errors.ts', '../domain.ts'],
  ['src/client/errors.ts', 'graphql'],
  ['src/client/errors.ts', '@apollo/client'],
  ['src/client/errors.ts', 'node:fs'],
  ['src/main.ts', './client/index.ts'],
  ['src/server.ts', './client/index.ts'],
  ['src/context.ts', './client/index.ts'],
  ['src/resolvers/Query.ts', '../client/index.ts'],
  ['src/upstream/customers.ts', '../client/index.ts'],
];

it.each(forbidden)('%s may not import %s', async (file, imported) => {
  expect(await lint(file, imported)).toContain('no-restricted-imports');
});

it.each([
  ['src/upstream/customers.ts', '../domain.ts'],
  ['src/loader.ts', './upstream/call.ts'],
  ['src/resolvers/Query.ts', '../upstream/call.ts'],
  ['src/resolvers/Query.ts', '../loader.ts'],
  ['src/resolvers/reference.ts', '../selections.ts'],
  ['src/edge/cost.ts', '../selections.ts'],
  ['src/context.ts', './loader.ts'],
  ['src/server.ts', './context.ts'],
  ['src/main.ts', './bank/bank.ts'],
  ['src/config.ts', './config-rules.ts'],
  ['src/client/errors.ts', './schema.generated.ts'],
])('%s may import %s', async (file, imported) => {
  expect(await lint(file, imported)).not.toContain('no-restricted-imports');
});
