import { describe, expect, it } from 'vitest';
import { asking, demo, startExplained, type ExplainedCall } from './explained.ts';
import { query, startScripted, storeInMemory } from '../support/gateway.ts';

const create = (reference: string, key = '') => `mutation { createCustomer(input: {
  firstName: "Ada", lastName: "Canary", nin: "00000000000", dateOfBirth: "1990-01-01", phone: "+2340000000000",
  email: "ada@example.com", type: "wallet", collectionWalletId: "w", reference: "${reference}" ${key} }) { customer { id } } }`;
const read = '{ customer(id: "cus_0001") { email } }';
const operationsOf = (calls: readonly ExplainedCall[]) =>
  calls.flatMap(({ operation, tries }) => Array<string>(tries).fill(operation));

describe('extensions.calls', () => {
  it('has an entry for each call, with every field that it fed by the schema’s names, and no value', async () => {
    const { ask, journal } = await startExplained();
    const document = `query ($id: ID!) {
      mine: customer(id: $id) { firstName money: balance { value { amount } } }
      customers(first: 3) { nodes { balance { value { amount } } } edges { node { again: balance { value { currency } } } } }
      nobody: customer(id: "canary-id") { email balance { value { amount } } }
    }`;
    const { data, extensions: { calls = [], cost } = {} } = await ask(document, { id: 'cus_0001' });
    expect(operationsOf(calls).toSorted()).toEqual((await journal()).toSorted());
    expect([calls.length, cost]).toEqual([7, { estimated: 11, maximum: 200 }]);
    const below = ['customers.nodes.balance', 'customers.edges.node.balance'];
    const balances = calls.filter(({ operation }) => operation === 'getCustomerBalance');
    expect(balances.map(({ fields, uses }) => [fields, uses])).toEqual([
      [['customer.balance', ...below], 3],
      // Prefetched for a customer who does not exist.
      [['customer.balance'], 0],
      [below, 2],
      [below, 2],
    ]);
    const list = calls.find(({ operation }) => operation === 'listCustomers');
    expect(list).toMatchObject({ method: 'GET', path: '/api/v1/customers/', status: 200, tries: 1, uses: 1 });
    const text = JSON.stringify([calls, cost]);
    for (const value of ['cus_', 'canary-id', 'demo-', data.mine.firstName]) expect(text).not.toContain(value);
  });

  it('counts the tries of one call, names why there is no status, and says whether its connection was open', async () => {
    const { ask, fault } = await startExplained();
    const callOf = async () => (await ask(read)).extensions?.calls[0];
    expect(await callOf()).toMatchObject({ reused: false, tries: 1 });
    expect(await callOf()).toMatchObject({ reused: true });
    await fault({ operation: 'getCustomer', status: 503, count: 2 });
    expect(await callOf()).toMatchObject({ status: 200, tries: 3, fields: ['customer'] });
    await fault({ operation: 'getCustomer', cut: 'before', count: 3 });
    expect(await callOf()).toMatchObject({ reason: 'connection', tries: 3 });
  });

  it('tells of a call that was never sent no time on the wire', async () => {
    const environment = { UPSTREAM_CONNECTIONS: '1', REQUEST_TIMEOUT_MS: '300' };
    const { gateway } = await startScripted(() => ({ hang: true }), { environment });
    const document = '{ a: customer(id: "c1") { email } b: customer(id: "c2") { email } }';
    const { extensions } = await query(gateway, document, { headers: asking });
    expect(extensions.calls).toMatchObject([
      { reason: 'over', tries: 1 },
      { reason: 'over', tries: 0, wireMs: 0 },
    ]);
  });

  it('tells of a write its outcome, its evidence and what its key met', async () => {
    const { ask, fault } = await startExplained(storeInMemory);
    const write = async (document: string) =>
      (await ask(document)).extensions?.calls.map(({ outcome, evidence, key, tries }) => [
        outcome,
        evidence,
        key,
        tries,
      ]);
    const keyed = create('r1', 'idempotencyKey: "k-1"');
    expect(await write(keyed)).toEqual([['done', 'proven', 'new', 1]]);
    expect(await write(keyed)).toEqual([['done', 'proven', 'replayed', 0]]);
    // A key that refuses another input is not new.
    expect(await write(create('r3', 'idempotencyKey: "k-1"'))).toEqual([['not sent', undefined, undefined, 0]]);
    expect(await write(create('r1'))).toMatchObject([['refused', undefined, undefined, 1]]);
    await fault({ operation: 'createCustomer', cut: 'after' });
    expect(await write(create('r2'))).toEqual([['unknown', undefined, undefined, 1]]);
    const body = JSON.stringify({ success: true, data: { id: 'cus_0002', first_name: 'Ada' } });
    await fault({ operation: 'updateCustomer', status: 200, body });
    const update = 'mutation { updateCustomer(input: { id: "cus_0001", firstName: "Ada" }) { customer { id } } }';
    expect(await write(update)).toEqual([['unknown', 'foreign', undefined, 1]]);
  });

  it('has what was sent, never a credential or a key, where `requests` is asked for', async () => {
    const { ask } = await startExplained(storeInMemory);
    const asked = { ...asking, 'x-explain': 'requests' };
    const { extensions: written } = await ask(create('r1', 'idempotencyKey: "k-1"'), {}, asked);
    const [{ request } = {}] = written?.calls ?? [];
    expect(request?.path).toBe('/api/v1/customers/');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ first_name: 'Ada', reference: 'r1' });
    expect(JSON.stringify(written)).not.toMatch(/demo-|k-1/);
    expect((await ask(read, {}, asked)).extensions?.calls).toMatchObject([
      { path: '/api/v1/customers/{id}', request: { path: '/api/v1/customers/cus_0001' } },
    ]);
  });

  it('has a curl command of a call: its headers, the body’s type, and variables in place of credentials', async () => {
    const form = 'application/x-www-form-urlencoded';
    const headers = { 'X-Merchant': 'constant', 'Api-Version': '2026' };
    const { gateway, upstream } = await startScripted(() => ({ status: 404 }), {
      contract: { 'service.contentType': form, 'service.headers': headers },
      environment: { PRIVATE_KEY_HEADER: 'x-merchant' },
    });
    const asked = { 'x-merchant': 'test-key', 'x-explain': 'requests' };
    const { extensions } = await query(gateway, create('r1'), { headers: asked });
    const [{ request }] = extensions.calls;
    expect(request.curl).toBe(
      `curl -g -X POST '${upstream.url}/api/v1/customers/' -H 'accept: application/json' -H 'Api-Version: 2026' ` +
        `-H "x-merchant: $SVCPRIVATEKEY" -H 'content-type: ${form}' --data-raw '${request.body}'`,
    );
    expect(upstream.requests[0]).toMatchObject({ headers: { accept: ['application/json'], 'content-type': [form] } });
  });

  it('has a balance read anew after each write, which empties the request’s memory', async () => {
    const { ask } = await startExplained();
    const update =
      'updateCustomer(input: { id: "cus_0001", email: "b@example.com" }) { customer { balance { value { amount } } } }';
    const { extensions } = await ask(`mutation { ${update} again: ${update} }`);
    const entries = [['updateCustomer'], ['updateCustomer.customer.balance']].map((fields) => ({ fields, uses: 1 }));
    expect(extensions?.calls).toMatchObject([...entries, ...entries]);
  });

  it('shows what was refused for its cost, without a call', async () => {
    const { ask, journal } = await startExplained({ MAX_UPSTREAM_CALLS: '3' });
    const { extensions } = await ask('{ customers(first: 5) { nodes { balance { value { amount } } } } }');
    expect(extensions).toEqual({ calls: [], cost: { estimated: 6, maximum: 3 } });
    expect(await journal()).toEqual([]);
  });

  it('is there where it is asked for, in production only for the router', async () => {
    const secret = 'a-router-secret-that-is-long-enough';
    const [development, production] = [
      await startExplained(),
      await startExplained({ NODE_ENV: 'production', ROUTER_SECRET: secret }),
    ];
    for (const headers of [demo, { ...demo, 'x-explain': 'all' }])
      expect((await development.ask(read, {}, headers)).extensions).toBeUndefined();
    for (const headers of [asking, { ...asking, 'x-router-secret': 'wrong' }])
      expect((await production.ask(read, {}, headers)).extensions).toBeUndefined();
    const router = { ...asking, 'x-router-secret': secret };
    expect((await production.ask(read, {}, { ...router, 'x-explain': 'requests' })).extensions).toBeUndefined();
    const { extensions } = await production.ask(read, {}, router);
    expect(extensions?.calls).toMatchObject([{ operation: 'getCustomer', fields: ['customer'] }]);
  });
});
