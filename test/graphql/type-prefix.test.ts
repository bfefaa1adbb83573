import { describe, expect, it } from 'vitest';
import { codes, query, startScripted, storeInMemory } from '../support/gateway.ts';
import { failure, identifierIn, success, type SeenRequest } from '../support/upstream/upstream.ts';

const answerAll = ({ path }: SeenRequest) => success({ id: identifierIn(path), first_name: 'Ada', name: 'Main' });
const start = (TYPE_PREFIX: string, more = {}, script: Parameters<typeof startScripted>[0] = answerAll) =>
  startScripted(script, { environment: { TYPE_PREFIX, ...more } });

/** What GraphQL and federation define, and the two roots: the same under every prefix. */
const foreign =
  /^(?:__.*|_Any|_Entity|_Service|link__.*|federation__.*|Query|Mutation|ID|String|Boolean|Int|Float|_FieldSet)$/;
const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe('under TYPE_PREFIX', () => {
  it('every type and every root field is renamed, but for those of GraphQL and federation', async () => {
    const document =
      '{ schema: __schema { types { name } queryType { fields { name } } mutationType { fields { name } } } service: _service { sdl } }';
    const [{ gateway: plain }, { gateway: prefixed }] = [await start(''), await start('Settlement')];
    const [{ data: before }, { data: after }] = [await query(plain, document), await query(prefixed, document)];
    const expected = namesOf(before.schema.types).map((name) => (foreign.test(name) ? name : `Settlement${name}`));
    expect(namesOf(after.schema.types).toSorted()).toEqual(expected.toSorted());
    for (const root of ['queryType', 'mutationType']) {
      const fields = namesOf(before.schema[root].fields).map((name) =>
        name.startsWith('_') ? name : `settlement${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      );
      expect(namesOf(after.schema[root].fields)).toEqual(fields);
    }
    expect(after.service.sdl).toContain('type SettlementCustomer @key(fields: "id")');
    expect(after.service.sdl).not.toMatch(/[ [(](?:Customer|Money|PageInfo|Decimal|SettlementBank)\b/);
  });

  it.each([
    ['A', 'aCustomer'],
    ['ACMEPay', 'acmePayCustomer'],
    ['Pay2', 'pay2Customer'],
  ])('%s a customer is %s', async (name, field) => {
    const { gateway } = await start(name);
    const { data } = await query(gateway, `{ ${field}(id: "c1") { __typename firstName } }`);
    expect(data).toEqual({ [field]: { __typename: `${name}Customer`, firstName: 'Ada' } });
  });

  it('a reference is answered by its new name, and refused without a call by the old one, a neighbour’s perhaps', async () => {
    const { gateway, upstream } = await start('Settlement');
    const document = `query ($of: [_Any!]!) { found: _entities(representations: $of) {
      ... on SettlementCustomer { firstName } ... on SettlementSettlementBank { name }
    } }`;
    const names = ['SettlementCustomer', 'SettlementSettlementBank', 'Customer'];
    const of = names.map((__typename) => ({ __typename, id: 'x1' }));
    const answer = await query(gateway, document, { variables: { of } });
    expect([answer.data.found, codes(answer)]).toEqual([
      [{ firstName: 'Ada' }, { name: 'Main' }, null],
      ['BAD_USER_INPUT'],
    ]);
    expect(upstream.requests).toHaveLength(2);
  });

  it('a scalar is still checked, calls are still counted, and so are creates under one key', async () => {
    const { gateway, upstream } = await start('Settlement', { MAX_UPSTREAM_CALLS: '6', ...storeInMemory });
    const list = '{ settlementCustomers(first: 6) { nodes { id balance { value { amount } } } } }';
    expect((await query(gateway, list)).errors).toMatchObject([{ extensions: { estimated: 7, maximum: 6 } }]);
    const create = (name: string, amount: string) =>
      `${name}: settlementCreateOneTimeAccount(input: { customerId: "c1", amount: ${amount} }) { oneTimeAccount { id } }`;
    const headers = { svcprivatekey: 'test-key', 'idempotency-key': 'k-1' };
    const ask = async (...fields: readonly string[]) =>
      codes(await query(gateway, `mutation { ${fields.join(' ')} }`, { headers }));
    expect(await ask(create('one', '5'))).toEqual(['BAD_USER_INPUT']);
    expect(await ask(create('one', '"5.00"'), create('two', '"5.00"'))).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT']);
    expect(upstream.requests).toEqual([]);
    expect(await ask(create('one', '"5.00"'))).toEqual([]);
  });

  it('a write of unknown outcome says where to look by the new name', async () => {
    const { gateway } = await start('Settlement', {}, () => failure(500));
    const answer = await query(
      gateway,
      `mutation {
        a: settlementCreateCustomer(input: { reference: "r1" }) { userErrors { code } }
        b: settlementCreateVirtualAccount(input: { customerId: "c1" }) { userErrors { code } }
      }`,
    );
    expect(answer.errors.map(({ extensions }) => extensions['lookup'])).toEqual([
      { field: 'settlementCustomers', by: ['reference'] },
      { field: 'settlementCustomer.virtualAccounts', by: ['customerId'] },
    ]);
  });
});
