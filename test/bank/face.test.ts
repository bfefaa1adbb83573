import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { readConfig } from '../../src/config/config.ts';
import { first, useBank } from './client.ts';

const bank = useBank();
const key = { ...first, 'content-type': 'application/json' };

describe('the embedded bank’s own page', () => {
  it('comes from its own address alone, and shows customers with balances and accounts', async () => {
    const page = await fetch(`${bank.url()}/`);
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'; script-src 'self'"),
    ]);
    for (const [, path = ''] of (await page.text()).matchAll(/(?:src|href)="(\/[^"]*)"/g)) {
      expect((await fetch(bank.url() + path)).status).toBe(200);
    }
    const { customers } = (await (await fetch(`${bank.url()}/_bank/customers`)).json()) as {
      readonly customers: readonly object[];
    };
    expect(customers).toHaveLength(76);
    expect(customers[0]).toMatchObject({
      id: 'cus_0001',
      balance: '146363.63',
      accounts: ['9000000001', '9000000002'],
    });
  });
});

describe('BANK_SCENARIO', () => {
  const start = async (scenario: string) => {
    const { bankScenario } = readConfig({}, { BANK_SCENARIO: scenario });
    const { url, close } = await startBank({ port: 0, database: ':memory:', scenario: bankScenario });
    onTestFinished(close);
    const call = (method: string, path: string, body?: object) =>
      fetch(`${url}${path}`, { method, headers: key, body: body === undefined ? null : JSON.stringify(body) }).then(
        ({ status }) => status,
        () => 'cut',
      );
    return {
      read: () => call('GET', '/api/v1/customers/'),
      write: () => call('PATCH', '/api/v1/customers/cus_0001', { first_name: 'Ada' }),
      create: () => call('POST', '/api/v1/customers/', {}),
      reset: () => call('POST', '/_bank/reset', {}),
    };
  };

  it.each([
    ['down', 503],
    ['rate-limited', 429],
  ])('`%s` answers every call %i until a reset', async (scenario, status) => {
    const { read, write, reset } = await start(scenario);
    expect([await read(), await read(), await write()]).toEqual([status, status, status]);
    await reset();
    expect(await read()).toBe(200);
  });

  it('`lost-answer` loses the answer of the next write, `duplicate` refuses the next create', async () => {
    const lost = await start('lost-answer');
    expect([await lost.read(), await lost.write(), await lost.write()]).toEqual([200, 'cut', 200]);
    const duplicate = await start('duplicate');
    expect([await duplicate.write(), await duplicate.create(), await duplicate.create()]).toEqual([200, 409, 422]);
  });

  it('is refused for a name that nobody knows', () => {
    expect(() => readConfig({ BANK_SCENARIO: 'flood' })).toThrow('BANK_SCENARIO: allowed: lost-answer, duplicate');
  });
});
