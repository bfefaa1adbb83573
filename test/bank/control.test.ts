import { describe, expect, it, vi } from 'vitest';

import { first, newCustomer, rowsOf, totalOf, useBank } from './client.ts';

const bank = useBank();
const countOf = async (path: string) => totalOf(await bank.get(path));
/** The statuses of reads of a list and of records, in this order. */
const statusesOf = async (...paths: readonly string[]) => {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await bank.get(path)).status);
  return statuses;
};

describe('control face of the embedded bank', () => {
  it('takes nothing that a web form can send', async () => {
    for (const path of ['/deposits', '/faults', '/reset'])
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const request = { body: '{}', headers: { 'content-type': type } };
        expect(await bank.call('POST', `/_bank${path}`, request)).toMatchObject({ status: 415 });
      }
  });

  it('answers under the names of this machine alone', async () => {
    for (const host of ['localhost:4001', '127.0.0.1'])
      expect(await bank.raw('GET', '/_bank/requests', { host })).toMatchObject({ status: 200 });
    for (const host of ['evil.example:4001', '127.0.0.1.evil.example', 'localhost@evil.example'])
      for (const path of ['/', '/_bank/requests', '/_bank/customers'])
        expect(await bank.raw('GET', path, { host }), `for ${host}`).toMatchObject({ status: 403 });
    for (const site of ['cross-site', 'same-site'])
      expect(await bank.raw('GET', '/_bank/requests', { 'sec-fetch-site': site })).toMatchObject({ status: 403 });
  });

  it('resets to fresh seed data, an empty journal and no faults', async () => {
    await bank.post('/customers/', newCustomer);
    await bank.control('/deposits', { accountNumber: '9000000001', amount: '1' });
    await bank.control('/faults', { status: 500, count: 100 });
    const reply = await bank.raw('POST', '/_bank/reset', { 'content-type': 'application/json' });
    expect(reply).toMatchObject({ status: 204, body: '' });
    expect(await bank.journal()).toEqual([]);
    expect([await countOf('/customers/'), await countOf('/customers/cus_0001/transactions')]).toEqual([64, 130]);
  });

  it('names each request of the interface in order of arrival with its raw target, and never a credential', async () => {
    const key = { svcprivatekey: 'secret-key-value' };
    const both = { ...key, authorization: 'Bearer secret-token' };
    await bank.raw('GET', '/api/v1/customers/%61b%2Fc?search=a%20b&x', both);
    await bank.raw('GET', '/api/v1/settlement-banks/', key);
    await bank.post('/customers/', { ...newCustomer, nin: '55555555555' });
    await bank.raw('GET', '/api/v1/unknown?x=1');
    await bank.raw('GET', '/elsewhere');
    const entries = await bank.journal();
    expect(entries.map(({ operation, path, credentials }) => [operation, path, credentials])).toEqual([
      ['getCustomer', '/api/v1/customers/%61b%2Fc?search=a%20b&x', ['authorization', 'privateKey']],
      ['listSettlementBanks', '/api/v1/settlement-banks/', ['privateKey']],
      ['createCustomer', '/api/v1/customers/', ['authorization', 'privateKey']],
      [null, '/api/v1/unknown?x=1', []],
    ]);
    expect(entries[0]).toMatchObject({ method: 'GET', time: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string });
    expect(JSON.stringify(entries)).not.toMatch(/secret|demo-|55555555555/);
  });
});

describe('faults of the embedded bank', () => {
  it('answer the ordered status for the ordered count, of one operation before those of any', async () => {
    const order = { operation: 'getCustomer', count: 2, status: 503 };
    await bank.control('/faults', { count: 10_000, status: 429 });
    expect(await bank.control('/faults', order)).toMatchObject({ status: 201, body: { data: order } });
    const record = '/customers/cus_0001';
    expect(await statusesOf('/customers/', record, record, record)).toEqual([429, 503, 503, 429]);
  });

  it.each([
    ['text as it stands', { status: 502, body: '<html>' }, 502, 'text/plain; charset=utf-8', '<html>'],
    ['JSON', { body: null }, 200, 'application/json; charset=utf-8', null],
  ])('answer %s', async (_name, order, status, contentType, body) => {
    await bank.control('/faults', order);
    expect(await bank.get('/customers/cus_0001')).toEqual({ status, contentType, body });
  });

  it.each([
    ['before', 64],
    ['after', 65],
  ])('cut the connection %s the operation is carried out', async (cut, total) => {
    await bank.control('/faults', { operation: 'createCustomer', cut });
    await expect(bank.post('/customers/', newCustomer)).rejects.toThrow('fetch failed');
    expect(await countOf('/customers/')).toBe(total);
    expect(await bank.journal()).toMatchObject([{ operation: 'createCustomer' }, { operation: 'listCustomers' }]);
  });

  it('carry a delayed write out although its caller has left', async () => {
    await bank.control('/faults', { operation: 'createCustomer', latencyMs: 500 });
    const caller = new AbortController();
    const headers = { ...first, 'content-type': 'application/json' };
    const write = bank.call('POST', '/api/v1/customers/', { body: newCustomer, headers, signal: caller.signal });
    const outcome = write.catch(String);
    await vi.waitFor(async () => expect(await bank.journal()).toHaveLength(1));
    caller.abort();
    expect(await outcome).toContain('aborted');
    const find = async () => rowsOf(await bank.get('/customers/?search=test-reference'));
    await vi.waitFor(async () => expect(await find()).toHaveLength(1), { timeout: 10_000 });
  });

  it.each([
    {},
    { cut: 'before', status: 500 },
    { cut: 'during' },
    { latencyMs: 60_001 },
    { operation: 'deleteCustomer', status: 500 },
    { status: 500, latency: 5 },
    { status: 600 },
    { status: 500, count: 0 },
  ])('are refused where an order says nothing or too much: %j', async (order) => {
    expect(await bank.control('/faults', order)).toMatchObject({ status: 422, body: { success: false } });
    expect(await bank.get('/customers/')).toMatchObject({ status: 200 });
  });
});
