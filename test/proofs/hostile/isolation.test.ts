import { beforeAll, expect, it } from 'vitest';
import { createTrustedAuthority, type Authority } from '../../support/certificates.ts';
import { askAsCrowd, type Question } from './crowd.ts';
import { startGateway, storeInMemory } from '../../support/gateway.ts';
import { manifestOf, writeTemporary } from '../../support/manifest.ts';
import { createCallers, foreignMarks, startMarkingUpstream } from './marks.ts';
import { record, scaled } from '../evidence.ts';

const callers = createCallers(50);
let authority: Authority;

const tool = 'query OwnCustomer($id: ID!) { customer(id: $id) { id firstName reference } }';
const questions: readonly Question[] = [
  ['{ customer(id: "OWN-1") { id firstName reference } }', 2],
  ['{ customers(first: 2) { nodes { id firstName reference } } }', 6],
  ['{ settlementBank(id: "OWN-2") { id name } customer(id: "OWN-2") { reference } }', 2],
  [
    `{ customer(id: "OWN-3") { reference balance { value { amount } }
      virtualAccounts(first: 2) { nodes { id bankName } } transactions(first: 2) { nodes { reference } } } }`,
    7,
  ],
  [
    `mutation { updateCustomer(input: { id: "OWN-4", firstName: "Ada" }) { customer { firstName } }
      createVirtualAccount(input: { customerId: "OWN-5" }) { virtualAccount { bankName } } }`,
    2,
  ],
  [
    `{ _entities(representations: [{ __typename: "Customer", id: "OWN-6" }, { __typename: "SettlementBank", id: "OWN-7" }])
      { ... on Customer { reference } ... on SettlementBank { name } } }`,
    2,
  ],
  // As structured content, and as text.
  [{ tool: 'own_customer', id: 'OWN-8' }, 4],
  // The same key from everybody, and the same input: who repeats it is answered out of the store.
  ['mutation { createCustomer(input: { reference: "r", idempotencyKey: "same-key" }) { customer { firstName } } }', 1],
];

beforeAll(async () => {
  authority = await createTrustedAuthority();
});

it.each([
  ['http', 100_000],
  ['https', 20_000],
])(
  'keeps what fifty callers are answered apart over %s while some of them leave early',
  async (scheme, all) => {
    const requests = scaled(all);
    const upstream = await startMarkingUpstream(scheme === 'https' ? await authority.sign() : undefined);
    const manifest = await writeTemporary('manifest.json', manifestOf([tool]));
    const environment = { ...storeInMemory, MCP: '1', TRUSTED_DOCUMENTS: manifest };
    const gateway = await startGateway({ upstream: upstream.url, environment });
    const { answered, left, marks, foreign, incomplete } = await askAsCrowd(gateway.url, callers, questions, requests);
    const counted = `${requests} requests of 50 callers, ${left} left early, ${marks} marks compared`;
    record(
      `Callers are kept apart: ${scheme}`,
      `${counted}: ${foreign} foreign, ${upstream.misdirected()} calls misdirected, ${upstream.creates()} creates for one key of all`,
    );
    expect({ foreign, incomplete, misdirected: upstream.misdirected() }).toEqual({
      foreign: 0,
      incomplete: {},
      misdirected: 0,
    });
    expect(upstream.creates()).toBe(callers.length);
    expect(left).toBeGreaterThan(0);
    expect(answered + left).toBe(requests);
  },
  600_000,
);

it('would find a single foreign mark among a caller’s own', () => {
  const [own, other] = callers;
  const [ownMark = ''] = own?.marks ?? [];
  const [foreignMark = ''] = other?.marks ?? [];
  const text = JSON.stringify({ data: { a: { name: ownMark }, b: { name: foreignMark }, c: { name: ownMark } } });
  expect(callers.slice(0, 2).map((caller) => foreignMarks(text, caller))).toEqual([[foreignMark], [ownMark, ownMark]]);
});
