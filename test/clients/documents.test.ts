import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startBankGateway } from './bank-gateway.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/frontend');
const makeManifest = join(root, 'examples/first-screen/shared/make-manifest.js');

it('names a document by its operation where codegen puts a fragment in front', async () => {
  const folder = await temporaryFolder();
  const body = 'fragment Parts on Customer { firstName } mutation Rename($id: ID!) { __typename }';
  await mkdir(join(folder, 'src/gql'), { recursive: true });
  await writeFile(join(folder, 'src/gql/persisted-documents.json'), JSON.stringify({ a1: body }));
  const { stdout } = await run(process.execPath, [makeManifest], { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ operations: [{ id: 'a1', body, name: 'Rename', type: 'mutation' }] });
});

it('gives the gateway the documents of the example, and it accepts no others', async () => {
  await run('npm', ['run', 'codegen'], { cwd: example });
  const folder = await temporaryFolder();
  const { stdout } = await run(process.execPath, [makeManifest], { cwd: example });
  const file = join(folder, 'manifest.json');
  await writeFile(file, stdout);
  const { ask } = await startBankGateway({ TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_ONLY: '1' });

  const { operations } = JSON.parse(stdout) as { readonly operations: readonly Readonly<Record<string, string>>[] };
  const list = operations.find(({ name }) => name === 'Customers');
  const persistedQuery = { version: 1, sha256Hash: list?.['id'] };
  expect(operations.map(({ name }) => name)).toContain('CreateCustomer');
  expect(await ask({ extensions: { persistedQuery } })).toMatchObject({ data: { customers: { totalCount: 64 } } });
  expect(await ask({ query: list?.['body'] })).toMatchObject({ data: { customers: { totalCount: 64 } } });
  expect(await ask({ query: '{ customers { totalCount } }' })).toMatchObject({
    errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
  });
});
