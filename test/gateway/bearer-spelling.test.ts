import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numbered } from '../support/create.ts';
import { codes, query, startGateway, startScripted } from '../support/gateway.ts';
import { failure, identifierIn, startUpstream, success, type SeenRequest } from '../support/upstream.ts';

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

  it('is one caller for admission, which has no more places for it in one spelling than in all', async () => {
    const upstream = await startUpstream(({ path }) =>
      path.endsWith('/held') ? { hang: true } : success({ id: identifierIn(path), name: 'Main' }),
    );
    const environment = {
      UPSTREAM_CONNECTIONS: '1000',
      MAX_CALLS_PER_CALLER: '1000',
      // Longer than the test, so that no place is free again before its end.
      UPSTREAM_TIMEOUT_MS: '120000',
      REQUEST_TIMEOUT_MS: '120000',
    };
    const gateway = await startGateway({ upstream: upstream.url, environment });
    // Before the gateway stops, which would else wait for its answers.
    onTestFinished(upstream.close);
    const ask = (id: string, index: number) => {
      const { authorization = '' } = spellings[index % spellings.length] ?? {};
      return query(gateway, `{ settlementBank(id: "${id}") { name } }`, { headers: { authorization } });
    };
    // As many as one caller may have in all, so that three callers would be far from it.
    const hold = async (index: number): Promise<void> => {
      // So many at once may make the process busy, which refuses some.
      while ((await ask('held', index).catch(() => undefined))?.status === 503) await setTimeout(100);
    };
    for (let index = 0; index < 250; index += 1) void hold(index);
    await expect.poll(() => upstream.requests.length, { timeout: 20_000 }).toBe(250);
    for (const [index] of spellings.entries())
      await expect.poll(async () => (await ask('b1', index)).status, { timeout: 8_000 }).toBe(503);
    const other = { authorization: 'Bearer other-token' };
    expect(codes(await query(gateway, '{ settlementBank(id: "b1") { name } }', { headers: other }))).toEqual([]);
  }, 60_000);
});

describe('a refreshed token', () => {
  it('is another caller, whose creates under the same idempotency key are sent again', async () => {
    const { gateway, upstream } = await startScripted(numbered());
    for (const authorization of ['Bearer old-token', 'Bearer new-token', 'Bearer old-token'])
      expect(codes(await query(gateway, bankOf('Main'), { headers: { authorization } }))).toEqual([]);
    expect(upstream.requests.map(authorizationOf)).toEqual([['Bearer old-token'], ['Bearer new-token']]);
  });
});
