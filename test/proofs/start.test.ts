import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { query } from '../support/gateway.ts';
import { startCommand } from '../support/process.ts';

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

  it('passes a SIGTERM of npm on to the gateway, which stops listening and ends with 0', async () => {
    const gateway = startCommand('npm', ['start']);
    const [, url = ''] = await gateway.printed(address);
    gateway.signalFirst('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(gateway.output()).toMatch(/"msg":"stopping"/);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });

  it('shows Sandbox with a first document and the demo headers filled in', async () => {
    const gateway = startCommand('node', ['src/cli.ts', 'serve']);
    const [, url = ''] = await gateway.printed(address);
    const page = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('embeddable-sandbox');
    expect(page).toContain('FirstLook');
    expect(page).toContain('demo-key');
  });

  it('keeps the data of a bank in a file over a restart', async () => {
    const environment = { BANK_DATABASE: join(await temporaryFolder(), 'bank.sqlite') };
    const reference = { first: 3, search: 'kept-over-restart' };
    const create = `mutation { createCustomer(input: {
      firstName: "Ada", lastName: "Test", nin: "00000000000", dateOfBirth: "1990-01-31", bvn: "", type: "wallet",
      phone: "+2340000000000", email: "ada@example.com", reference: "kept-over-restart", collectionWalletId: "w-1"
    }) { customer { id } userErrors { message } } }`;
    const search = 'query ($first: Int, $search: String) { customers(first: $first, search: $search) { totalCount } }';

    const first = startCommand('node', ['src/cli.ts', 'serve'], { environment });
    const [, firstUrl = ''] = await first.printed(address);
    const created = await query({ url: firstUrl }, create, { headers: demo });
    expect(created.data.createCustomer.userErrors).toEqual([]);
    first.signal('SIGTERM');
    await first.exited;

    const second = startCommand('node', ['src/cli.ts', 'serve'], { environment });
    const [, secondUrl = ''] = await second.printed(address);
    const found = await query({ url: secondUrl }, search, { variables: reference, headers: demo });
    expect(found.data.customers.totalCount).toBe(1);
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

describe('npm run contract', () => {
  it('prints every row with its kind and state for programs', async () => {
    const { stdout } = await run('node', ['src/cli.ts', 'contract', '--json']);
    const rows = JSON.parse(stdout) as readonly {
      readonly id: string;
      readonly kind: string;
      readonly state: string;
    }[];
    const state = (id: string) => rows.find((row) => row.id === id)?.state;
    expect(rows.length).toBeGreaterThan(100);
    expect(state('createCustomer.path')).toBe('default');
    expect(state('money.unit')).toBe('overridden');
  });
});

describe('npm run contract -- check', () => {
  const check = (environment: Readonly<Record<string, string>>, ...options: readonly string[]) =>
    startCommand('npm', ['run', '-s', 'contract', '--', 'check', ...options], { environment });

  it('exits 1 with contradictions, writes what removes them, and then exits 0', async () => {
    const bank = startCommand('npm', ['run', 'bank']);
    const [url] = await bank.printed(/http:\/\/127\.0\.0\.1:\d+/);
    const file = join(await temporaryFolder(), 'contract.yaml');
    const environment = { UPSTREAM_URL: url, CHECK_BEARER: 'demo-token', CHECK_PRIVATE_KEY: 'demo-key' };
    const first = check(environment, '--write', file);
    expect(await first.exited).toBe(1);
    expect(first.output()).toMatch(/^\d+ confirmed, 3 contradicted, \d+ not observable$/m);
    const second = check({ ...environment, UPSTREAM_CONTRACT: file });
    expect(await second.exited).toBe(0);
    expect(second.output()).not.toMatch(/demo-token|demo-key|cus_0001/);
  });

  it('exits 2 where it could not run', async () => {
    const environment = { UPSTREAM_URL: 'http://127.0.0.1:9', CHECK_BEARER: 'demo-token' };
    expect(await check(environment).exited).toBe(2);
    expect(await check({}).exited).toBe(2);
    expect(await check({ ...environment, UPSTREAM_CONTRACT: '/nowhere.yaml' }).exited).toBe(2);
  });

  it('stops the start with every fault of a bad file and its line', async () => {
    const file = join(await temporaryFolder(), 'contract.yaml');
    await writeFile(file, 'version: 1\nrows:\n  getCustomer.path: /clients\n  createCustomer.method: PUT\n  nope: 1\n');
    const gateway = startCommand('npm', ['start'], { environment: { UPSTREAM_CONTRACT: file } });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toMatch(/contract\.yaml:3: rows\.getCustomer\.path: found "\/clients"; allowed: a path/);
    expect(gateway.output()).toMatch(/contract\.yaml:4: rows\.createCustomer\.method: .*acknowledge: true/);
    expect(gateway.output()).toMatch(/contract\.yaml:5: rows\.nope: /);
  });
});
