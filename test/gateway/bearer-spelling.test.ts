import { describe, expect, it } from 'vitest';
import { createCustomer, createGate, numbered } from '../support/create.ts';
import { codes, query, startScripted, type GraphQLAnswer } from '../support/gateway.ts';
import { failure, identifierIn, success, type SeenRequest } from '../support/upstream.ts';

const schemes = ['Bearer', 'bearer', 'BEARER'];
const spellings = schemes.map((scheme) => ({ authorization: `${scheme} test-token`, svcprivatekey: 'test-key' }));
const bankOf = (name: string) =>
  `mutation { createSettlementBank(input: { name: "${name}", idempotencyKey: "key" }) { settlementBank { id } } }`;
const authorizationOf = ({ headers }: SeenRequest) => headers['authorization'];

describe('one token in three spellings of its scheme', () => {
  it('is one caller of one idempotency key: one POST and one answer', async () => {
    const { gateway, upstream } = await startScripted(numbered());
    const answers = [];
    for (const { authorization } of spellings)
      answers.push(await query(gateway, bankOf('Main'), { headers: { authorization } }));
    expect(answers.map(({ data, errors }) => [data.createSettlementBank, errors])).toEqual(
      schemes.map(() => [{ settlementBank: { id: 'c1' } }, []]),
    );
    expect(upstream.requests.map(authorizationOf)).toEqual([['Bearer test-token']]);
  });

  it('is one caller of the key of an operation that needs both credentials', async () => {
    const { gateway, upstream } = await startScripted(numbered(), {
      contract: { 'createCustomer.credentials': ['bearer', 'privateKey'] },
    });
    const answers = [];
    for (const headers of spellings) answers.push(await createCustomer(gateway, { key: 'key', headers }));
    expect(answers.map(({ data }) => data.createCustomer.customer.id)).toEqual(['c1', 'c1', 'c1']);
    expect(upstream.requests.map(authorizationOf)).toEqual([['Bearer test-token']]);
  });

  it('reaches the service as `Bearer` in each', async () => {
    const { gateway, upstream } = await startScripted(({ path }) => success({ id: identifierIn(path), name: 'Main' }));
    for (const headers of spellings) await query(gateway, '{ settlementBank(id: "b1") { name } }', { headers });
    expect(upstream.requests.map(authorizationOf)).toEqual(schemes.map(() => ['Bearer test-token']));
  });

  const bank = 'bank: updateSettlementBank(input: { id: "b1" }) { settlementBank { id } }';
  const customer = 'customer: updateCustomer(input: { id: "c1" }) { customer { id } }';

  it.each<readonly [string, string, readonly Readonly<Record<string, string>>[]]>([
    ['with its private key', `mutation { ${customer} ${bank} }`, spellings],
    [
      'alone',
      `mutation { ${bank} again: ${bank.slice(6)} }`,
      spellings.map(({ authorization }) => ({ authorization })),
    ],
  ])(
    'is one caller for the throttle, whose failing calls are refused and nobody else’s: %s',
    async (_, document, headers) => {
      const { gateway } = await startScripted((request) =>
        JSON.stringify(request.headers).includes('test-') ? failure(503) : success({ id: 'c1', type: 'wallet' }),
      );
      const askOther = () =>
        query(gateway, '{ customer(id: "c1") { type } }', { headers: { svcprivatekey: 'other-key' } });
      const seen: unknown[] = [];
      for (let turn = 0; turn < 10; turn += 1)
        for (const spelling of headers) seen.push(...codes(await query(gateway, document, { headers: spelling })));
      // Three callers would have 20 calls each.
      expect(seen.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'OUTCOME_UNKNOWN'));
      expect(seen).toContain('UPSTREAM_UNAVAILABLE');
      expect(codes(await askOther())).toEqual([]);
    },
  );

  it('is one caller in the queue, with and without its private key', async () => {
    const gate = createGate();
    const { gateway, upstream } = await startScripted(
      async ({ path }) => {
        if (!path.endsWith('/control')) await gate.pass();
        return success({ id: identifierIn(path), type: 'wallet', name: 'Main' });
      },
      { environment: { MAX_CALLS_PER_CALLER: '1' } },
    );
    const waiting: Promise<GraphQLAnswer>[] = [];
    const ask = async (document: string, headers: Readonly<Record<string, string>>): Promise<void> => {
      waiting.push(query(gateway, document, { headers }));
      // A call of another caller that is answered shows that those before have been sent or wait.
      await query(gateway, '{ customer(id: "control") { type } }', { headers: { svcprivatekey: 'control' } });
    };
    for (const headers of spellings)
      await ask('{ customer(id: "c1") { type } settlementBank(id: "b1") { name } }', headers);
    for (const { authorization } of spellings) await ask('{ settlementBank(id: "b2") { name } }', { authorization });
    expect(upstream.requests.filter(({ path }) => !path.endsWith('/control'))).toHaveLength(1);
    gate.open();
    for (const answer of waiting) expect(codes(await answer)).toEqual([]);
  });
});

describe('a refreshed token', () => {
  it('is another caller, whose creates under the same idempotency key are sent again', async () => {
    const { gateway, upstream } = await startScripted(numbered());
    for (const authorization of ['Bearer old-token', 'Bearer new-token', 'Bearer old-token'])
      expect(codes(await query(gateway, bankOf('Main'), { headers: { authorization } }))).toEqual([]);
    expect(upstream.requests.map(authorizationOf)).toEqual([['Bearer old-token'], ['Bearer new-token']]);
  });
});
