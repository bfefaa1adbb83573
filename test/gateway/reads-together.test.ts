import type { ServerResponse } from 'node:http';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { codes, credentials, query, startGateway, startScripted } from '../support/gateway.ts';
import { startHeldUpstream } from '../support/upstream/held-upstream.ts';
import { askAndLeave } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { createGate } from '../support/create.ts';
import { failure, identifierIn, pageOf, success, type Reply, type SeenRequest } from '../support/upstream/upstream.ts';

const screen = `{ customer(id: "c1") {
  firstName balance { value { amount } } transactions(first: 2) { nodes { id } } virtualAccounts { nodes { id } }
} }`;

type Rows = Readonly<Record<string, unknown>>;

/** The records of one customer; its own values name the identifier that they were asked by. */
function answerTo({ path }: SeenRequest, id = identifierIn(path)): Reply {
  const asked = identifierIn(path);
  if (path.includes('/balance')) return success({ balance: asked === 'c1' ? '1.00' : '2.00', currency: 'NGN' });
  if (path.includes('/transactions') || path.includes('/virtual-accounts')) {
    return pageOf([{ id: `${asked}-1`, amount: '5.00', currency: 'NGN' }], path);
  }
  return success({ id, reference: asked, first_name: 'Ada', wallet: { balance: '3.00', currency: 'NGN' } });
}

const pathsOf = (upstream: { readonly requests: readonly SeenRequest[] }) =>
  upstream.requests.map(({ path }) => path.replace('/api/v1/customers/', '').replace(/\?.*/, '')).sort();

