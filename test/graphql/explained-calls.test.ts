import { describe, expect, it } from 'vitest';
import { asking, demo, startExplained, type ExplainedCall } from '../support/explained.ts';
import { query, startScripted } from '../support/gateway.ts';

const secret = 'a-router-secret-that-is-long-enough';
const production = {
  NODE_ENV: 'production',
  ROUTER_SECRET: secret,
};
const create = (reference: string, key = '') => `mutation { createCustomer(input: {
  firstName: "Ada", lastName: "Canary", nin: "00000000000", dateOfBirth: "1990-01-01", phone: "+2340000000000",
  email: "ada@example.com", type: "wallet", collectionWalletId: "w", reference: "${reference}" ${key} }) { customer { id } } }`;
const operationsOf = (calls: readonly ExplainedCall[]) =>
  calls.flatMap(({ operation, tries }) => Array<string>(tries).fill(operation));
const writeOf = ({ outcome, evidence, key, tries }: ExplainedCall) => ({ outcome, evidence, key, tries });
const endOf = ({ startMs, waitMs, wireMs, decodeMs }: ExplainedCall) => startMs + waitMs + wireMs + decodeMs;

describe('extensions.calls', () => {
  it('has an entry for each call, with every field that it fed by the schema’s names, and no value', async () => {
    const { ask, journal } = await startExplained();
    const document = `query ($id: ID!) {
      mine: customer(id: $id) { firstName money: balance { value { amount } } }
      customers(first: 3) { nodes { balance { value { amount } } } edges { node { again: balance { value { currency } } } } }
      nobody: customer(id: "canary-id") { email balance { value { amount } } }
    }`;
    const { data, extensions: { calls = [], cost } = {} } = await ask(document, { id: 'cus_0001' });
    expect(calls.filter((call) => Math.min(call.waitMs, call.wireMs, call.decodeMs) < 0)).toEqual([]);
    expect(operationsOf(calls).toSorted()).toEqual((await journal()).toSorted());
    expect(calls).toHaveLength(7);
    expect(cost).toEqual({ estimated: 11, maximum: 200 });
    const balances = calls.filter(({ operation }) => operation === 'getCustomerBalance');
    const below = ['customers.nodes.balance', 'customers.edges.node.balance'];
    expect(balances.map(({ fields, uses }) => [fields, uses])).toEqual([
      [['customer.balance', ...below], 3],
      // Read ahead for a customer who does not exist.
      [['customer.balance'], 0],
      [below, 2],
      [below, 2],
    ]);
    const list = calls.find(({ operation }) => operation === 'listCustomers');
    expect(list).toMatchObject({ method: 'GET', path: '/api/v1/customers/', status: 200, tries: 1, uses: 1 });
    // Bars at their true offsets: what hangs below a list begins after it has ended (to a hundredth of a millisecond).
    expect(balances[2]?.startMs).toBeGreaterThan((list === undefined ? 0 : endOf(list)) - 0.05);
    const text = JSON.stringify([calls, cost]);
    for (const value of ['cus_', 'canary-id', 'demo-', data.mine.firstName]) expect(text).not.toContain(value);
  });

  it('counts the tries of one call, and names why there is no status', async () => {
    const { ask, fault, journal } = await startExplained();
    await fault({ operation: 'getCustomer', status: 503, count: 2 });
    const { extensions } = await ask('{ customer(id: "cus_0001") { email } }');
    expect(extensions?.calls).toMatchObject([{ status: 200, tries: 3, fields: ['customer'] }]);
    expect(await journal()).toHaveLength(3);
    await fault({ operation: 'getCustomer', cut: 'before', count: 3 });
    const cut = await ask('{ customer(id: "cus_0001") { email } }');
    expect(cut.extensions?.calls).toMatchObject([{ reason: 'connection', tries: 3 }]);
  });

  it('tells of a call that was never sent no time on the wire', async () => {
    const environment = { UPSTREAM_CONNECTIONS: '1', REQUEST_TIMEOUT_MS: '300' };
    const { gateway } = await startScripted(() => ({ hang: true }), { environment });
    // The end of the request ends the second call, which began to wait after the first was sent, before the first.
    const document = '{ a: customer(id: "c1") { email } b: customer(id: "c2") { email } }';
    const { extensions } = await query(gateway, document, { headers: asking });
    expect(extensions.calls).toMatchObject([
      { reason: 'over', tries: 1 },
      { reason: 'over', tries: 0, wireMs: 0 },
    ]);
  });

  it('counts the time of a write that is on the wire when the answer goes out', async () => {
    const environment = { UPSTREAM_TIMEOUT_MS: '600', REQUEST_TIMEOUT_MS: '1000' };
    const { gateway } = await startScripted(() => ({ hang: true }), { environment });
    const update = 'updateCustomer(input: { id: "c1", email: "a@example.com" }) { customer { id } }';
    // The second write is sent when the time of the first one is up, and has time beyond that of the request.
    const { extensions } = await query(gateway, `mutation { a: ${update} b: ${update} }`, { headers: asking });
    const [, { reason, outcome, waitMs, wireMs }] = extensions.calls;
    expect([reason, outcome]).toEqual(['unfinished', 'unknown']);
    expect(wireMs).toBeGreaterThan(waitMs);
  });

  it('tells whether the connection of a call was open before it', async () => {
    const { ask } = await startExplained();
    for (const reused of [false, true]) {
      const { extensions } = await ask('{ customer(id: "cus_0001") { email } }');
      expect(extensions?.calls).toMatchObject([{ reused }]);
    }
  });

  it('tells of a write its outcome, its evidence and what its key met', async () => {
    const { ask, fault } = await startExplained();
    const write = async (document: string) => {
      const { extensions } = await ask(document);
      return (extensions?.calls ?? []).map(writeOf);
    };
    const keyed = create('r1', 'idempotencyKey: "k-1"');
    await fault({ operation: 'createCustomer', latencyMs: 100 });
    const both = await Promise.all([write(keyed), write(keyed)]);
    const done = { outcome: 'done', evidence: 'proven' };
    expect(both.flat().toSorted((one, other) => other.tries - one.tries)).toEqual([
      { ...done, key: 'new', tries: 1 },
      { ...done, key: 'in flight', tries: 0 },
    ]);
    expect(await write(keyed)).toEqual([{ ...done, key: 'replayed', tries: 0 }]);
    // A key that refuses another input is not new.
    expect(await write(create('r3', 'idempotencyKey: "k-1"'))).toEqual([{ outcome: 'not sent', tries: 0 }]);
    expect(await write(create('r1'))).toMatchObject([{ outcome: 'refused', tries: 1 }]);
    await fault({ operation: 'createCustomer', cut: 'after' });
    expect(await write(create('r2'))).toEqual([{ outcome: 'unknown', tries: 1 }]);
    const read =
      'updateCustomer(input: { id: "cus_0001", email: "b@example.com" }) { customer { balance { value { amount } } } }';
    // A write empties the request's memory, so the second balance is a call of its own.
    const { extensions } = await ask(`mutation { ${read} again: ${read} }`);
    const entries = [['updateCustomer'], ['updateCustomer.customer.balance']].map((fields) => ({ fields, uses: 1 }));
    expect(extensions?.calls).toMatchObject([...entries, ...entries]);
  });

  it('tells of an update that shows another record that this proves nothing', async () => {
    const { ask, fault } = await startExplained();
    const body = JSON.stringify({ success: true, data: { id: 'cus_0002', first_name: 'Ada' } });
    await fault({ operation: 'updateCustomer', status: 200, body });
    const { extensions } = await ask(
      'mutation { updateCustomer(input: { id: "cus_0001", firstName: "Ada" }) { customer { id } } }',
    );
    expect(extensions?.calls).toMatchObject([{ outcome: 'unknown', evidence: 'foreign' }]);
  });

  it('shows what was refused for its cost, without a call', async () => {
    const { ask, journal } = await startExplained({ MAX_UPSTREAM_CALLS: '3' });
    const { extensions } = await ask('{ customers(first: 5) { nodes { balance { value { amount } } } } }');
    expect(extensions).toEqual({ calls: [], cost: { estimated: 6, maximum: 3 } });
    expect(await journal()).toEqual([]);
  });

  it('is there where it is asked for, in production only for the router', async () => {
    const { ask } = await startExplained();
    const document = '{ settlementBank(id: "stb_0001") { name } }';
    expect((await ask(document, {}, demo)).extensions).toBeUndefined();
    expect((await ask(document, {}, { ...demo, 'x-explain': 'all' })).extensions).toBeUndefined();
    const { ask: inProduction } = await startExplained(production);
    expect((await inProduction(document)).extensions).toBeUndefined();
    expect((await inProduction(document, {}, { ...asking, 'x-router-secret': 'wrong' })).extensions).toBeUndefined();
    const { extensions } = await inProduction(document, {}, { ...asking, 'x-router-secret': secret });
    expect(extensions?.calls).toMatchObject([{ operation: 'getSettlementBank', fields: ['settlementBank'] }]);
  });
});
