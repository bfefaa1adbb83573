import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { query } from '../support/gateway.ts';
import { installTarball } from '../support/install.ts';
import { startCommand } from '../support/process.ts';

const run = promisify(execFile);

it('starts and answers from the tarball in an empty folder', async () => {
  const { folder, tarball } = installTarball();

  const { stdout: listing } = await run('tar', ['tzf', tarball]);
  expect(listing).not.toMatch(/(?<!\.d)\.ts$/m);
  expect(listing).not.toMatch(/^package\/(?:src|test)\//m);
  expect(listing).toMatch(/^package\/dist\/contract\.schema\.json$/m);

  const { stdout: client } = await run(
    'node',
    [
      '-p',
      `import('settlement-graph/client').then(({ typePolicies }) => console.log(Object.keys(typePolicies).join()))`,
    ],
    { cwd: folder },
  );
  expect(client).toContain('Customer,Query,Balance,Money');
  await run('node', ['-p', `require('fs').readFileSync(require.resolve('settlement-graph/client/schema.graphql'))`], {
    cwd: folder,
  });

  const gateway = startCommand('npx', ['settlement-graph', 'serve'], { cwd: folder });
  const [, url = ''] = await gateway.printed(/GraphQL\s+(http:\S+)\/graphql/);
  const headers = { svcprivatekey: 'demo-key' };
  const { data } = await query({ url }, '{ customers(first: 2) { nodes { balance { value { amount } } } } }', {
    headers,
  });
  expect(data.customers.nodes).toHaveLength(2);
});
