import { describe, expect, it } from 'vitest';
import { credentials, startScripted } from '../support/gateway.ts';
import { sendRaw, type RawRequest } from '../support/http.ts';
import { success } from '../support/upstream.ts';

const start = (environment: Readonly<Record<string, string>> = {}) =>
  startScripted(() => success({ id: 'c1', first_name: 'Ada' }), { environment });

const send = (body: string, headers: Readonly<Record<string, string>> = {}): RawRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...credentials, ...headers },
  body,
});
const ask = (query: string) => send(JSON.stringify({ query }));
const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

const customer = '{ customer(id: "c1") { firstName } }';
const mutation = 'mutation { createCustomer(input: {}) { customer { id } } }';

const byGet = { headers: { ...credentials, 'apollo-require-preflight': '1' } };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const plain = { 'content-type': 'text/plain' };
const batch = JSON.stringify(Array.from({ length: 10 }, () => ({ query: customer })));
const aliases = repeat(51, (index) => `a${index}: __typename`);
const circle = `fields { type { `.repeat(6) + 'name' + ' } }'.repeat(6);
const directives = [repeat(400, () => '@aa'), repeat(21, () => 'id @include(if: true)')];
const fragments = repeat(200, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`);
const invalid = /"GRAPHQL_VALIDATION_FAILED"/;
const bad = /"BAD_REQUEST"/;

/** Each attack with the status of every answer, what stands in it, and the requests. */
const refused: readonly [name: string, status: number, answer: RegExp, ...requests: RawRequest[]][] = [
  ['alias overload', 400, /"LIMIT_EXCEEDED","limit":"aliases"/, ask(`{ ${aliases} }`)],
  ['array-based batching', 400, bad, send(batch)],
  ['a mutation by GET', 405, bad, { ...byGet, target: `/graphql?query=${encodeURIComponent(mutation)}` }],
  ['a mutation by a form’s POST', 415, bad, send(`query=${encodeURIComponent(mutation)}`, form)],
  ['a mutation as plain text', 415, bad, send(JSON.stringify({ query: mutation }), plain)],
  ['circular introspection', 400, invalid, ask(`{ __schema { types { ${circle} } } }`)],
  [
    'directive overload',
    400,
    /"LIMIT_EXCEEDED","limit":"directives"/,
    ask(`{ __typename ${directives[0]} }`),
    ask(`{ customer(id: "c1") { ${directives[1]} } }`),
  ],
  [
    'deep and circular fragments',
    400,
    /"LIMIT_EXCEEDED"|"GRAPHQL_VALIDATION_FAILED"/,
    ask(`{ ...F0 } ${fragments} fragment F200 on Query { customer(id: "c1") { id } }`),
    ask('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
  ],
  ['a subscription', 400, invalid, ask('subscription S { customers { totalCount } }')],
  [
    'large literals',
    400,
    /^.{0,1000}"GRAPHQL_VALIDATION_FAILED"/,
    ask(`{ customers(first: ${'9'.repeat(30_000)}) { totalCount } }`),
    ask(`{ customers(first: [${repeat(900, () => '1')}]) { totalCount } }`),
  ],
];

/** Those that only production refuses. */
const refusedInProduction: typeof refused = [
  ['an IDE', 405, /^\{"errors"/, { headers: { accept: 'text/html' } }],
  [
    'suggestions of names',
    400,
    /^(?!.*Did you mean).*"GRAPHQL_VALIDATION_FAILED"/,
    ask('{ customr(id: "c1") { id } }'),
  ],
];
const all = [
  ...refused.map((row) => ({ environment: {}, row })),
  ...refusedInProduction.map((row) => ({ environment: { NODE_ENV: 'production' }, row })),
].map(({ environment, row: [name, status, answer, ...requests] }) => ({ name, status, answer, requests, environment }));

it.each(all)('refuses $name without a call', async ({ status, answer, requests, environment }) => {
  const { gateway, upstream } = await start(environment);
  const answers = await Promise.all(requests.map((request) => sendRaw(`${gateway.url}/graphql`, request)));
  expect(answers.map((one) => one.status)).toEqual(requests.map(() => status));
  expect(answers.filter(({ text }) => !answer.test(text))).toEqual([]);
  expect(upstream.requests).toEqual([]);
});

describe('an attack of the usual lists is harmless', () => {
  it('field duplication', async () => {
    const { gateway, upstream } = await start();
    const document = `{ customer(id: "c1") { ${repeat(40, () => 'firstName')} } ${repeat(19, () => 'customer(id: "c1") { firstName }')} }`;
    const { status, text } = await sendRaw(`${gateway.url}/graphql`, ask(document));
    expect([status, JSON.parse(text)]).toEqual([200, { data: { customer: { firstName: 'Ada' } } }]);
    expect(upstream.requests).toHaveLength(1);
    const endless = await sendRaw(
      `${gateway.url}/graphql`,
      ask(`{ customer(id: "c1") { ${repeat(980, () => 'id')} } }`),
    );
    expect([endless.status, upstream.requests.length]).toEqual([400, 1]);
  });

  it('fragments that each spread the next one twice', async () => {
    const { gateway, upstream } = await start();
    const doubling = repeat(40, (index) => `fragment F${index} on Customer { ...F${index + 1} ...F${index + 1} }`);
    const document = `{ customer(id: "c1") { ...F0 } } ${doubling} fragment F40 on Customer { firstName }`;
    const { status, text } = await sendRaw(`${gateway.url}/graphql`, ask(document));
    expect([status, JSON.parse(text)]).toEqual([200, { data: { customer: { firstName: 'Ada' } } }]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('asking for traces', async () => {
    const { gateway } = await start();
    const tracing = { 'apollo-federation-include-trace': 'ftv1', 'x-apollo-tracing': '1', 'apollo-tracing': 'true' };
    const body = JSON.stringify({ query: customer, extensions: { tracing: true } });
    const { status, text } = await sendRaw(`${gateway.url}/graphql`, send(body, tracing));
    expect([status, JSON.parse(text)]).toEqual([200, { data: { customer: { firstName: 'Ada' } } }]);
  });
});
