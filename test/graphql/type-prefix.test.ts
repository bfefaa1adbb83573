import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import { identifierIn, failure, success, type SeenRequest } from '../support/upstream.ts';

const prefix = (name: string) => ({ environment: { TYPE_PREFIX: name } });
const settlement = prefix('Settlement');
const answerAll = ({ path }: SeenRequest) =>
  path.endsWith('/balance')
    ? success({ balance: '1.00' })
    : success({ id: identifierIn(path), first_name: 'Ada', name: 'Main' });

const typesDocument = `{ schema: __schema {
  types { name }
  queryType { name fields { name } }
  mutationType { name fields { name } }
} }`;
const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

/** What GraphQL and federation define, and the two roots: the same under every prefix. */
const foreign =
  /^(?:__.*|_Any|_Entity|_Service|link__.*|federation__.*|Query|Mutation|ID|String|Boolean|Int|Float|_FieldSet)$/;

describe('under TYPE_PREFIX', () => {
  it('every type and every root field is renamed, but for those of GraphQL and federation', async () => {
    const { gateway: plain } = await startScripted(answerAll);
    const { gateway: prefixed } = await startScripted(answerAll, settlement);
    const { data: before } = await query(plain, typesDocument);
    const { data: after } = await query(prefixed, typesDocument);
    const expected = namesOf(before.schema.types).map((name) => (foreign.test(name) ? name : `Settlement${name}`));
    expect(namesOf(after.schema.types).toSorted()).toEqual(expected.toSorted());
    expect(expected).toEqual(
      expect.arrayContaining(['SettlementMoney', 'SettlementDateTime', 'SettlementCustomerEdge']),
    );
    for (const root of ['queryType', 'mutationType']) {
      const fields = namesOf(before.schema[root].fields).map((name) =>
        name.startsWith('_') ? name : `settlement${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      );
      expect(namesOf(after.schema[root].fields)).toEqual(fields);
    }
  });

  it.each([
    ['A', 'aCustomer'],
    ['ACME', 'acmeCustomer'],
    ['ACMEPay', 'acmePayCustomer'],
    ['Pay2', 'pay2Customer'],
  ])('%s a customer is %s', async (name, field) => {
    const { gateway } = await startScripted(answerAll, prefix(name));
    const { data, errors } = await query(gateway, `{ ${field}(id: "c1") { __typename firstName } }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({ [field]: { __typename: `${name}Customer`, firstName: 'Ada' } });
  });

  it('_service tells the schema by the same names', async () => {
    const { gateway } = await startScripted(answerAll, settlement);
    const { data } = await query(gateway, '{ service: _service { sdl } }');
    expect(data.service.sdl).toContain('type SettlementCustomer @key(fields: "id")');
    expect(data.service.sdl).toContain('input: SettlementCreateCustomerInput!');
    expect(data.service.sdl).toContain('scalar SettlementDecimal');
    expect(data.service.sdl).not.toMatch(/[ [(](?:Customer|Money|PageInfo|Decimal|SettlementBank)\b/);
  });

  it('a reference is answered by its new name, and refused without a call by the old one, a neighbour’s perhaps', async () => {
    const { gateway, upstream } = await startScripted(answerAll, settlement);
    const document = `query ($of: [_Any!]!) { found: _entities(representations: $of) {
      ... on SettlementCustomer { firstName } ... on SettlementSettlementBank { name }
    } }`;
    const of = ['SettlementCustomer', 'SettlementSettlementBank', 'Customer'].map((name) => ({
      __typename: name,
      id: 'x1',
    }));
    const answer = await query(gateway, document, { variables: { of } });
    expect(answer.data.found).toEqual([{ firstName: 'Ada' }, { name: 'Main' }, null]);
    expect(codes(answer)).toEqual(['BAD_USER_INPUT']);
    expect(upstream.requests).toHaveLength(2);
  });

  it('an input is taken by its new type, and its scalars are still checked', async () => {
    const { gateway, upstream } = await startScripted(answerAll, settlement);
    const document = `mutation ($input: SettlementCreateOneTimeAccountInput!) {
      settlementCreateOneTimeAccount(input: $input) { oneTimeAccount { id } }
    }`;
    const taken = await query(gateway, document, { variables: { input: { customerId: 'c1', amount: '5.00' } } });
    const refused = await query(gateway, document, { variables: { input: { customerId: 'c1', amount: 5 } } });
    expect(taken.data.settlementCreateOneTimeAccount.oneTimeAccount).toEqual({ id: 'c1' });
    expect(codes(refused)).toEqual(['BAD_USER_INPUT']);
    expect(upstream.requests).toHaveLength(1);
  });

  it('a write of unknown outcome says where to look by the new name, and a one-time account nowhere', async () => {
    const { gateway } = await startScripted(() => failure(500), settlement);
    const writes: readonly [write: string, lookup: object | undefined][] = [
      ['CreateCustomer(input: { reference: "r1" })', { field: 'settlementCustomers', by: ['reference'] }],
      ['UpdateCustomer(input: { id: "c1", bvn: "" })', { field: 'settlementCustomer', by: ['id'] }],
      [
        'CreateVirtualAccount(input: { customerId: "c1" })',
        { field: 'settlementCustomer.virtualAccounts', by: ['customerId'] },
      ],
      [
        'CreateSettlementBank(input: { name: "Main" })',
        { field: 'settlementSettlementBanks', by: ['accountNumber', 'bankCode'] },
      ],
      ['CreateOneTimeAccount(input: { customerId: "c1" })', undefined],
    ];
    const document = writes.map(([write], at) => `w${at}: settlement${write} { userErrors { code } }`).join(' ');
    const answer = await query(gateway, `mutation { ${document} }`);
    expect(codes(answer)).toEqual(writes.map(() => 'OUTCOME_UNKNOWN'));
    expect(answer.errors.map(({ extensions }) => extensions['lookup'])).toEqual(writes.map(([, lookup]) => lookup));
  });

  it.each([
    ['a list', '{ settlementCustomers(first: 6) { nodes { id balance { value { amount } } } } }', 7],
    [
      'references',
      `{ _entities(representations: [${'{ __typename: "SettlementCustomer", id: "c1" } '.repeat(7)}]) {
      ... on SettlementCustomer { firstName }
    } }`,
      7,
    ],
  ])('the worst-case calls of %s are still known before anything is sent', async (_, document, estimated) => {
    const { gateway, upstream } = await startScripted(answerAll, {
      environment: { TYPE_PREFIX: 'Settlement', MAX_UPSTREAM_CALLS: '6' },
    });
    const { errors } = await query(gateway, document);
    expect(errors.map(({ extensions }) => extensions)).toMatchObject([
      { code: 'COST_ESTIMATED_TOO_EXPENSIVE', estimated, maximum: 6 },
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it('the header Idempotency-Key still counts creates', async () => {
    const { gateway, upstream } = await startScripted(answerAll, settlement);
    const create = (name: string) => `${name}: settlementCreateVirtualAccount(input: { customerId: "c1" }) {
      virtualAccount { id }
    }`;
    const headers = { svcprivatekey: 'test-key', 'idempotency-key': 'k-1' };
    const one = await query(gateway, `mutation { ${create('one')} }`, { headers });
    const two = await query(gateway, `mutation { ${create('one')} ${create('two')} }`, { headers });
    expect(one.errors).toEqual([]);
    expect(codes(two)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT']);
    expect(upstream.requests).toHaveLength(1);
  });
});