describe('reads below a customer', () => {
  it('go out together with the record: all four are under way before one is answered', async () => {
    let arrived = 0;
    const { gateway, upstream } = await startScripted(async (request) => {
      arrived += 1;
      await vi.waitUntil(() => arrived === 4, { timeout: 5_000 });
      return answerTo(request);
    });
    const { data, errors } = await query(gateway, screen);
    expect(errors).toEqual([]);
    expect(data.customer.balance.value.amount).toBe('1.00');
    expect(pathsOf(upstream)).toEqual(['c1', 'c1/balance', 'c1/transactions', 'c1/virtual-accounts']);
  });

  it('are made again by the own id of a record that was asked for by another identifier', async () => {
    const { gateway, upstream } = await startScripted((request) => answerTo(request, 'c1'), {
      environment: { MAX_UPSTREAM_CALLS: '4' },
    });
    const { data, errors } = await query(gateway, screen.replace('"c1"', '"ref-1"'));
    expect(errors).toEqual([]);
    expect(data.customer).toMatchObject({
      balance: { value: { amount: '1.00' } },
      transactions: { nodes: [{ id: 'c1-1' }] },
    });
    expect(pathsOf(upstream).filter((path) => path.startsWith('c1/'))).toEqual([
      'c1/balance',
      'c1/transactions',
      'c1/virtual-accounts',
    ]);
  });

  it('wait for the record where the contract says so', async () => {
    const contract = { 'customer.readsTogether': false };
    const { gateway, upstream } = await startScripted(() => failure(404), { contract });
    expect((await query(gateway, screen)).data).toEqual({ customer: null });
    expect(pathsOf(upstream)).toEqual(['c1']);
  });

  it.each<readonly [string, object]>([
    ['a balance that the record carries', { contract: { 'customer.balance': ['/wallet'] } }],
    ['a balance whose unit is undecided', { undecided: true }],
  ])('leave out %s', async (_, options) => {
    const { gateway, upstream } = await startScripted((request) => answerTo(request), options);
    await query(gateway, '{ customer(id: "c1") { firstName balance { value { amount } } } }');
    expect(pathsOf(upstream)).toEqual(['c1']);
  });

  it('do not end the use of a credential by a 401 that nobody asked for', async () => {
    const { gateway } = await startScripted((request) =>
      request.path.includes('/ref-1/') ? failure(401) : answerTo(request, 'c1'),
    );
    const { data, errors } = await query(gateway, screen.replace('"c1"', '"ref-1"'));
    expect(errors).toEqual([]);
    expect(data.customer.balance.value.amount).toBe('1.00');
  });

  it('run to their end where the record turns out to be unknown, so that no connection is lost', async () => {
    const gate = createGate();
    let arrived = 0;
    const { gateway, upstream } = await startScripted(async ({ path }) => {
      arrived += 1;
      if (path.includes('/c1/')) await gate.pass();
      else await vi.waitUntil(() => arrived === 4, { timeout: 5_000 });
      return failure(404);
    });
    const ends: string[] = [];
    upstream.server.on('request', (_, response: ServerResponse) =>
      response.once('close', () => ends.push(response.writableFinished ? 'whole' : 'cut')),
    );
    expect((await query(gateway, screen)).data).toEqual({ customer: null });
    // By then a call that is cut has been.
    await new Promise((resolve) => setTimeout(resolve, 200));
    gate.open();
    await expect.poll(() => ends.toSorted()).toEqual(['whole', 'whole', 'whole', 'whole']);
  });

  it('are cut with the record where the client leaves', async () => {
    const upstream = await startHeldUpstream();
    const environment = { REQUEST_TIMEOUT_MS: '60000', UPSTREAM_TIMEOUT_MS: '60000' };
    const gateway = await startGateway({ upstream: upstream.url, environment });
    const leaving = new AbortController();
    const left = askAndLeave(gateway, screen, leaving.signal);
    const held = await Promise.all(Array.from({ length: 4 }, () => upstream.next()));
    leaving.abort();
    await left;
    expect(await Promise.all(held.map(({ ended }) => ended))).toEqual(held.map(() => ({ answered: false })));
  });

  it.each<readonly [string, Rows, Readonly<Record<string, string>>]>([
    ['the contract does not say what identifies it', { 'customer.identifiedBy': 'undecided' }, credentials],
    [
      'it needs a credential that is missing',
      { 'getCustomerBalance.credentials': ['bearer'], 'listCustomerTransactions.credentials': ['bearer'] },
      { authorization: credentials.authorization },
    ],
  ])('are not sent where the record itself is refused: %s', async (_, contract, headers) => {
    const { log, lines } = captureLog();
    const script = async ({ path }: SeenRequest): Promise<Reply> => {
      if (path.includes('/settlement-banks')) await new Promise((resolve) => setTimeout(resolve, 100));
      return pageOf([], path);
    };
    const { gateway, upstream } = await startScripted(script, { contract, log });
    const fields = 'firstName balance { value { amount } } transactions { totalCount }';
    await query(gateway, `{ customer(id: "c1") { ${fields} } settlementBanks { totalCount } }`, { headers });
    expect(upstream.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual(['/api/v1/settlement-banks/']);
    expect(lines.join('')).not.toContain('"getCustomerBalance"');
  });

  it('are made again where the answer to one is that to another question', async () => {
    const contract = { 'balance.customerId': ['/customer_id'], 'transaction.customerId': ['/customer_id'] };
    const asked = new Set<string>();
    const script = ({ path }: SeenRequest): Reply => {
      const customerId = asked.has(path) ? 'c1' : 'c2';
      asked.add(path);
      if (path.includes('/balance')) return success({ balance: '1.00', customer_id: customerId });
      if (path.includes('/transactions')) return pageOf([{ id: 't1', amount: '5.00', customer_id: customerId }], path);
      return success({ id: 'c1', first_name: 'Ada' });
    };
    const { gateway, upstream } = await startScripted(script, { contract });
    const fields = 'balance { value { amount } } transactions { nodes { id } }';
    const { data, errors } = await query(gateway, `{ customer(id: "c1") { firstName ${fields} } }`);
    expect(errors).toEqual([]);
    expect(data.customer).toMatchObject({
      balance: { value: { amount: '1.00' } },
      transactions: { nodes: [{ id: 't1' }] },
    });
    expect(pathsOf(upstream)).toEqual(['c1', 'c1/balance', 'c1/balance', 'c1/transactions', 'c1/transactions']);
  });

  const paged = (path: string, size: number): Reply =>
    pageOf(
      Array.from({ length: 90 }, (_, index) => ({ id: `t${index}`, amount: '1.00' })),
      path,
      size,
    );

  it.each([true, false])(
    'send nothing more after a 401 that a needed field got, before the record or after it: together %s',
    async (together) => {
      const { log, lines } = captureLog();
      const hasEnded = (operation: string) => lines.some((line) => line.includes(`"operation":"${operation}"`));
      const script = async (request: SeenRequest): Promise<Reply> => {
        if (request.path.includes('/balance')) return failure(401);
        if (!request.path.includes('/transactions')) return answerTo(request);
        await vi.waitUntil(() => hasEnded('getCustomer') && hasEnded('getCustomerBalance'), { timeout: 5_000 });
        return paged(request.path, 10);
      };
      const options = { contract: { 'customer.readsTogether': together }, log };
      const { gateway, upstream } = await startScripted(script, options);
      const fields = 'balance { value { amount } } transactions(first: 50) { nodes { id } }';
      const { errors } = await query(gateway, `{ customer(id: "c1") { firstName ${fields} } }`);
      const told = errors.map(({ path, extensions }) => `${path?.join('.')} ${String(extensions['code'])}`);
      expect(told.toSorted()).toEqual(['customer.balance UNAUTHENTICATED', 'customer.transactions UNAUTHENTICATED']);
      expect(pathsOf(upstream)).toEqual(['c1', 'c1/balance', 'c1/transactions']);
    },
  );

  it('fail for no budget: one that is beyond it is made where it is needed', async () => {
    const script = (request: SeenRequest): Reply =>
      request.path.includes('/transactions') ? paged(request.path, 10) : answerTo(request, 'c1');
    const { gateway } = await startScripted(script, { environment: { MAX_UPSTREAM_CALLS: '8' } });
    const fields = '{ firstName transactions(first: 40) { totalCount nodes { id } } }';
    const names = ['ref-1', 'ref-2', 'c1'].map((id, index) => `c${index}: customer(id: "${id}") ${fields}`);
    const { data, errors } = await query(gateway, `{ ${names.join(' ')} }`);
    expect(errors).toEqual([]);
    expect(data.c2.transactions.nodes).toHaveLength(40);
  });

  it('of the largest operation find room to wait, however few connections there are', async () => {
    const script = (request: SeenRequest): Reply => answerTo(request, identifierIn(request.path).replace('ref-', 'c'));
    const { gateway } = await startScripted(script, { environment: { UPSTREAM_CONNECTIONS: '4' } });
    const r = Array.from({ length: 66 }, (_, index) => ({ __typename: 'Customer', id: `ref-${index}` }));
    const fields = 'firstName balance { value { amount } } transactions { totalCount }';
    const document = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Customer { ${fields} } } }`;
    expect(codes(await query(gateway, document, { variables: { r } }))).toEqual([]);
  });

  it.each([
    [3, [404, 403, 422, 500]],
    // A 401 of one record may come before the calls of another, or after them.
    [1, [401, 403, 401, 500]],
  ])('answer as they do one after the other, errors included: up to %d records, %j', async (maxLength, statuses) => {
    // Every fourth address fails, so that records, balances and lists fail in all combinations.
    const script = (request: SeenRequest): Reply => {
      const sum = Buffer.from(request.path).reduce((total, byte) => total + byte, 0);
      if (sum % 4 === 0) return failure(statuses[Math.floor(sum / 4) % 4] ?? 404);
      return answerTo(request, identifierIn(request.path).replace('ref-', 'c'));
    };
    const together = await startScripted(script);
    const inTurn = await startScripted(script, { contract: { 'customer.readsTogether': false } });
    const field = fc.constantFrom(
      'firstName',
      'reference',
      'balance { value { amount } }',
      'transactions(first: 2) { nodes { id } totalCount }',
      'more: transactions(first: 7) { nodes { id amount { amount } } }',
      'transactions(first: 0) { totalCount }',
      'virtualAccounts @include(if: $on) { nodes { id } }',
      '... on Customer @skip(if: $on) { virtualAccounts(first: 3) { totalCount } }',
    );
    const record = fc.record({
      id: fc.constantFrom('c1', 'c2', 'c3', 'ref-1', 'ref-4', 'c5/..'),
      fields: fc.uniqueArray(field, { minLength: 1, maxLength: 4 }),
      isEntity: fc.boolean(),
    });
    const comparable = ({ data, errors }: Awaited<ReturnType<typeof query>>) => ({
      data,
      errors: errors
        .map(({ message, path, extensions }) => JSON.stringify({ message, path, ...extensions, requestId: undefined }))
        .sort(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength }), fc.boolean(), async (records, on) => {
        const fields = records.map(({ id, fields: selected, isEntity }, index) => {
          const selection = `id ${selected.join(' ')}`;
          return isEntity
            ? `e${index}: _entities(representations: [{__typename: "Customer", id: "${id}"}]) { ... on Customer { ${selection} } }`
            : `c${index}: customer(id: "${id}") { ${selection} }`;
        });
        const text = `query Q($on: Boolean!) { ${fields.join(' ')} __typename @skip(if: $on) }`;
        const answers = await Promise.all(
          [together, inTurn].map(async ({ gateway }) => query(gateway, text, { variables: { on } })),
        );
        const [first, second] = answers.map((answer) => ({ ...comparable(answer) }));
        expect(first).toEqual(second);
      }),
      { seed: 20_260_101, numRuns: 100 },
    );
    expect(together.upstream.requests.length).toBeGreaterThan(inTurn.upstream.requests.length);
    expect(codes(await query(together.gateway, '{ customer(id: "c5/..") { balance { value { amount } } } }'))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });
});
