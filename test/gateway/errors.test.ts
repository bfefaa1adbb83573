import { gzipSync } from 'node:zlib';
import { GraphQLError } from 'graphql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainCause } from '../../src/domain/errors.ts';
import { formatError } from '../../src/graphql/errors/format-error.ts';
import { message, startFaultUpstream } from '../support/upstream/fault-upstream.ts';
import { codes, credentials, query, startGateway, startScripted } from '../support/gateway.ts';
import { sendRaw, type RawRequest } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { freeUrl } from '../support/ports.ts';
import { routed } from '../support/upstream/script.ts';
import { failure, startUpstream, success, type Reply } from '../support/upstream/upstream.ts';

const readCustomer = '{ customer(id: "c1") { firstName } }';
const html = '<html><body>planted page of proxy.internal.example</body></html>';
const planted = 'planted sentence from db-7.internal.example at Handler.run (/srv/app/handler.js:42:7)';
const json = (text: string | Buffer, headers: Readonly<Record<string, string>> = {}): Reply => ({
  text,
  headers: { 'content-type': 'application/json', ...headers },
});
const wholeCustomer = JSON.stringify({ success: true, data: { id: 'c1', first_name: 'Ada' } });

/** A failure that is told in the body of a 200. */
const inside = (code: unknown): Reply => ({ json: { success: false, code, message: planted } });

const announced = { 'content-length': String(wholeCustomer.length + 1), connection: 'close' };
const latin1 = Buffer.from(wholeCustomer.replace('Ada', 'Ad\u00e1'), 'latin1');
const large = success({ id: 'c1', first_name: 'a'.repeat(5 * 1024 * 1024) });

/** Each answer to a read of one record that the contract does not allow, and what else the error tells. */
const contradictions: readonly (readonly [name: string, reply: Reply, details?: object])[] = [
  ['400', failure(400, planted), { upstreamStatus: 400 }],
  ['303 with a record', { ...json(wholeCustomer), status: 303 }, { upstreamStatus: 303 }],
  ['204', { status: 204 }, { upstreamStatus: 204 }],
  ['half a JSON text', json(wholeCustomer.slice(0, -9))],
  ['JSON with more behind', json(`${wholeCustomer} {}`)],
  ['text that is not UTF-8', json(latin1)],
  ['gzip, which nobody asked for', json(gzipSync(wholeCustomer), { 'content-encoding': 'gzip' })],
  ['a part, which nobody asked for', { ...json(wholeCustomer), status: 206 }, { upstreamStatus: 206 }],
  ['5 MiB', large],
  ['20 KB of headers', json(wholeCustomer, { 'x-long': 'x'.repeat(20_000) })],
  ['fewer bytes than announced', { ...json(wholeCustomer, announced), status: 201 }, { upstreamStatus: 201 }],
  ['a length that is no number', json(wholeCustomer, { 'content-length': 'planted' })],
];

/** Each other answer: the code it becomes and what else the error tells. */
const otherFailures: readonly (readonly [name: string, reply: Reply, code: string, details: object])[] = [
  ['401', failure(401, planted), 'UNAUTHENTICATED', { upstreamStatus: 401, retryable: false }],
  ['502 as a page', { status: 502, text: html }, 'UPSTREAM_UNAVAILABLE', { upstreamStatus: 502, retryable: true }],
];
const contradicted = contradictions.map(
  ([name, reply, details]) => [name, reply, 'UPSTREAM_INVALID_RESPONSE', { retryable: false, ...details }] as const,
);

