import { cp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCustomer, numbered, postsOf, startGated } from '../support/create.ts';
import { bytesIn, foundIn, temporaryFolder } from '../support/folder.ts';
import {
  codes,
  credentials,
  query,
  startGateway,
  startScripted,
  startStored,
  storeInMemory,
  type GraphQLAnswer,
} from '../support/gateway.ts';
import { queryRaw } from '../support/http.ts';
import { identity, plantedHeaders, plantedSecrets } from '../support/identity.ts';
import { captureLog } from '../support/log.ts';
import { freeUrl } from '../support/ports.ts';
import { routed } from '../support/upstream/script.ts';
import { changeStore } from '../upstream/idempotency/store.ts';
import { failure, startUpstream, success, type Reply } from '../support/upstream/upstream.ts';

const plain = 'createCustomer(input: { reference: "ref-1" }) { customer { id } }';
const bank = 'createSettlementBank(input: { name: "Main" }) { settlementBank { id } }';
const update = 'updateCustomer(input: { id: "c1", firstName: "Ada" }) { customer { id } }';
const idOf = ({ data }: GraphQLAnswer) => data.createCustomer.customer.id as unknown;

/** Sends a mutation with one `Idempotency-Key`. */
const withHeader = (gateway: { readonly url: string }, document: string, key = 'header-key', variables?: unknown) =>
  query(gateway, document, { variables, headers: { ...credentials, 'idempotency-key': key } });

/** The creates that take a key, with room for one in their input, and the record of their payload. */
const creates: readonly [field: string, input: string, record: string][] = [
  ['createCustomer', 'reference: "ref-1"', 'customer'],
  ['createSettlementBank', 'name: "Main"', 'settlementBank'],
  ['createVirtualAccount', 'customerId: "c1"', 'virtualAccount'],
  ['createOneTimeAccount', 'customerId: "c1", amount: "5.00"', 'oneTimeAccount'],
];

