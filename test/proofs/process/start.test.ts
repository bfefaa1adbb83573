import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { query } from '../../support/gateway.ts';
import { startDialectTwo } from '../../support/dialects/two.ts';
import { startCommand } from '../../support/process.ts';

const run = promisify(execFile);
const demo = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
const address = /GraphQL\s+(http:\S+)\/graphql/;

describe('npm start', () => {
  it('prints its addresses, the demo credentials and a query that answers when pasted', async () => {
    const gateway = startCommand('npm', ['start']);
    const [pasted = ''] = await gateway.printed(/^curl .+$/m);
    expect(gateway.output()).toMatch(/Sandbox\s+http:\/\/127\.0\.0\.1:\d+\/\n/);
    expect(gateway.output()).toMatch(/Authorization: Bearer demo-token\n\s+SVCPRIVATEKEY: demo-key\n/);
    expect(gateway.output()).toMatch(/Authorization: Bearer demo-token-2\n\s+SVCPRIVATEKEY: demo-key-2\n/);
    const { stdout } = await run('bash', ['-c', pasted]);
    const answer = JSON.parse(stdout) as {
      readonly data: { readonly customers: { readonly nodes: readonly unknown[] } };
    };
    expect(answer.data.customers.nodes).toHaveLength(3);
  });

  it('prints and shows queries that answer under a TYPE_PREFIX too', async () => {
    const gateway = startCommand('npm', ['start'], { environment: { TYPE_PREFIX: 'Settlement' } });
    const [pasted = ''] = await gateway.printed(/^curl .+$/m);
    const [, url = ''] = address.exec(gateway.output()) ?? [];
    const { stdout } = await run('bash', ['-c', pasted]);
    expect(stdout).toContain('"settlementCustomers":{"totalCount":64');
    const page = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text();
    const [, first = ''] = /"document":"((?:[^"\\]|\\.)*)"/.exec(page) ?? [];
    const { data, errors } = await query({ url }, JSON.parse(`"${first}"`) as string, { headers: demo });
    expect(errors).toEqual([]);
    expect(data.settlementSettlementBanks.nodes).toHaveLength(2);
  });

  it('refuses a bad configuration with every fault and what is allowed', async () => {
    const environment = { PORT: '99999', UPSTREAM_MONEY_UNIT: 'kobo', UPSTREAM_URL: 'nowhere' };
    const gateway = startCommand('node', ['src/cli.ts', 'serve'], { environment });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toMatch(/^PORT: allowed: a whole number from 0 to 65535$/m);
    expect(gateway.output()).toMatch(/^UPSTREAM_MONEY_UNIT: allowed: major or minor$/m);
    expect(gateway.output()).toMatch(/^UPSTREAM_URL: allowed: /m);
  });

  it.each([
    ['serve', 'PORT', /GraphQL\s+http:\/\/127\.0\.0\.1:(\d+)/],
    ['bank', 'BANK_PORT', /http:\/\/127\.0\.0\.1:(\d+)/],
  ])('says in one line that the port of %s is taken, and ends', async (command, variable, printed) => {
    const [, port = ''] = await startCommand('node', ['src/cli.ts', command]).printed(printed);
    const second = startCommand('node', ['src/cli.ts', command], { environment: { [variable]: port } });
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(new RegExp(`^${variable}: .*EADDRINUSE.*${port}.*\n$`));
  });
});

describe('npm run contract -- check', () => {
  const check = (environment: Readonly<Record<string, string>>, ...options: readonly string[]) =>
    startCommand('npm', ['run', '-s', 'contract', '--', 'check', ...options], { environment });

  it('exits 1 with contradictions, writes what removes them, and then exits 0', async () => {
    const { url, close } = await startDialectTwo();
    onTestFinished(close);
    const file = join(await temporaryFolder(), 'contract.yaml');
    const environment = { UPSTREAM_URL: url, CHECK_BEARER: 'demo-token', CHECK_PRIVATE_KEY: 'demo-key' };
    const first = check(environment, '--write', file);
    expect(await first.exited).toBe(1);
    expect(first.output()).toMatch(/ confirmed, [1-9]\d* contradicted, /);
    const second = check({ ...environment, UPSTREAM_CONTRACT: file });
    expect(await second.exited).toBe(0);
    expect(second.output()).not.toMatch(/demo-token|demo-key|cus_0001/);
  });

  it('exits 2 where it could not run', async () => {
    const environment = { UPSTREAM_URL: 'http://127.0.0.1:9', CHECK_BEARER: 'demo-token' };
    expect(await check(environment).exited).toBe(2);
  });
});
