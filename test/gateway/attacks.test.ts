import { describe, expect, it } from 'vitest';
import { credentials, startScripted } from '../support/gateway.ts';
import { sendRaw, type RawRequest } from '../support/http.ts';
import { success } from '../support/upstream.ts';

const start = (environment: Readonly<Record<string, string>> = {}) =>
  startScripted(() => success({ id: 'c1', first_name: 'Ada' }), { environment });
const production = { NODE_ENV: 'production' };

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

interface Where {
  readonly path?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Each attack with the status of every answer and what stands in it. */
const refused: readonly [
  name: string,
  status: number,
  answer: RegExp,
  requests: readonly RawRequest[],
  where?: Where,
][] = [
  [
    'alias overload',
    400,
    /"LIMIT_EXCEEDED","limit":"aliases"/,
    [ask(`{ ${repeat(51, (index) => `a${index}: __typename`)} }`)],
  ],
  [
    'array-based batching',
    400,
    /"BAD_REQUEST"/,
    [send(JSON.stringify(Array.from({ length: 10 }, () => ({ query: customer }))))],
  ],
  [
    'a mutation by GET',
    405,
    /"BAD_REQUEST"/,
    [{ headers: { ...credentials, 'apollo-require-preflight': '1' } }],
    { path: `?query=${encodeURIComponent(mutation)}` },
  ],
  [
    'a mutation by a form’s POST, URL-encoded or as plain text',
    415,
    /"BAD_REQUEST"/,
    [
      send(`query=${encodeURIComponent(mutation)}`, { 'content-type': 'application/x-www-form-urlencoded' }),
      send(JSON.stringify({ query: mutation }), { 'content-type': 'text/plain' }),
    ],
  ],
  [
    'circular introspection',
    400,
    /"GRAPHQL_VALIDATION_FAILED"/,
    [ask(`{ __schema { types { ${'fields { type { '.repeat(6)} name ${'} } '.repeat(6)} } } }`)],
  ],
  [
    'directive overload',
    400,
    /"LIMIT_EXCEEDED","limit":"directives"/,
    [
      ask(`{ __typename ${repeat(500, () => '@aa')} }`),
      ask(`{ customer(id: "c1") { ${repeat(21, () => 'id @include(if: true)')} } }`),
    ],
  ],
  [
    'suggestions of names in the schema',
    400,
    /^(?!.*Did you mean).*"GRAPHQL_VALIDATION_FAILED"/,
    [ask('{ customr(id: "c1") { id } }'), ask('{ customer(idd: "c1") { firstNam } }')],
    { environment: production },
  ],
  [
    'deep and circular fragments',
    400,
    /"LIMIT_EXCEEDED"|"GRAPHQL_VALIDATION_FAILED"/,
    [
      ask(
        `{ ...F0 } ${repeat(200, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)} fragment F200 on Query { a: customer(id: "c1") { id } }`,
      ),
      ask('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
    ],
  ],
  [
    'a subscription',
    400,
    /"GRAPHQL_VALIDATION_FAILED"/,
    [ask('subscription { customers { totalCount } }'), ask('subscription S { __typename }')],
  ],
  ['an IDE in production', 405, /^\{"errors"/, [{ headers: { accept: 'text/html' } }], { environment: production }],
  [
    'large literals',
    400,
    /^.{0,1000}"GRAPHQL_VALIDATION_FAILED"/,
    [
      ask(`{ customers(first: ${'9'.repeat(200_000)}) { totalCount } }`),
      ask(`{ customers(first: [${repeat(1_900, () => '1')}]) { totalCount } }`),
    ],
  ],
];

describe('an attack of the usual lists is refused without a call', () => {
  it.each(refused)('%s', async (_, status, answer, requests, { path = '', environment } = {}) => {
    const { gateway, upstream } = await start(environment);
    const answers = await Promise.all(requests.map((request) => sendRaw(`${gateway.url}/graphql${path}`, request)));
    expect(answers.map((one) => one.status)).toEqual(requests.map(() => status));
    expect(answers.map(({ text }) => text)).toEqual(requests.map(() => expect.stringMatching(answer) as string));
    expect(upstream.requests).toEqual([]);
  });
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
      ask(`{ customer(id: "c1") { ${repeat(1_980, () => 'id')} } }`),
    );
    expect([endless.status, upstream.requests.length]).toEqual([400, 1]);
  });

  it('asking for traces', async () => {
    const { gateway } = await start();
    const tracing = { 'apollo-federation-include-trace': 'ftv1', 'x-apollo-tracing': '1', 'apollo-tracing': 'true' };
    const body = JSON.stringify({ query: customer, extensions: { tracing: true } });
    const { status, text } = await sendRaw(`${gateway.url}/graphql`, send(body, tracing));
    expect([status, JSON.parse(text)]).toEqual([200, { data: { customer: { firstName: 'Ada' } } }]);
  });
});