describe('a create with a key', () => {
  it.each(creates)('is sent once, by its input or by the header, and without it: %s', async (field, input, record) => {
    const { gateway, upstream } = await startStored(numbered());
    const create = (more: string) => `mutation { ${field}(input: { ${input}${more} }) { ${record} { id } } }`;
    const first = await query(gateway, create(', idempotencyKey: "key-one"'));
    const second = await query(gateway, create(', idempotencyKey: "key-one"'));
    const third = await withHeader(gateway, create(''), 'key-one');
    const other = await withHeader(gateway, create(''), 'key-two');
    expect([first, second, third, other].map(({ data }) => data[field][record].id)).toEqual(['c1', 'c1', 'c1', 'c2']);
    expect([first, second, third, other].flatMap(({ errors }) => errors)).toEqual([]);
    expect(upstream.requests).toHaveLength(2);
    expect(JSON.stringify(upstream.requests)).not.toMatch(/key-(?:one|two)/);
  });

  it.each<[name: string, reply: Reply, fields: string, payload: object, rows: readonly string[]]>([
    [
      'whatever fields are asked for',
      success({ id: 'c1', first_name: 'Ada' }, 201),
      'renamed: customer { firstName } userErrors { code }',
      { renamed: { firstName: 'Ada' }, userErrors: [] },
      [],
    ],
    [
      'without a record where it held none',
      { status: 201, json: { success: true } },
      'customer { id } userErrors { code }',
      { customer: null, userErrors: [] },
      [],
    ],
    [
      'with its error in the slot of a field that cannot be read',
      success({ id: 'c1', created_at: 'soon' }, 201),
      'customer { id createdAt }',
      { customer: { id: 'c1', createdAt: null } },
      ['customer.createdAt'],
    ],
  ])('is answered again from the recorded answer, %s', async (_, reply, fields, payload, rows) => {
    const { gateway, upstream } = await startStored(() => reply);
    const ask = (selection: string) =>
      query(gateway, `mutation { createCustomer(input: { reference: "r", idempotencyKey: "key" }) { ${selection} } }`);
    await ask('userErrors { code }');
    const again = await ask(fields);
    expect(again.data.createCustomer).toEqual(payload);
    expect(again.errors.map(({ extensions }) => extensions['row'])).toEqual(rows);
    expect(upstream.requests).toHaveLength(1);
  });

  it('reads fields that cost a call anew each time', async () => {
    const { gateway, upstream } = await startStored(
      routed({
        'POST /customers/': success({ id: 'c1' }, 201),
        'GET /customers/c1/balance': [success({ balance: '1.00' }), success({ balance: '2.00' })],
      }),
    );
    const document = `mutation { createCustomer(input: { reference: "r", idempotencyKey: "key" }) {
      customer { balance { value { amount } } }
    } }`;
    const amounts = [await query(gateway, document), await query(gateway, document)].map(
      ({ data }) => data.createCustomer.customer.balance.value.amount as unknown,
    );
    expect(amounts).toEqual(['1.00', '2.00']);
    expect(upstream.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });

  it.each<[name: string, document: string, callers: readonly (readonly [authorization: string, key: string])[]]>([
    ['a token in any spelling of its scheme', bank, ['Bearer a', 'bearer a', 'BEARER a'].map((one) => [one, 'a'])],
    ['another private key', bank, ['a', 'b', 'c'].map((key) => ['Bearer a', key])],
    ['another token', plain, ['Bearer a', 'Bearer b', 'bearer c'].map((token) => [token, 'a'])],
  ])('is one create with %s, where that is not sent or means the same', async (_, document, callers) => {
    const { gateway, upstream } = await startStored(numbered());
    for (const [authorization, svcprivatekey] of callers) {
      const headers = { authorization, svcprivatekey, 'idempotency-key': 'key' };
      expect(JSON.stringify(await query(gateway, `mutation { ${document} }`, { headers }))).toContain('"c1"');
    }
    expect(upstream.requests).toHaveLength(1);
  });

  it('is another create under each other credential that it sends, and in each other operation', async () => {
    const { gateway, upstream } = await startStored(numbered());
    const open = (field: string) => `create${field}(input: { customerId: "c1" }) { userErrors { code } }`;
    for (const document of [plain, bank, open('VirtualAccount'), open('OneTimeAccount')]) {
      for (const one of ['a', 'b', 'a']) {
        const headers = { authorization: `Bearer ${one}`, svcprivatekey: one, 'idempotency-key': 'key' };
        expect(codes(await query(gateway, `mutation { ${document} }`, { headers }))).toEqual([]);
      }
    }
    expect(upstream.requests).toHaveLength(8);
  });

  const ada = 'createCustomer(input: { reference: "r", firstName: "Ada", idempotencyKey: "key" }) { customer { id } }';
  const open = `createOneTimeAccount(input: { customerId: "c1", amount: "5.00", idempotencyKey: "key" }) {
    oneTimeAccount { id }
  }`;
  it.each([
    ['another value', ada, ada.replace('Ada', 'Eve')],
    ['a field less', ada, ada.replace('firstName: "Ada", ', '')],
    ['values that have changed places', ada, ada.replace('"r", firstName: "Ada"', '"Ada", firstName: "r"')],
    ['another customer', open, open.replace('c1', 'c2')],
    ['another amount', open, open.replace('5.00', '5.01')],
    ['another spelling of its amount', open, open.replace('5.00', '5')],
  ])('is IDEMPOTENCY_KEY_REUSED with %s, without a call', async (_, document, other) => {
    const { gateway, upstream } = await startStored(numbered());
    const [first, reused, again] = [
      await query(gateway, `mutation { ${document} }`),
      await query(gateway, `mutation { ${other} }`),
      await query(gateway, `mutation { ${document} }`),
    ];
    expect([first, reused, again].map(codes)).toEqual([[], ['IDEMPOTENCY_KEY_REUSED'], []]);
    expect(reused.errors[0]?.extensions['retryable']).toBe(false);
    expect(again.data).toEqual(first.data);
    expect(upstream.requests).toHaveLength(1);
  });

  it('without a value is a create without a key, or takes that of the header', async () => {
    const { gateway } = await startStored(numbered());
    const headers = { 'idempotency-key': 'header-key' };
    const answers = [
      await createCustomer(gateway, { key: null }),
      await createCustomer(gateway, { key: null }),
      await createCustomer(gateway, { key: null, headers }),
      await createCustomer(gateway, { key: 'header-key' }),
    ];
    expect(answers.map(idOf)).toEqual(['c1', 'c2', 'c3', 'c3']);
  });
});

describe('the shape of a key', () => {
  const refused: readonly [name: string, key: string][] = [
    ['empty', ''],
    ['a space', 'a key'],
    ['too long', 'k'.repeat(256)],
    ['a tab', 'a\tkey'],
    ['beyond ASCII', 'kéy'],
    ['a line end', 'key\n'],
    ['a control character', 'key\u007F'],
  ];

  it('is BAD_USER_INPUT where it is another, without a call', async () => {
    const { gateway, upstream } = await startStored(numbered());
    for (const [name, key] of refused) {
      const answer = await createCustomer(gateway, { key });
      expect(codes(answer), `for ${name}`).toEqual(['BAD_USER_INPUT']);
      expect(answer.data, `for ${name}`).toEqual({ createCustomer: null });
    }
    // No client can send the last two in a header.
    for (const [name, key] of refused.slice(0, -2)) {
      const answer = await queryRaw(gateway, `mutation { ${plain} }`, { ...credentials, 'idempotency-key': key });
      expect(codes(answer), `for ${name}`).toEqual(['BAD_USER_INPUT']);
    }
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ['one character', '!'],
    ['the longest', '~'.repeat(255)],
    ['a quoted UUID', '"5f0c6a52-6c5e-4b3f-9d1a-000000000000"'],
  ])('is right as %s, in an input and in a header', async (_, key) => {
    const { gateway, upstream } = await startStored(numbered());
    const byInput = await createCustomer(gateway, { key });
    const byHeader = await createCustomer(gateway, { headers: { 'idempotency-key': key } });
    expect(byInput.errors).toEqual([]);
    expect(byHeader.data).toEqual(byInput.data);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is BAD_USER_INPUT for each create of its own', async () => {
    const { gateway, upstream } = await startStored(numbered());
    const one = (alias: string, key: string) =>
      `${alias}: createCustomer(input: { reference: "r", idempotencyKey: "${key}" }) { customer { id } }`;
    const { data, errors } = await query(gateway, `mutation { ${one('a', 'bad key')} ${one('b', 'good-key')} }`);
    expect(data).toEqual({ a: null, b: { customer: { id: 'c1' } } });
    expect(errors.map(({ path }) => path)).toEqual([['a']]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('the header Idempotency-Key', () => {
  const ambiguous: readonly [name: string, document: string][] = [
    ['two creates', `mutation { a: ${plain} b: ${plain} }`],
    ['creates of two kinds', `mutation { ${plain} ${bank} }`],
    ['a fragment', `mutation { ...F b: ${plain} } fragment F on Mutation { ${plain} }`],
    [
      '@skip by a variable that is false',
      `mutation ($no: Boolean! = false) { ${plain} ... @skip(if: $no) { b: ${plain} } }`,
    ],
  ];

  it('is BAD_USER_INPUT with more than one create, without a call', async () => {
    const { gateway, upstream } = await startStored(numbered());
    for (const [name, document] of ambiguous) {
      expect(codes(await withHeader(gateway, document)), `for ${name}`).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT']);
    }
    expect(upstream.requests).toEqual([]);
  });

  const single: readonly [name: string, document: string, calls: number, operationName?: string][] = [
    ['an alias', `mutation { mine: ${plain} }`, 1],
    ['the same field twice', `mutation { ${plain} ${plain} }`, 1],
    ['the same field in a fragment', `mutation { ${plain} ...F } fragment F on Mutation { ${plain} }`, 1],
    ['a fragment', `mutation { ...F ...F } fragment F on Mutation { ${plain} }`, 1],
    [
      'a create left out by a variable',
      `mutation ($no: Boolean! = false) { ${plain} ... @include(if: $no) { b: ${plain} } }`,
      1,
    ],
    ['another operation of the document', `mutation One { ${plain} } mutation Two { ${plain} }`, 1, 'One'],
    ['an update beside it', `mutation { ${update} ${plain} }`, 2],
  ];

  it.each(single)('counts with one create: %s', async (_, document, calls, operationName) => {
    const { gateway, upstream } = await startStored(numbered());
    const ask = () =>
      query(gateway, document, { operationName, headers: { ...credentials, 'idempotency-key': 'key' } });
    const first = await ask();
    expect(first.errors).toEqual([]);
    expect(upstream.requests).toHaveLength(calls);
    await ask();
    expect(postsOf(upstream.requests)).toHaveLength(1);
  });

  it('is BAD_USER_INPUT beside a key in the input and when it is repeated, without a call', async () => {
    const { gateway, upstream } = await startStored(numbered());
    const both = await createCustomer(gateway, { key: 'key', headers: { 'idempotency-key': 'key' } });
    const twice = { ...credentials, 'idempotency-key': ['key', 'key'] };
    const repeated = await queryRaw(gateway, `mutation { ${plain} }`, twice);
    expect([both, repeated].map(codes)).toEqual([['BAD_USER_INPUT'], ['BAD_USER_INPUT']]);
    expect(upstream.requests).toEqual([]);
  });

  it('is ignored on queries, and on updates, which are sent each time', async () => {
    const { gateway, upstream } = await startStored(() => success({ id: 'c1' }));
    const answers = [
      await withHeader(gateway, `mutation { ${update} }`),
      await withHeader(gateway, `mutation { ${update} }`),
      await withHeader(gateway, `mutation { a: ${update} b: ${update} }`, 'not a key'),
      await withHeader(gateway, '{ customer(id: "c1") { type } }', 'not a key'),
    ];
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(upstream.requests).toHaveLength(5);
    expect(upstream.requests.flatMap(({ headers }) => headers['idempotency-key'] ?? [])).toEqual([]);
  });
});

/** A gateway that meets `first`, and from then on records of their own. */
const afterwards = (first: Reply, environment: Readonly<Record<string, string>> = {}) =>
  startStored(routed({ 'POST /customers/': [first, success({ id: 'c2' }, 201)] }), { environment });

describe('a key whose create did not happen', () => {
  it.each<[name: string, reply: Reply, told: string]>([
    ['401', failure(401), 'UNAUTHENTICATED'],
    ['422', failure(422), 'REJECTED'],
    ['a failure inside HTTP 200', failure(200), 'REJECTED'],
  ])('is free after %s, for another input too', async (_, reply, told) => {
    const { gateway, upstream } = await afterwards(reply);
    const first = await createCustomer(gateway, { key: 'key' });
    const second = await createCustomer(gateway, { key: 'key', input: { reference: 'corrected' } });
    const userErrors = (first.data.createCustomer?.userErrors ?? []) as readonly { readonly code: string }[];
    expect([...codes(first), ...userErrors.map(({ code }) => code)]).toEqual([told]);
    expect([second.errors, idOf(second)]).toEqual([[], 'c2']);
    expect(upstream.requests).toHaveLength(2);
  });

  it('is free after a refused connection', async () => {
    const url = await freeUrl();
    const gateway = await startGateway({ upstream: url, environment: storeInMemory });
    const first = await createCustomer(gateway, { key: 'key' });
    expect(codes(first)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(first.errors[0]?.extensions['retryable']).toBe(true);
    const upstream = await startUpstream(numbered(), Number(new URL(url).port));
    onTestFinished(upstream.close);
    const second = await createCustomer(gateway, { key: 'key' });
    expect([second.errors, idOf(second)]).toEqual([[], 'c1']);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is free after the end of a request that it waited in', async () => {
    const { gateway, upstream, gate } = await startGated({
      environment: { UPSTREAM_CONNECTIONS: '1', REQUEST_TIMEOUT_MS: '500' },
    });
    const ahead = createCustomer(gateway);
    await gate.reached;
    const first = await createCustomer(gateway, { key: 'key' });
    expect(first.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true } }]);
    gate.open();
    await ahead;
    const second = await createCustomer(gateway, { key: 'key' });
    expect([second.errors, idOf(second)]).toEqual([[], 'c1']);
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('a key whose create may have happened', () => {
  const lookup = { field: 'customers', by: ['reference'] };
  it.each<[name: string, reply: Reply]>([
    ['a record that says it failed', success({ id: 'c1', status: 'failed' })],
    ['500', failure(500)],
    ['a cut connection', { cut: true }],
    ['a time-out', { hang: true }],
  ])('is OUTCOME_UNKNOWN after %s, and ever after, and taken by no other input', async (_, reply) => {
    const { gateway, upstream } = await afterwards(reply, { UPSTREAM_TIMEOUT_MS: '500' });
    const answers = [
      await createCustomer(gateway, { key: 'key' }),
      await createCustomer(gateway, { key: 'key', input: { reference: 'other' } }),
      await createCustomer(gateway, { key: 'key' }),
    ];
    expect(answers.map(codes)).toEqual([['OUTCOME_UNKNOWN'], ['IDEMPOTENCY_KEY_REUSED'], ['OUTCOME_UNKNOWN']]);
    expect(answers[2]?.errors[0]?.extensions).toMatchObject({ operation: 'createCustomer', retryable: false, lookup });
    expect(upstream.requests).toHaveLength(1);
  });

  it('has its late answer recorded after REQUEST_TIMEOUT_MS', async () => {
    const { gateway, upstream, gate } = await startGated({ environment: { REQUEST_TIMEOUT_MS: '500' } });
    const first = await createCustomer(gateway, { key: 'key' });
    expect(codes(first)).toEqual(['OUTCOME_UNKNOWN']);
    gate.open();
    const second = await createCustomer(gateway, { key: 'key' });
    expect([second.errors, idOf(second)]).toEqual([[], 'c1']);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('what needs no key', () => {
  /** How many keys a store holds. */
  const entriesIn = (file: string): unknown => {
    const database = new DatabaseSync(file, { readOnly: true });
    const row = database.prepare('SELECT count(*) AS count FROM entries').get();
    database.close();
    return row?.['count'];
  };

  it.each([
    ['userErrors of its own', { input: { nin: '1' } }, {}],
    ['a missing credential', {}, { svcprivatekey: '' }],
    ['a bad key', { key: 'a bad key' }, {}],
  ])('leaves the store alone: %s', async (_, options, headers) => {
    const file = join(await temporaryFolder(), 'keys.sqlite');
    const environment = { IDEMPOTENCY_STORE: `sqlite:${file}` };
    const { gateway, upstream } = await startStored(numbered(), { environment });
    await createCustomer(gateway, { key: 'key', ...options, headers });
    expect(upstream.requests).toEqual([]);
    await createCustomer(gateway);
    expect(entriesIn(file)).toBe(0);
    await createCustomer(gateway, { key: 'key' });
    expect(entriesIn(file)).toBe(1);
  });
});

it('a gateway that stops records before that the outcome of a create whose client has left', async () => {
  const file = join(await temporaryFolder(), 'keys.sqlite');
  const environment = { IDEMPOTENCY_STORE: `sqlite:${file}`, REQUEST_TIMEOUT_MS: '1000' };
  const { gateway, upstream, gate } = await startGated({ environment });
  expect(codes(await createCustomer(gateway, { key: 'key' }))).toEqual(['OUTCOME_UNKNOWN']);
  const closed = gateway.close();
  const reachable = () =>
    fetch(gateway.url).then(
      () => 'open',
      () => 'closed',
    );
  await expect.poll(reachable).toBe('closed');
  gate.open();
  await closed;
  const next = await startGateway({ upstream: upstream.url, environment });
  expect(idOf(await createCustomer(next, { key: 'key' }))).toBe('c1');
  expect(upstream.requests).toHaveLength(1);
});

describe('a deployment without a store', () => {
  const production = { environment: { NODE_ENV: 'production' } };

  it.each(creates)('takes no key, and sends nothing for one: %s', async (field, input, record) => {
    const { gateway, upstream } = await startScripted(numbered(), production);
    const create = (more: string) => `mutation { ${field}(input: { ${input}${more} }) { ${record} { id } } }`;
    const byInput = await query(gateway, create(', idempotencyKey: "key"'));
    const byHeader = await withHeader(gateway, create(''));
    const byEmptyHeader = await queryRaw(gateway, create(''), { ...credentials, 'idempotency-key': '' });
    expect([byInput, byHeader, byEmptyHeader].flatMap(codes)).toEqual(Array(3).fill('BAD_USER_INPUT'));
    expect(upstream.requests).toEqual([]);
  });
});

describe('equal creates at the same time', () => {
  it('with another input do not wait', async () => {
    const { gateway, upstream, gate } = await startGated();
    const first = createCustomer(gateway, { key: 'key' });
    await gate.reached;
    const other = await createCustomer(gateway, { key: 'key', input: { reference: 'other' } });
    expect(codes(other)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
    gate.open();
    expect((await first).errors).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('are sent again, by one of them, where the first one was refused', async () => {
    const replies = [failure(422), success({ id: 'c2' }, 201)];
    const { gateway, upstream, gate } = await startGated({}, () => replies.shift() ?? { cut: true });
    const asked = Array.from({ length: 5 }, () => createCustomer(gateway, { key: 'key' }));
    await gate.reached;
    gate.open();
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ data }) => data.createCustomer.userErrors.length > 0);
    const created = answers.filter(({ data }) => data.createCustomer.customer?.id === 'c2');
    expect([refused.length, created.length]).toEqual([1, 4]);
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('a store in a file', () => {
  const inFile = async () => {
    const folder = await temporaryFolder();
    return { folder, file: join(folder, 'keys.sqlite') };
  };
  const storeIn = (file: string, more: Readonly<Record<string, string>> = {}) => ({
    environment: { IDEMPOTENCY_STORE: `sqlite:${file}`, ...more },
  });

  it('survives a restart', async () => {
    const { file } = await inFile();
    const { gateway, upstream } = await startStored(
      routed({ 'POST /customers/': [success({ id: 'c1' }, 201), { cut: true }, failure(422), success({ id: 'c4' })] }),
      storeIn(file),
    );
    const before = [
      await createCustomer(gateway, { key: 'done' }),
      await createCustomer(gateway, { key: 'unknown' }),
      await createCustomer(gateway, { key: 'refused' }),
    ];
    await gateway.close();
    const restarted = await startGateway({ upstream: upstream.url, ...storeIn(file) });
    const done = await createCustomer(restarted, { key: 'done' });
    const unknown = await createCustomer(restarted, { key: 'unknown' });
    const reused = await createCustomer(restarted, { key: 'done', input: { reference: 'other' } });
    expect(done.data).toEqual(before[0]?.data);
    expect([codes(unknown), codes(reused)]).toEqual([['OUTCOME_UNKNOWN'], ['IDEMPOTENCY_KEY_REUSED']]);
    expect(upstream.requests).toHaveLength(3);
    expect(idOf(await createCustomer(restarted, { key: 'refused' }))).toBe('c4');
    expect(upstream.requests).toHaveLength(4);
  });

  it('makes its folder', async () => {
    const { folder } = await inFile();
    const file = join(folder, 'new', 'folders', 'keys.sqlite');
    const { gateway, upstream } = await startStored(numbered(), storeIn(file));
    await createCustomer(gateway, { key: 'key' });
    await createCustomer(gateway, { key: 'key' });
    expect(upstream.requests).toHaveLength(1);
    // Nobody else on the machine may look into it.
    const paths = [join(folder, 'new'), file, `${file}-wal`];
    const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777));
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it('says in the log that an outcome was not recorded', async () => {
    const { file } = await inFile();
    const { log, lines } = captureLog();
    const { gateway, gate } = await startGated({ ...storeIn(file), log });
    const creating = createCustomer(gateway, { key: 'key' });
    await gate.reached;
    changeStore(file, 'DROP TABLE entries');
    gate.open();
    expect(idOf(await creating)).toBeDefined();
    const told = () => lines.filter((line) => line.includes('an outcome was not recorded'));
    // It is tried for 15 s.
    await expect.poll(told, { timeout: 25_000 }).toHaveLength(1);
    const keysOf = (text: string) =>
      lines.flatMap((line) => (line.includes(text) ? [(JSON.parse(line) as { readonly key?: unknown }).key] : []));
    expect(keysOf('an outcome was not recorded')).toEqual([expect.stringMatching(/^.{12}$/)]);
    expect(keysOf('an outcome was not recorded')).toEqual(keysOf('"msg":"write"'));
  }, 40_000);

  it('is one for two servers, where equal creates at the same time are one and all have its answer', async () => {
    const { file } = await inFile();
    const { gateway, upstream, gate } = await startGated(storeIn(file));
    const other = await startGateway({ upstream: upstream.url, ...storeIn(file) });
    const asked = Array.from({ length: 20 }, (_, at) => createCustomer(at % 2 ? gateway : other, { key: 'key' }));
    await gate.reached;
    gate.open();
    const answers = await Promise.all(asked);
    expect(answers.map(({ errors, data }) => [errors, data])).toEqual(answers.map(() => [[], answers[0]?.data]));
    expect(upstream.requests).toHaveLength(1);
  });

  it('knows no key under another secret', async () => {
    const { file } = await inFile();
    const secret = (letter: string) => storeIn(file, { FINGERPRINT_SECRET: letter.repeat(32) });
    const { gateway, upstream } = await startStored(numbered(), secret('a'));
    const other = await startGateway({ upstream: upstream.url, ...secret('b') });
    const ids = [];
    for (const one of [gateway, other, gateway]) ids.push(idOf(await createCustomer(one, { key: 'key' })));
    expect(ids).toEqual(['c1', 'c2', 'c1']);
  });

  /** What is left of a gateway that is killed while a create is on its way: a copy of its store. */
  const killedWhileCreating = async () => {
    const { folder, file } = await inFile();
    const { gateway, upstream, gate } = await startGated(storeIn(file));
    const creating = createCustomer(gateway, { key: 'key' });
    await gate.reached;
    const left = join(await temporaryFolder(), 'left');
    await cp(folder, left, { recursive: true });
    gate.open();
    await creating;
    return { upstream, left: join(left, 'keys.sqlite') };
  };
  it('leaves a create whose process died OUTCOME_UNKNOWN, for good', async () => {
    const { upstream, left } = await killedWhileCreating();
    changeStore(left, 'UPDATE entries SET deadline = 0');
    const gateway = await startGateway({ upstream: upstream.url, ...storeIn(left) });
    const answers = [await createCustomer(gateway, { key: 'key' }), await createCustomer(gateway, { key: 'key' })];
    expect(answers.map(codes)).toEqual([['OUTCOME_UNKNOWN'], ['OUTCOME_UNKNOWN']]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('waits for a create that may still be on its way in another process', async () => {
    const { upstream, left } = await killedWhileCreating();
    const gateway = await startGateway({ upstream: upstream.url, ...storeIn(left, { REQUEST_TIMEOUT_MS: '500' }) });
    const waiting = await createCustomer(gateway, { key: 'key' });
    expect(codes(waiting)).toEqual(['OUTCOME_UNKNOWN']);
    expect(upstream.requests).toHaveLength(1);
  });

  it('holds until when a create may be on its way: as long as its request, then one call, and a second more', async () => {
    const { file } = await inFile();
    const limits = { REQUEST_TIMEOUT_MS: '20000', UPSTREAM_TIMEOUT_MS: '7000' };
    const { gateway, gate } = await startGated(storeIn(file, limits));
    const before = Date.now();
    const creating = createCustomer(gateway, { key: 'key' });
    await gate.reached;
    const reader = new DatabaseSync(file, { readOnly: true });
    const deadline = Number(reader.prepare('SELECT deadline FROM entries').get()?.['deadline']) - 28_000;
    reader.close();
    // Two clocks are compared, of which one may be set meanwhile.
    expect(deadline).toBeGreaterThan(before - 400);
    expect(deadline).toBeLessThan(Date.now() + 400);
    gate.open();
    await creating;
  });

  it('and the log hold nothing that can be read', async () => {
    const { folder, file } = await inFile();
    const { log, lines } = captureLog();
    const answered = { id: 'planted-record', first_name: identity.firstName, email: identity.email };
    const replies = [success(answered, 201), { cut: true }, success(answered, 201)];
    const { gateway, upstream } = await startStored(() => replies.shift() ?? {}, { ...storeIn(file), log });
    await createCustomer(gateway, { key: 'planted-done-key', input: identity, headers: plantedHeaders });
    await createCustomer(gateway, { key: 'planted-unknown-key', input: identity, headers: plantedHeaders });
    await query(
      gateway,
      'mutation { createSettlementBank(input: { name: "Plantedbank", idempotencyKey: "planted-done-key" }) { settlementBank { id } } }',
      { headers: plantedHeaders },
    );
    const running = await bytesIn(folder);
    await gateway.close();
    const closed = await bytesIn(folder);
    const planted = [...Object.values(identity), ...plantedSecrets, 'planted-record', 'Plantedbank'];
    expect(upstream.requests).toHaveLength(3);
    expect(running).toContain('answered');
    expect(foundIn(running, planted)).toEqual([]);
    expect(foundIn(closed, planted)).toEqual([]);
    // The log names records by their ids, and nothing else of them.
    expect(foundIn(lines.join(''), planted)).toEqual(['planted-record']);
  });
});
