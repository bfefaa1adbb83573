import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { query } from '../../support/gateway.ts';
import { seenNotReady, startGatewayProcess } from '../gateway-process.ts';
import { copyClone, root, withoutInstall } from '../install.ts';
import { moreAnswers, startSteadyLoad, startSteadyService } from '../../support/load/steady.ts';
import { startCommand } from '../../support/process.ts';
import { record } from '../evidence.ts';

const run = promisify(execFile);
const environment = { DRAIN_DELAY_MS: '1200' };
/** Where README's lines for a tarball have installed the package. */
let folder = '';
/** What the gateways printed that README's lines in production have started. */
const printed: string[] = [];

beforeAll(async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, section = ''] = /^## In production\n(.*?)^## /ms.exec(readme) ?? [];
  const parent = await mkdtemp(join(tmpdir(), 'settlement-graph-readme-'));
  const clone = join(parent, 'clone');
  folder = join(parent, 'gateway');
  await copyClone(clone);
  for (const [, script = ''] of section.matchAll(/^```sh\n(.*?)^```/gms)) {
    const gateway = startCommand('bash', ['-euc', withoutInstall(script)], { cwd: clone, atEnd: () => undefined });
    await Promise.race([gateway.printed(/"msg":"listening"/).catch(() => undefined), gateway.exited]);
    printed.push(gateway.output());
    gateway.signal('SIGKILL');
  }
  await symlink(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  return () => rm(parent, { recursive: true, force: true });
}, 400_000);

it('starts by the production lines of README, from a fresh clone and from the tarball', () => {
  const listening: unknown = expect.stringContaining('"msg":"listening"');
  expect(printed).toEqual([listening, listening]);
});

it('starts and answers from the tarball', async () => {
  const { stdout: listing } = await run('sh', ['-c', `tar tzf ${folder}/settlement-graph-*.tgz`]);
  expect(listing).not.toMatch(/(?<!\.d)\.ts$/m);
  expect(listing).not.toMatch(/^package\/(?:src|test)\//m);
  expect(listing).toMatch(/^package\/dist\/contract\.schema\.json$/m);
  expect(listing).toMatch(/^package\/dist\/explorer\/LICENSES\.txt$/m);

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

it('has a list of components with the dependencies and what the explorer bundles, and no tool', async () => {
  const { stdout } = await run('npm', ['run', '-s', 'sbom'], { cwd: root, maxBuffer: 2 ** 24 });
  const names = [...stdout.matchAll(/"bom-ref": "(.+)@/g)].map(([, name]) => name);
  for (const name of ['fastify', 'graphql', 'graphiql', 'monaco-editor']) expect(names).toContain(name);
  expect(names).not.toContain('vitest');
});

it('fails no request when npx is told to stop under load, which ends at once and passes nothing on', async () => {
  const byNpx = ['sh', '-c', `cd ${folder} && exec npx settlement-graph serve`];
  const gateway = await startGatewayProcess(await startSteadyService(), environment, [], byNpx);
  const load = startSteadyLoad(() => gateway.url);
  await moreAnswers(load);
  gateway.command.signalFirst('SIGTERM');
  await seenNotReady(gateway);
  await load.stop();
  await gateway.command.exited;
  record('SIGTERM to npx under load', `${load.answered()} requests, ${load.failures.length} failed`);
  expect(load.failures).toEqual([]);
  expect(gateway.command.output()).toMatch(/"cause":"parent ended"/);
}, 60_000);

/** A suite of a strange project, once for each runner: its own bank, a deposit, a lost answer, a refused write. */
const suite = (runner: string) => `
import assert from 'node:assert/strict';
import { it } from '${runner}';
import { startGateway } from 'settlement-graph/testing';

const asking = ({ graphqlUrl, headers }) => async (query) => {
  const sent = { ...headers, 'content-type': 'application/json' };
  return (await fetch(graphqlUrl, { method: 'POST', headers: sent, body: JSON.stringify({ query }) })).json();
};

it('has a deposit, a lost answer and a refused write', async () => {
  const gateway = await startGateway();
  const ask = asking(gateway);
  const amountOf = async () => (await ask('{ customer(id: "cus_0001") { balance { value { amount } } } }')).data.customer.balance.value.amount;
  const before = await amountOf();
  await gateway.bank.deposit('9000000001', '1.00');
  assert.equal(Number(await amountOf()).toFixed(2), (Number(before) + 1).toFixed(2));

  await gateway.bank.fault({ operation: 'updateCustomer', cut: 'after' });
  const rename = (name) => ask('mutation { updateCustomer(input: { id: "cus_0001", firstName: "' + name + '" }) { userErrors { code } } }');
  assert.equal((await rename('Ada')).errors[0].extensions.code, 'OUTCOME_UNKNOWN');
  await gateway.bank.fault({ operation: 'updateCustomer', status: 422, body: { success: false, errors: { first_name: ['Is taken.'] } } });
  assert.equal((await rename('Ada')).data.updateCustomer.userErrors.length, 1);
  await gateway.close();
});
`;

it.each([
  ['node:test', ['--test']],
  ['vitest', [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', '.']],
])('starts inside a suite of %s, which ends by itself', async (runner, args) => {
  const file = `${runner.replace(':', '-')}.test.mjs`;
  await writeFile(join(folder, file), suite(runner));
  const { stdout } = await run(process.execPath, [...args, file], { cwd: folder, timeout: 60_000 });
  expect(stdout).toMatch(/pass 1\b|1 passed/);
});

it('prints nothing, and leaves no handle that keeps a process alive after close', async () => {
  const script = `
    import { startGateway } from 'settlement-graph/testing';
    const gateway = await startGateway();
    const sent = { ...gateway.headers, 'content-type': 'application/json' };
    await (await fetch(gateway.graphqlUrl, { method: 'POST', headers: sent, body: '{"query":"{ customers { totalCount } }"}' })).text();
    await gateway.close();`;
  await writeFile(join(folder, 'start.mjs'), script);
  expect(await run(process.execPath, ['start.mjs'], { cwd: folder, timeout: 20_000 })).toEqual({
    stdout: '',
    stderr: '',
  });
});