describe('a read', () => {
  it.each([...contradicted, ...otherFailures])(
    'answered by %s becomes an error of ours',
    async (_, reply, code, details) => {
      const { gateway, upstream } = await startScripted(() => reply);
      const answer = await query(gateway, readCustomer);
      expect(answer.status).toBe(200);
      expect(answer.data).toEqual({ customer: null });
      expect(answer.errors).toHaveLength(1);
      expect(answer.errors[0]).toMatchObject({
        path: ['customer'],
        extensions: { code, operation: 'getCustomer', ...details },
      });
      expect(JSON.stringify(answer.errors)).not.toMatch(/planted|internal\.example|handler/);
      expect(upstream.requests.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['what is not HTTP', 'planted\r\n\r\n'],
    ['20 KB of headers', message('200 OK', wholeCustomer, { 'x-long': 'x'.repeat(20_000) })],
  ])('answered by %s has no status of the service', async (_, bytes) => {
    const { url } = await startFaultUpstream(() => (socket) => socket.end(bytes));
    const { errors } = await query(await startGateway({ upstream: url }), readCustomer);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', operation: 'getCustomer' } }]);
    expect(errors[0]?.extensions).not.toHaveProperty('upstreamStatus');
    expect(errors[0]?.extensions).not.toHaveProperty('row');
  });

  it('answered by a compressed body names no row', async () => {
    const { gateway } = await startScripted(() => json(gzipSync(wholeCustomer), { 'content-encoding': 'gzip' }));
    const answer = await query(gateway, readCustomer);
    expect(codes(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.errors[0]?.extensions).not.toHaveProperty('row');
  });

  it.each([
    ['a number of seconds', { 'retry-after': '7' }, 7],
    ['more seconds than a day has', { 'retry-after': '999999999' }, 86_400],
    ['a moment in less than a minute', { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT', date: '' }, 60],
    [
      'a moment by a clock that is five hours fast',
      { 'retry-after': 'Thu, 01 Jan 2026 05:00:07 GMT', date: 'Thu, 01 Jan 2026 05:00:00 GMT' },
      7,
    ],
    ['a moment in many years', { 'retry-after': 'Fri, 01 Jan 2077 00:00:00 GMT' }, 86_400],
    ['a Retry-After in the past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    ['a number below zero', { 'retry-after': '-5' }, undefined],
    ['a number with a fraction', { 'retry-after': '1.5' }, undefined],
  ])('answered by 429 with %s becomes RATE_LIMITED', async (_, headers, retryAfterSeconds) => {
    vi.setSystemTime('2026-01-01T00:00:00.500Z');
    onTestFinished(() => void vi.useRealTimers());
    const { gateway } = await startScripted(() => ({ ...failure(429, planted), headers }));
    const answer = await query(gateway, readCustomer);
    expect(codes(answer)).toEqual(['RATE_LIMITED']);
    expect(answer.errors[0]?.extensions['retryAfterSeconds']).toBe(retryAfterSeconds);
    expect(answer.errors[0]?.extensions).toMatchObject({ retryable: true, upstreamStatus: 429 });
    expect(JSON.stringify(answer.errors)).not.toContain('planted');
  });

  it('answered by a redirect follows it nowhere', async () => {
    const elsewhere = await startUpstream(() => success({ id: 'c1', first_name: 'Elsewhere' }));
    const headers = { location: `${elsewhere.url}/planted` };
    const { gateway, upstream } = await startScripted(() => ({ status: 308, headers }));
    const answer = await query(gateway, readCustomer);
    await elsewhere.close();
    expect(codes(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect([upstream.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
    expect(JSON.stringify(answer.errors)).not.toMatch(/planted|127\.0\.0\.1/);
  });

  it('of a service that refuses connections is UPSTREAM_UNAVAILABLE and names no host', async () => {
    const { log, lines } = captureLog();
    const upstream = await freeUrl();
    const answer = await query(await startGateway({ upstream, log }), readCustomer);
    expect(codes(answer)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(answer.errors[0]?.extensions['retryable']).toBe(true);
    expect(JSON.stringify(answer.errors)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
    expect(lines.join('')).not.toContain(new URL(upstream).port);
    const { message, ...kept } = plainCause(Object.assign(new Error(`connect to ${upstream}`), { code: 'REFUSED' }));
    expect([message, kept]).toEqual(['REFUSED', { name: 'Error', code: 'REFUSED' }]);
  });

  it.each([
    ['no answer', '', undefined],
    ['the head of one alone', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n', 200],
  ])('that gets %s is UPSTREAM_TIMEOUT after UPSTREAM_TIMEOUT_MS', async (_, head, upstreamStatus) => {
    const upstream = await startFaultUpstream(() => (socket) => void socket.write(head));
    const environment = { UPSTREAM_TIMEOUT_MS: '150' };
    const answer = await query(await startGateway({ upstream: upstream.url, environment }), readCustomer);
    expect(codes(answer)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(answer.errors[0]?.extensions['retryable']).toBe(true);
    expect(answer.errors[0]?.extensions['upstreamStatus']).toBe(upstreamStatus);
    expect(upstream.requests.length).toBeGreaterThan(0);
  });
});

describe('a missing record', () => {
  it.each([
    ['{ customer(id: "c1") { balance { value { amount } } } }', 'getCustomerBalance.path'],
    ['{ customer(id: "c1") { transactions { totalCount } } }', 'listCustomerTransactions.path'],
    ['{ customer(id: "c1") { virtualAccounts { totalCount } } }', 'listCustomerVirtualAccounts.path'],
    ['{ customers { totalCount } }', 'listCustomers.path'],
    ['{ settlementBanks { totalCount } }', 'listSettlementBanks.path'],
  ])('is a contradiction by row where it cannot be missing: %s', async (document, row) => {
    for (const reply of [failure(404), inside(404)]) {
      const { gateway } = await startScripted(({ path }) => (path.endsWith('/c1') ? success({ id: 'c1' }) : reply));
      const answer = await query(gateway, document);
      expect(codes(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
      expect(answer.errors[0]?.extensions).toMatchObject({ row, retryable: false });
    }
  });
});

describe('a value that cannot be read', () => {
  it('nulls its field alone and says where it stood', async () => {
    const wire = { id: 'c1', reference: 'ref-1', first_name: { planted } };
    const { gateway } = await startScripted(() => success(wire));
    const answer = await query(gateway, '{ customer(id: "c1") { id reference firstName } }');
    expect(answer.data).toEqual({ customer: { id: 'c1', reference: 'ref-1', firstName: null } });
    const details = { operation: 'getCustomer', row: 'customer.firstName', jsonPath: '/data/first_name' };
    expect(answer.errors).toMatchObject([
      { path: ['customer', 'firstName'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE', ...details } },
    ]);
    expect(JSON.stringify(answer.errors)).not.toContain('planted');
  });

  it('lets a failing field be answered beside its neighbours', async () => {
    const { gateway } = await startScripted(
      routed({
        'GET /customers/c1': success({ id: 'c1', first_name: 'Ada' }),
        'GET /customers/c1/balance': failure(500, planted),
        'GET /customers/c1/virtual-accounts': success([{ id: 'v1' }]),
        'GET /settlement-banks/b1': failure(403),
      }),
    );
    const answer = await query(
      gateway,
      `{
        customer(id: "c1") { firstName balance { value { amount } } virtualAccounts { nodes { id } } }
        settlementBank(id: "b1") { name }
      }`,
    );
    expect(answer.data).toEqual({
      customer: { firstName: 'Ada', balance: null, virtualAccounts: { nodes: [{ id: 'v1' }] } },
      settlementBank: null,
    });
    expect(answer.errors).toHaveLength(2);
    expect(new Set(codes(answer))).toEqual(new Set(['FORBIDDEN', 'UPSTREAM_UNAVAILABLE']));
  });
});

const allowedExtensions: ReadonlySet<string> = new Set(
  'code operation row retryable retryAfterSeconds requestId upstreamStatus header jsonPath limit estimated maximum lookup'.split(
    ' ',
  ),
);

describe('what an error tells', () => {
  const ours = {
    message: 'An unexpected error happened inside the gateway. Report it with its `requestId`.',
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  };

  it('of an unforeseen fault is one fixed sentence', () => {
    const cause = new TypeError(planted);
    const error = new GraphQLError(planted, { path: ['customer'], originalError: cause, extensions: { planted } });
    const formatted = { message: planted, path: ['customer'], extensions: { planted } };
    expect(formatError(formatted, error, '')).toEqual({ ...ours, path: ['customer'] });
  });

  it.each(['INTERNAL_SERVER_ERROR', 'PLANTED', undefined, 7])('of a foreign code is the same sentence: %j', (code) => {
    const formatted = { message: planted, extensions: { code, planted, stacktrace: [planted] } };
    expect(formatError(formatted, new Error(planted), '')).toEqual(ours);
  });

  it('of a document’s fault keeps no foreign extension', () => {
    const formatted = {
      message: 'Cannot query field "x".',
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED', planted, stacktrace: [planted] },
    };
    expect(formatError(formatted, new GraphQLError('Cannot query field "x".'), '')).toEqual({
      message: 'Cannot query field "x".',
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  });

  it('has only extensions of the allow-list', async () => {
    const { gateway } = await startScripted(
      routed({
        'GET /customers/limited': { ...failure(429), headers: { 'retry-after': '3' } },
        'GET /customers/shapeless': success({ id: 'shapeless', first_name: 7 }),
        'GET /customers/refused': failure(401),
        'POST /customers/': { cut: true },
      }),
    );
    const answers = await Promise.all([
      query(gateway, '{ customer(id: "limited") { id } }'),
      query(gateway, '{ customer(id: "shapeless") { firstName } }'),
      query(gateway, '{ customer(id: "refused") { id } }'),
      query(gateway, '{ customer(id: "..") { id } customers(search: "x") { totalCount } }'),
      query(gateway, 'mutation { createCustomer(input: {}) { customer { id } } }'),
      query(gateway, '{ nothing }'),
      query(gateway, '{'),
      query(gateway, 'query ($id: ID!) { customer(id: $id) { id } }'),
    ]);
    const errors = answers.flatMap((answer) => answer.errors);
    const names = new Set(errors.flatMap(({ extensions }) => Object.keys(extensions)));
    expect(errors).toHaveLength(9);
    expect([...names].filter((name) => !allowedExtensions.has(name))).toEqual([]);
    expect(names).toContain('lookup');
    expect(new Set(errors.flatMap((error) => Object.keys(error)))).toEqual(
      new Set(['message', 'path', 'locations', 'extensions']),
    );
  });
});

describe('the request id', () => {
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials, 'x-request-id': 'request-1', ...headers },
    body,
  });
  const ask = (document: string, rest: object = {}) => post(JSON.stringify({ query: document, ...rest }));
  const get = { headers: { accept: 'application/json', 'x-request-id': 'request-1' } };

  const refused: readonly [path: string, request: RawRequest][] = [
    ['/graphql', ask(readCustomer)],
    ['/graphql', ask('{')],
    ['/graphql', ask('{ nothing }')],
    ['/graphql', ask('query ($id: ID!) { customer(id: $id) { id } }')],
    ['/graphql', ask('query A { __typename }', { operationName: 'B' })],
    ['/graphql', post('{}')],
    ['/graphql', post('{"query":')],
    ['/graphql', post('{ __typename }', { 'content-type': 'text/plain' })],
    ['/graphql', post(`"${'x'.repeat(300_000)}"`)],
    ['/graphql?query=mutation%7B__typename%7D', { headers: { ...get.headers, 'apollo-require-preflight': '1' } }],
    ['/graphql?query=%7B__typename%7D', get],
    ['/graphql?query=%7B__typename%7D', { headers: { ...get.headers, accept: 'image/png' } }],
    ['/nothing', get],
  ];

  it('stands in every error and in the header of its answer, whatever is wrong', async () => {
    const { gateway } = await startScripted(() => failure(500));
    for (const [path, request] of refused) {
      const { headers, text } = await sendRaw(gateway.url + path, request);
      expect(headers['x-request-id']).toBe('request-1');
      expect(JSON.parse(text), `${path} ${request.body?.toString().slice(0, 100)}`).toMatchObject({
        errors: [{ extensions: { requestId: 'request-1' } }],
      });
    }
  });
});

describe('null for a variable with a default, where an argument cannot be null,', () => {
  const documents: readonly [status: number, document: string][] = [
    [200, 'query ($input: ID = "c1") { customer(id: $input) { id } }'],
    [400, 'query ($input: Boolean = true) { customer(id: "c1") @skip(if: $input) { id } }'],
    [400, 'mutation ($input: Boolean = true) { createCustomer(input: {}) { customer @skip(if: $input) { id } } }'],
    [200, 'mutation ($input: CreateCustomerInput = {}) { createCustomer(input: $input) { customer { id } } }'],
    [
      200,
      'mutation ($input: ID = "c1") { createVirtualAccount(input: { customerId: $input, idempotencyKey: "planted" }) { virtualAccount { id } } }',
    ],
    [200, 'query ($input: [_Any!] = []) { _entities(representations: $input) { __typename } }'],
  ];
  it.each(documents)('is a mistake of the client, told by %i, and nothing is sent: %s', async (status, document) => {
    const { log, lines } = captureLog('warn');
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }), { log });
    const answer = await query(gateway, document, { variables: { input: null } });
    expect([answer.status, codes(answer)]).toEqual([status, ['BAD_USER_INPUT']]);
    expect(answer.errors[0]?.message).not.toContain('planted');
    expect([upstream.requests, lines]).toEqual([[], []]);
  });
});

describe('the client’s own values', () => {
  const number = '12345678901';
  const update = 'mutation ($input: UpdateCustomerInput!) { updateCustomer(input: $input) { customer { id } } }';

  const updates = [{ id: 'c1', nin: 12_345_678_901 }, number, { id: 'c1', nonsense: number }, { [`n${number}`]: 'x' }];
  const literals = [
    `mutation { updateCustomer(input: { id: "c1", nin: ${number} }) { customer { id } } }`,
    `mutation { updateCustomer(input: "${number}") { customer { id } } }`,
    `{ customer(id: ["${number}"]) { id } }`,
    `{ customers(first: ${number}) { totalCount } }`,
  ];
  const broken = [
    `{ customer(id: "c1") ${number} }`,
    `{ customer(id: "c1") "${number}" }`,
    number,
    `"""${number}""" """${number}"""`,
    `{ customer(id: ${number}x) { id } }`,
  ];
  const listed = 'query ($input: [_Any!]!) { _entities(representations: $input) { __typename } }';
  const faults: readonly [code: string, document: string, input?: unknown][] = [
    ...updates.map((input) => ['BAD_USER_INPUT', update, input] as [string, string, unknown]),
    ['BAD_USER_INPUT', listed, [number, null]],
    ...literals.map((document) => ['GRAPHQL_VALIDATION_FAILED', document] as [string, string]),
    ...broken.map((document) => ['GRAPHQL_PARSE_FAILED', document] as [string, string]),
  ];

  it('do not come back in an error, and nothing is sent', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
    for (const [code, document, input] of faults) {
      const answer = await query(gateway, document, { variables: { input } });
      expect(new Set(codes(answer)), `for ${document}`).toEqual(new Set([code]));
      expect(JSON.stringify(answer.errors)).not.toContain(number);
    }
    expect(upstream.requests).toEqual([]);
  });

  const amounts = [12_345_678_901, '1e12345678901', '12,345,678,901', '1234567890123456789', '١٢٣٤٥٦٧٨٩٠١', 'Planted'];

  it('do not come back in the refusal of an amount', async () => {
    const { gateway } = await startScripted(() => success({ id: 'a1' }));
    const open = (value: string) =>
      `createOneTimeAccount(input: { customerId: "c1", amount: ${value} }) { userErrors { message } }`;
    for (const amount of amounts) {
      const document = `mutation ($amount: Decimal) { ${open('$amount')} }`;
      const byVariable = await query(gateway, document, { variables: { amount } });
      const byLiteral = await query(gateway, `mutation { ${open(JSON.stringify(amount))} }`);
      const refusals = [byVariable, byLiteral].map(({ data, errors }) => [
        errors,
        data?.createOneTimeAccount.userErrors,
      ]);
      expect(JSON.stringify(refusals)).toMatch(/amount.*amount/);
      expect(JSON.stringify(refusals)).not.toContain(String(amount));
    }
  });

  const long = 'Planted; '.repeat(200);

  it.each<[variables: object, message: string]>([
    [{ input: { id: 'c1', frstName: long } }, '. Field "frstName" is not defined by type "UpdateCustomerInput".'],
    [{ input: { id: 'c1', [long]: 'x' } }, '.'],
    [{ input: { firstName: long } }, '. Field "id" of required type "ID!" was not provided.'],
    [{ input: { id: null } }, ' at "input.id". Expected non-nullable type "ID!" not to be null.'],
    [{ input: long }, '. Expected type "UpdateCustomerInput" to be an object.'],
    [{ input: { id: 'c1', firstName: [long] } }, ' at "input.firstName". String cannot represent a non string value.'],
    [{ first: long }, '. Int cannot represent non-integer value.'],
    [{ amount: 12_345_678_901 }, '. An amount is a string such as "500.00".'],
  ])('leave what is said of a variable: where it is wrong, and why (%#)', async (variables, message) => {
    const { gateway } = await startScripted(() => success({ id: 'c1' }));
    const document = `mutation ($input: UpdateCustomerInput = { id: "c1" }, $first: Int, $amount: Decimal) {
      updateCustomer(input: $input) { customer { transactions(first: $first) { totalCount } } }
      createOneTimeAccount(input: { customerId: "c1", amount: $amount }) { userErrors { code } }
    }`;
    const { errors } = await query(gateway, document, { variables });
    const [name = ''] = Object.keys(variables);
    expect(errors.map((error) => error.message)).toEqual([`Variable "$${name}" has an invalid value${message}`]);
  });

  const told: readonly [document: string, message: RegExp, operationName?: string][] = [
    ['{ n12345 }', /"n12345"/],
    ['{ n123456 }', /"n…"/],
    ['{ customer(id: "c1") planted(', /^Syntax Error: Expected Name, found <EOF>\.$/],
    ['{ customer("planted") { id } }', /^Syntax Error: Expected Name\.$/],
    ['"""planted""" """planted words"""', /^Syntax Error: Unexpected \w+\.$/],
    ['{ customers(first: "planted") { totalCount } }', /non-integer value\.$/],
    ['{ __typename }', /"…"/, 'planted@example.com'],
    ['{ __typename }', /^.{1,300}$/, 'a'.repeat(1_000)],
  ];

  it('are told no further than this', async () => {
    const { gateway } = await startScripted(() => success({ id: 'c1' }));
    for (const [document, message, operationName] of told) {
      const { errors } = await query(gateway, document, { operationName });
      expect(errors[0]?.message).toMatch(message);
      expect(JSON.stringify(errors)).not.toContain('planted');
    }
  });
});
