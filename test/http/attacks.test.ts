import { expect, it } from 'vitest';
import { credentials, startScripted } from '../support/gateway.ts';
import { sendRaw, type RawRequest } from '../support/http.ts';
import { success } from '../support/upstream/upstream.ts';

const ask = (query: string, headers: Readonly<Record<string, string>> = {}): RawRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...credentials, ...headers },
  body: JSON.stringify({ query }),
});
const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

const mutation = encodeURIComponent('mutation { createCustomer(input: {}) { customer { id } } }');
const circle = `fields { type { `.repeat(6) + 'name' + ' } }'.repeat(6);
const doubling = repeat(40, (index) => `fragment F${index} on Customer { ...F${index + 1} ...F${index + 1} }`);
const tracing = { 'apollo-federation-include-trace': 'ftv1', 'x-apollo-tracing': '1' };
const answered = /^\{"data":\{"customer":\{"firstName":"Ada"\}\}\}$/m;

/** The attacks of the usual lists, but for limits, which have a test of their own: status, answer and calls. */
const attacks: readonly [name: string, status: number, answer: RegExp, calls: number, request: RawRequest][] = [
  [
    'a mutation by GET',
    405,
    /BAD_REQUEST/,
    0,
    { headers: { ...credentials, 'apollo-require-preflight': '1' }, target: `/graphql?query=${mutation}` },
  ],
  ['circular introspection', 400, /VALIDATION_FAILED/, 0, ask(`{ __schema { types { ${circle} } } }`)],
  [
    'circular fragments',
    400,
    /VALIDATION/,
    0,
    ask('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
  ],
  ['a subscription', 400, /VALIDATION_FAILED/, 0, ask('subscription S { customers { totalCount } }')],
  [
    'a large literal',
    400,
    /^.{0,1000}VALIDATION_FAILED/,
    0,
    ask(`{ customers(first: ${'9'.repeat(30_000)}) { totalCount } }`),
  ],
  ['a guessed name', 400, /^(?!.*Did you mean).*VALIDATION_FAILED/, 0, ask('{ customr(id: "c1") { id } }')],
  [
    'fragments that each spread the next one twice',
    200,
    answered,
    1,
    ask(`{ customer(id: "c1") { ...F0 } } ${doubling} fragment F40 on Customer { firstName }`),
  ],
  ['asking for traces', 200, answered, 1, ask('{ customer(id: "c1") { firstName } }', tracing)],
];

it.each(attacks)('%s is refused or harmless in production', async (_, status, text, calls, request) => {
  const environment = { NODE_ENV: 'production' };
  const { gateway, upstream } = await startScripted(() => success({ id: 'c1', first_name: 'Ada' }), { environment });
  const answer = await sendRaw(`${gateway.url}/graphql`, request);
  expect(answer).toMatchObject({ status, text: expect.stringMatching(text) as string });
  expect(upstream.requests).toHaveLength(calls);
});
