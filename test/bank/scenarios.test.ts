import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { readConfig } from '../../src/config/config.ts';
import { writeNames } from '../../src/contract/operation-rows.ts';
import { first, useBank } from './client.ts';

const bank = useBank();
const key = { ...first, 'content-type': 'application/json' };

describe('the control addresses of the bank’s pane', () => {
  const read = async (path: string): Promise<unknown> => (await fetch(`${bank.url()}/_bank/${path}`)).json();

  it('list customers with balance, currency and accounts, and requests with status and duration', async () => {
    const { customers } = (await read('customers')) as { readonly customers: readonly object[] };
    expect(customers).toHaveLength(76);
    expect(customers[0]).toMatchObject({
      id: 'cus_0001',
      balance: '146363.63',
      currency: 'NGN',
      accounts: ['9000000001', '9000000002'],
    });
    await bank.get('/customers/none');
    await bank.control('/faults', { cut: 'before' });
    await bank.get('/customers/none').catch(() => {});
    await expect
      .poll(() => read('requests'))
      .toMatchObject({
        requests: [
          { status: 404, durationMs: expect.any(Number) as number },
          { status: null, durationMs: expect.any(Number) as number },
        ],
      });
  });

  it('switch a scenario on and off, show what is left of it, and leave other faults alone', async () => {
    const flip = (name: string, isOn: boolean) => bank.control('/switches', { name, isOn });
    await bank.control('/faults', { operation: 'getCustomer', status: 500 });
    await flip('failed-write', true);
    await flip('failed-write', true);
    expect(await bank.call('PATCH', '/api/v1/customers/cus_0001', { headers: key, body: {} })).toMatchObject({
      status: 500,
    });
    const { faults } = (await read('faults')) as { readonly faults: readonly object[] };
    expect(faults).toHaveLength(writeNames.length);
    expect(faults).toContainEqual({
      operation: 'createCustomer',
      scenario: 'failed-write',
      count: 1,
      remaining: 1,
      status: 500,
    });
    await flip('failed-write', false);
    expect(await read('faults')).toMatchObject({ faults: [{ operation: 'getCustomer' }] });
    expect(await flip('flood', true)).toMatchObject({ status: 422 });
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
