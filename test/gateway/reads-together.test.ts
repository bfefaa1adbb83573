import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import { failure, identifierIn, pageOf, success, type Reply, type SeenRequest } from '../support/upstream.ts';

const screen = `{ customer(id: "c1") {
  firstName balance { value { amount } } transactions(first: 2) { nodes { id } } virtualAccounts { nodes { id } }
} }`;

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
    let open = (): void => {};
    const allThere = new Promise<void>((resolve) => {
      open = resolve;
    });
    let arrived = 0;
    const { gateway, upstream } = await startScripted(async (request) => {
      arrived += 1;
      if (arrived === 4) open();
      await allThere;
      return answerTo(request);
    });
    const { data, errors } = await query(gateway, screen);
    expect(errors).toEqual([]);
    expect(data.customer.balance.value.amount).toBe('1.00');
    expect(pathsOf(upstream)).toEqual(['c1', 'c1/balance', 'c1/transactions', 'c1/virtual-accounts']);
  });

  it.each([
    ['customer(id: "c1")', 'query { customer(id: "c1") { firstName balance { value { amount } } } }'],
    [
      '_entities',
      'query { _entities(representations: [{__typename: "Customer", id: "c1"}]) { ... on Customer { firstName balance { value { amount } } } } }',
    ],
  ])('of an unknown record are not shown, nor are their errors: %s', async (_, document) => {
    const { gateway, upstream } = await startScripted(({ path }) =>
      path.includes('/balance') ? { status: 500 } : failure(404),
    );
    const { data, errors } = await query(gateway, document);
    expect(errors).toEqual([]);
    expect(Object.values(data).flat()).toEqual([null]);
    expect(pathsOf(upstream)).toContain('c1/balance');
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

  it('answer as they do one after the other, errors included', { timeout: 60_000 }, async () => {
    // Every fourth address fails, so that records, balances and lists fail in all combinations.
    const script = (request: SeenRequest): Reply => {
      const sum = Buffer.from(request.path).reduce((total, byte) => total + byte, 0);
      if (sum % 4 === 0) return failure([404, 403, 422, 500][Math.floor(sum / 4) % 4] ?? 404);
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
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 3 }), fc.boolean(), async (records, on) => {
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
