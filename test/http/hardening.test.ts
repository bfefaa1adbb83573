import { describe, expect, it } from 'vitest';
import { startGated } from '../support/create.ts';
import { captureLog } from '../support/log.ts';
import { codes, query, startScripted } from '../support/gateway.ts';
import { askAndLeave } from '../support/http.ts';
import { failure, success } from '../support/upstream.ts';

const create =
  'mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } userErrors { code message } } }';

describe('a text made to be slow to search', () => {
  it('is answered at once as the longest name of a field', async () => {
    const { gateway } = await startScripted(() => success({ id: 'c1' }));
    const answer = await query(gateway, `{ ${'a'.repeat(32_000)} }`);
    expect(codes(answer)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(answer.errors[0]?.message.length).toBeLessThanOrEqual(300);
  });

  it.each(['a'.repeat(1_000_000), 'a@'.repeat(200_000), 'http'.repeat(200_000), '1 '.repeat(300_000)])(
    'is cut before it is cleaned as the reason of a refusal',
    async (message) => {
      const { gateway } = await startScripted(() => failure(422, message));
      const { data } = await query(gateway, create, { variables: { input: { firstName: 'Ada' } } });
      expect(data.createCustomer.userErrors[0].message.length).toBeLessThanOrEqual(300);
    },
  );

  it('is compared at once as a value that was sent', async () => {
    const firstName = `1.${'0'.repeat(100_000)}1`;
    const { gateway } = await startScripted(() => success({ id: 'c1', first_name: firstName }));
    const { data } = await query(gateway, create, { variables: { input: { firstName } } });
    expect(data.createCustomer.customer).toEqual({ id: 'c1' });
  });

  it.each([
    ['for many words', 'ǖ'.repeat(1_200_000), 'q '.repeat(127)],
    ['for one word', '\u0316\u0300'.repeat(200_000), 'q'],
  ])('is searched at once %s', { timeout: 5_000 }, async (_, first_name, search) => {
    const contract = { 'listCustomers.search': 'search' };
    const { gateway } = await startScripted(() => success([{ id: 'c1', first_name, last_name: 'q' }]), { contract });
    const document = 'query ($search: String) { customers(search: $search) { nodes { id } } }';
    const { data } = await query(gateway, document, { variables: { search } });
    expect(data.customers.nodes).toEqual([{ id: 'c1' }]);
  });

  it.each([
    ['accents', '\u0316\u0300'],
    ['accents and half-width marks', '\uFF9F\u0300'],
  ])('is taken out at once of the reasons of a refusal: %s', { timeout: 5_000 }, async (_, marks) => {
    const text = marks.repeat(4_900);
    const errors = Array.from({ length: 50 }, () => ({ field: 'first_name', message: `Not ${text}` }));
    const { gateway } = await startScripted(() => ({ status: 422, json: { success: false, errors } }));
    const input = { firstName: text, lastName: `${text}1`, reference: `${text}2`, type: `${text}3` };
    const { data } = await query(gateway, create, { variables: { input } });
    expect(data.createCustomer.userErrors).toHaveLength(50);
  });
});

it('never sends a write that waited for a socket once its client has gone', async () => {
  const environment = { UPSTREAM_CONNECTIONS: '1', REQUEST_TIMEOUT_MS: '5000', UPSTREAM_TIMEOUT_MS: '600' };
  const { gateway, upstream, gate } = await startGated({ environment });
  const first = query(gateway, create, { variables: { input: { firstName: 'first' } } });
  await gate.reached;
  const leaving = new AbortController();
  const second = 'mutation { createCustomer(input: { firstName: "gone" }) { customer { id } } }';
  const gone = askAndLeave(gateway, second, leaving.signal);
  // A request of its own that is answered shows that the one before has been taken in.
  await query(gateway, '{ __typename }');
  leaving.abort();
  expect(await gone).toBe('AbortError');
  expect(codes(await first)).toEqual(['OUTCOME_UNKNOWN']);
  await gateway.close();
  expect(upstream.requests).toHaveLength(1);
});

it('a representation that names no entity of this graph is the error of its own slot, without a call', async () => {
  const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
  const names = ['Nope', '__proto__', 'toString', 'Money', 'Query'].map((name) => `{ __typename: "${name}" }`);
  const odd = [
    ...names,
    '{ __typename: ["Customer"], id: "c1" }',
    '{ id: "c1" }',
    '"x"',
    '{ __typename: "VirtualAccount", id: "planted-id" }',
  ];
  const document = `{ entities: _entities(representations: [${odd.join()}, { __typename: "Customer", id: "c1" }]) { __typename } }`;
  const answer = await query(gateway, document);
  expect(codes(answer)).toEqual(odd.map(() => 'BAD_USER_INPUT'));
  expect(answer.data.entities).toEqual([...odd.map(() => null), { __typename: 'Customer' }]);
  expect(JSON.stringify(answer.errors)).not.toMatch(/planted-id|resolver/);
  expect(upstream.requests).toEqual([]);
});

it('writes one line for a hundred records with one fault in common', async () => {
  const { log, lines } = captureLog('warn');
  const records = Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, created_at: 'never' }));
  const page = { data: records, current_page: 1, per_page: 100, total: 100, last_page: 1 };
  const { gateway } = await startScripted(() => success(page), { log });
  const answer = await query(gateway, '{ customers(first: 100) { nodes { createdAt } } }');
  expect(answer.errors).toHaveLength(100);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ count: 100, row: 'customer.createdAt' });
});
