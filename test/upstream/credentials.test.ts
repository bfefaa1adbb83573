import { describe, expect, it } from 'vitest';
import { createIdentify, waitingCaller } from '../../src/upstream/credentials/credentials.ts';
import { createGate } from '../support/create.ts';
import {
  codes,
  credentials,
  query,
  startGateway,
  startScripted,
  type GraphQLAnswer,
  type GraphQLErrorAnswer,
} from '../support/gateway.ts';
import { queryRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { freeUrl } from '../support/ports.ts';
import { routed } from '../support/upstream/script.ts';
import { failure, identifierIn, success, type SeenRequest } from '../support/upstream/upstream.ts';

const twoGroups = '{ customer(id: "c1") { type } settlementBank(id: "b1") { name } }';
const records = {
  'GET /customers/c1': success({ id: 'c1', type: 'wallet' }),
  'GET /settlement-banks/b1': success({ id: 'b1', name: 'Main' }),
};
const both = ['bearer', 'privateKey'];

const credentialsOf = ({ headers }: SeenRequest) =>
  ['authorization', 'svcprivatekey'].flatMap((name) => headers[name] ?? []);
const pathsOf = (requests: readonly SeenRequest[]) => requests.map(({ path }) => path.replace('/api/v1', ''));
/** The header that an error names; HTTP does not tell its cases apart. */
const headerOf = ({ extensions }: GraphQLErrorAnswer) => String(extensions['header']).toLowerCase();
const headersOf = ({ errors }: GraphQLAnswer) => errors.map(headerOf);

describe('an identity', () => {
  const credential = (value?: string) => ({ header: 'any', value, fault: undefined });
  const pair = (bearer?: string, privateKey?: string) => ({
    bearer: credential(bearer),
    privateKey: credential(privateKey),
  });

  it.each(['bearer', 'privateKey'] as const)('is another for another %s alone', (name) => {
    const identify = createIdentify(Buffer.alloc(32));
    const callers = ['a', 'b'].map((value) => {
      const credentials = { ...pair(), [name]: credential(value) };
      return waitingCaller({ credentials, identity: identify(credentials) });
    });
    expect(new Set(callers).size).toBe(2);
  });

  it('is that of the key that came with a token later, and never one that only reads the same', () => {
    const identify = createIdentify(Buffer.alloc(32));
    const before = identify(pair('token')).callers.bearer;
    const { callers } = identify(pair('token', 'key'));
    expect(identify(pair('token')).callers.bearer).toBe(callers.privateKey);
    expect(before).not.toBe(callers.privateKey);
    const alike = [pair('ab', 'c'), pair('a', 'bc'), pair('c', 'ab'), pair('bc', 'a')].map(identify);
    expect(new Set(alike.map(({ fingerprint }) => fingerprint)).size).toBe(4);
    expect(identify(pair('same')).callers.bearer).not.toBe(identify(pair(undefined, 'same')).callers.privateKey);
  });
});

describe('which credential travels', () => {
  it('is what the row of the operation names', async () => {
    const { gateway, upstream } = await startScripted(routed(records), {
      contract: { 'getCustomer.credentials': both },
    });
    await query(
      gateway,
      '{ customer(id: "c1") { type balance { value { amount } } } settlementBank(id: "b1") { name } }',
    );
    const seen = upstream.requests.map((request) => [pathsOf([request])[0], credentialsOf(request)]);
    expect(Object.fromEntries(seen)).toEqual({
      '/customers/c1': ['Bearer test-token', 'test-key'],
      '/customers/c1/balance': ['test-key'],
      '/settlement-banks/b1': ['Bearer test-token'],
    });
  });

  it('is taken under the name of its inbound header and sent under its own, an end user’s never', async () => {
    const environment = { BEARER_HEADER_IN: 'X-Merchant-Authorization', PRIVATE_KEY_HEADER_IN: 'X-Merchant-Key' };
    const { gateway, upstream } = await startScripted(routed(records), { environment });
    const ofEndUser = { authorization: 'Bearer end-user-token', svcprivatekey: 'end-user-key' };
    const refused = await query(gateway, twoGroups, { headers: ofEndUser });
    expect(headersOf(refused)).toEqual(['x-merchant-key', 'x-merchant-authorization']);
    expect(upstream.requests).toEqual([]);
    const ofMerchant = { 'x-merchant-authorization': 'Bearer merchant-token', 'x-merchant-key': 'merchant-key' };
    expect(codes(await query(gateway, twoGroups, { headers: { ...ofMerchant, ...ofEndUser } }))).toEqual([]);
    const sent = upstream.requests.flatMap(credentialsOf).toSorted();
    expect(sent).toEqual(['Bearer merchant-token', 'merchant-key']);
    expect(JSON.stringify(upstream.requests)).not.toMatch(/end-user|x-merchant/);
  });

  it('is the only header of the caller that does', async () => {
    const { gateway, upstream } = await startScripted(routed(records));
    const headers = {
      ...credentials,
      cookie: 'session=planted',
      'x-forwarded-for': '192.0.2.1',
      'x-api-key': 'planted',
    };
    await query(gateway, twoGroups, { headers });
    const names = new Set(upstream.requests.flatMap((request) => Object.keys(request.headers)));
    expect([...names].sort()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'svcprivatekey',
      'user-agent',
    ]);
  });
});

describe('a bearer of another scheme', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const stated = (scheme: string) => ({ 'service.bearerScheme': scheme });

  it.each<[scheme: string, tokens: readonly string[], sent: readonly string[]]>([
    ['Token', ['t1', 't2'], ['Token t1', 'Token t2']],
    ['Basic', ['k1', 'k2'], [`Basic ${base64('k1:')}`, `Basic ${base64('k2:')}`]],
    ['basic', ['user:k1', ':k2'], [`basic ${base64('user:k1')}`, `basic ${base64(':k2')}`]],
  ])('%s is sent to the operations of a bearer, that of each caller for its own requests alone', async (...given) => {
    const [scheme, tokens, sent] = given;
    const script = ({ path }: SeenRequest) => success({ id: identifierIn(path), name: 'Main', type: 'wallet' });
    const { gateway, upstream } = await startScripted(script, { contract: stated(scheme) });
    const ask = (token: string, id: string) =>
      query(gateway, `{ settlementBank(id: "b${id}") { name } customer(id: "c${id}") { type } }`, {
        headers: { authorization: `Bearer ${token}`, svcprivatekey: `key-${id}` },
      });
    const rounds = Array.from({ length: 5 }, () => tokens.map((token, index) => ask(token, String(index))));
    expect((await Promise.all(rounds.flat())).flatMap(codes)).toEqual([]);
    const seen = upstream.requests.map((request) => `${pathsOf([request])[0]} ${credentialsOf(request).join()}`);
    expect([...new Set(seen)].toSorted()).toEqual([
      '/customers/c0 key-0',
      '/customers/c1 key-1',
      `/settlement-banks/b0 ${sent[0]}`,
      `/settlement-banks/b1 ${sent[1]}`,
    ]);
  });

  it('is told to no answer and no log line, in none of its forms, where a refusal repeats it', async () => {
    const { log, lines } = captureLog();
    const token = 'planted-user:planted-password';
    const forms = [token, base64(token), base64(token).replaceAll('=', ''), 'planted-password'];
    const script = ({ headers }: SeenRequest) =>
      failure(422, `${String(headers['authorization'])} is ${forms.join(' or ')}`);
    const { gateway, upstream } = await startScripted(script, { contract: stated('Basic'), log });
    const headers = { authorization: `Bearer ${token}` };
    const create = 'mutation { createSettlementBank(input: {}) { userErrors { message } } }';
    const { data, errors } = await query(gateway, create, { headers });
    expect(upstream.requests.map(credentialsOf)).toEqual([[`Basic ${base64(token)}`]]);
    expect(data.createSettlementBank.userErrors).toEqual([{ message: expect.stringMatching(/^Basic …=? is/) }]);
    const told = JSON.stringify([data, errors]) + lines.join('');
    expect(forms.filter((form) => told.includes(form))).toEqual([]);
  });

  it('of one caller replays no answer of another’s key', async () => {
    const script = ({ headers }: SeenRequest) => success({ id: String(headers['authorization']).length }, 201);
    const { gateway, upstream } = await startScripted(script, {
      contract: stated('Basic'),
      environment: { IDEMPOTENCY_STORE: 'sqlite::memory:' },
    });
    const create = 'mutation { createSettlementBank(input: { idempotencyKey: "k" }) { settlementBank { id } } }';
    for (const token of ['k1', 'k1', 'k22'])
      expect(codes(await query(gateway, create, { headers: { authorization: `Bearer ${token}` } }))).toEqual([]);
    expect(upstream.requests.map(credentialsOf)).toEqual([[`Basic ${base64('k1:')}`], [`Basic ${base64('k22:')}`]]);
  });
});

describe('a credential that cannot be used', () => {
  it.each<[what: string, privateKey?: string | string[], bearer?: string | string[]]>([
    ['missing'],
    ['repeated', ['test-key', 'test-key'], ['Bearer test-token', 'Bearer test-token']],
    ['empty', '', ''],
    ['over 4 KiB', 'k'.repeat(4097), `Bearer ${'t'.repeat(4097)}`],
    ['not ASCII', 'test-kéy', 'Bearer test-tokén'],
    ['with a space inside', 'test key', 'Bearer test token'],
    ['without a token', 'test\tkey', 'Bearer'],
    ['of another scheme', '', 'Basic dGVzdA=='],
  ])('%s fails only the fields that need it, without a call', async (what, privateKey, bearer) => {
    const fault = what === 'missing' ? what : 'malformed';
    for (const [header, field, value, remedy] of [
      ['svcprivatekey', 'customer', privateKey, 'Send one credential in it.'],
      ['authorization', 'settlementBank', bearer, 'Its value must read `Bearer <token>`.'],
    ] as const) {
      const { gateway, upstream } = await startScripted(routed(records));
      const { [header]: _replaced, ...rest } = credentials as Readonly<Record<string, string>>;
      const answer = await queryRaw(gateway, twoGroups, { ...rest, ...(value !== undefined && { [header]: value }) });
      expect([codes(answer), headersOf(answer)]).toEqual([['UNAUTHENTICATED'], [header]]);
      const message = expect.stringMatching(RegExp(`^The header ${header} is ${fault}. ${remedy}$`, 'i'));
      expect(answer.errors).toMatchObject([{ message, path: [field], extensions: { retryable: false } }]);
      expect(upstream.requests.flatMap((request) => request.headers[header] ?? [])).toEqual([]);
      expect(upstream.requests).toHaveLength(1);
    }
  });

  it('is none that is spelt in capitals, has its scheme in another case, or 4 KiB', async () => {
    const { gateway, upstream } = await startScripted(routed(records));
    const headers = { 'X-Any': 'svcprivatekey', SVCPrivateKey: 'k'.repeat(4096), AUTHORIZATION: 'bEARER test-token' };
    expect((await queryRaw(gateway, twoGroups, headers)).errors).toEqual([]);
    expect(upstream.requests.flatMap(credentialsOf)).toContain('Bearer test-token');
  });

  it.each(['{}', '{ idempotencyKey: "k" }'])('refuses a write without a call, each time: %s', async (input) => {
    const { gateway, upstream } = await startScripted(() => success({}), {
      environment: { REQUEST_TIMEOUT_MS: '500' },
    });
    const document = `mutation { createCustomer(input: ${input}) { customer { id } } }`;
    // With a key the second one would wait where the first one had claimed it.
    for (const _ of ['first', 'second']) {
      const answer = await query(gateway, document, { headers: {} });
      expect([codes(answer), headersOf(answer)]).toEqual([['UNAUTHENTICATED'], ['svcprivatekey']]);
    }
    expect(upstream.requests).toEqual([]);
  });
});

describe('after a 401', () => {
  const keyTwice = ['svcprivatekey', 'svcprivatekey'];

  it.each([
    ['of HTTP', failure(401)],
    ['in the body of an HTTP 200', { json: { success: false, code: 401, message: 'No.' } }],
    ['whose text reads like that of a duplicate', failure(401, 'This key is already in use elsewhere.')],
  ])('%s nothing more is sent with the private key while the bearer goes on', async (_, refusal) => {
    const script = routed({ 'PATCH /customers/c1': refusal, 'POST /settlement-banks/': success({ id: 'b1' }, 201) });
    const { gateway, upstream } = await startScripted(script, {
      contract: { 'createCustomerVirtualAccount.credentials': both },
    });
    const document = `mutation {
      customer: updateCustomer(input: { id: "c1" }) { customer { id } }
      account: createVirtualAccount(input: { customerId: "c1" }) { virtualAccount { id } }
      bank: createSettlementBank(input: {}) { settlementBank { id } }
    }`;
    const answer = await query(gateway, document);
    expect([codes(answer), headersOf(answer)]).toEqual([['UNAUTHENTICATED', 'UNAUTHENTICATED'], keyTwice]);
    const message = 'The payments service does not accept the credential in SVCPRIVATEKEY. Send a valid one.';
    for (const error of answer.errors) expect(error).toMatchObject({ message, extensions: { retryable: false } });
    expect(answer.data.bank).toEqual({ settlementBank: { id: 'b1' } });
    expect(pathsOf(upstream.requests)).toEqual(['/customers/c1', '/settlement-banks/']);
  });

  it('of a nested read no later write is sent, nor what waits for a connection, which counts as no call', async () => {
    const { log, lines } = captureLog();
    const script = routed({ 'PATCH /customers/c1': success({ id: 'c1' }), 'GET /customers/c1/balance': failure(401) });
    const { gateway, upstream } = await startScripted(script, { environment: { UPSTREAM_CONNECTIONS: '1' }, log });
    const update =
      'updateCustomer(input: { id: "c1" }) { customer { id balance { value { amount } } transactions { totalCount } } }';
    const answer = await query(gateway, `mutation { a: ${update} b: ${update} }`);
    expect(new Set(codes(answer))).toEqual(new Set(['UNAUTHENTICATED']));
    expect(answer.data.b).toBeNull();
    expect(pathsOf(upstream.requests)).toEqual(['/customers/c1', '/customers/c1/balance']);
    await expect.poll(() => lines.find((line) => line.includes('"msg":"request"'))).toContain('"calls":2');
  });

  it('what has a connection already is not sent', async () => {
    const held: (() => void)[] = [];
    // Three connections are two for one caller: the answer to `a` admits `c` just before that to `b` is read.
    const { gateway, upstream } = await startScripted(
      async ({ path }) => {
        await new Promise<void>((resolve) => held.push(resolve) === 2 && held.forEach((release) => release()));
        return path.endsWith('/b') ? failure(401) : success({ id: 'a', type: 'wallet' });
      },
      { environment: { UPSTREAM_CONNECTIONS: '3' } },
    );
    const document = '{ a: customer(id: "a") { type } b: customer(id: "b") { type } c: customer(id: "c") { type } }';
    const answer = await query(gateway, document);
    expect(answer.data).toEqual({ a: { type: 'wallet' }, b: null, c: null });
    expect(codes(answer)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('a caller', () => {
  const ofCustomers = '{ customer(id: "c1") { type } }';
  const ofBanks = '{ settlementBank(id: "b1") { name } }';
  type Asked = readonly [document: string, headers: Readonly<Record<string, string>>];
  const sends = (document: string, svcprivatekey?: string, token?: string): Asked => [
    document,
    {
      ...(svcprivatekey !== undefined && { svcprivatekey }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  ];

  it.each<[what: string, sent: number, asked: readonly Asked[]]>([
    ['that sends a key and a token is one', 1, [sends(twoGroups, 'k1', 't1')]],
    ['with one key and two tokens is one', 1, [sends(ofCustomers, 'k1', 't1'), sends(ofCustomers, 'k1', 't2')]],
    [
      'with the token of another one’s key is that one',
      1,
      [sends(ofCustomers, 'k1', 't1'), sends(ofBanks, 'k2', 't1')],
    ],
    ['with another key and no token is another one', 2, [sends(ofCustomers, 'k1'), sends(ofCustomers, 'k2')]],
    [
      'with another token and no key is another one',
      2,
      [sends(ofBanks, undefined, 't1'), sends(ofBanks, undefined, 't2')],
    ],
  ])('%s: %i calls are in flight where each may have one', async (_, sent, asked) => {
    const gate = createGate();
    const script = async ({ path }: SeenRequest) => {
      if (!path.endsWith('/control')) await gate.pass();
      return success({ id: identifierIn(path) });
    };
    const { gateway, upstream } = await startScripted(script, { environment: { MAX_CALLS_PER_CALLER: '1' } });
    const ofControl = '{ customer(id: "control") { type } settlementBank(id: "control") { name } }';
    const control = () =>
      query(gateway, '{ customer(id: "control") { type } }', { headers: { svcprivatekey: 'control' } });
    // From now on all are proven: those that are not would wait for each other.
    for (const [, headers] of asked) await query(gateway, ofControl, { headers });
    await control();
    const before = upstream.requests.length;
    const answers = [];
    for (const [document, headers] of asked) {
      answers.push(query(gateway, document, { headers }));
      // A call of somebody else that is answered shows that those before have been sent or wait.
      await control();
    }
    expect(upstream.requests.length - before - asked.length).toBe(sent);
    gate.open();
    expect((await Promise.all(answers)).flatMap(codes)).toEqual([]);
  });

  it('has a fingerprint in the log, which needs both credentials and the secret', async () => {
    const { log, lines } = captureLog();
    const start = async (secret: string) =>
      (await startScripted(() => success({}), { environment: { FINGERPRINT_SECRET: secret.repeat(32) }, log })).gateway;
    const [one, other] = [await start('a'), await start('b')];
    for (const headers of [credentials, credentials, { ...credentials, authorization: 'Bearer t2' }])
      await query(one, '{ __typename }', { headers });
    await query(other, '{ __typename }');
    const callers = () => lines.flatMap((line) => /"caller":"([\w-]{12})".*"msg":"request"/.exec(line)?.[1] ?? []);
    await expect.poll(() => callers().length).toBe(4);
    const [first, second] = callers();
    expect(second).toBe(first);
    expect(new Set(callers()).size).toBe(3);
  });
});

it('unusable credentials, broken documents and a service that is away tell no credential to answer or log', async () => {
  const { log, lines } = captureLog();
  const gateway = await startGateway({ upstream: await freeUrl(), log });
  const usable = { authorization: 'Bearer planted-token-value', svcprivatekey: 'planted-key-value' };
  const unusable = { authorization: 'planted-token-value', svcprivatekey: ['planted-key-value', 'planted-key-value'] };
  const answers = await Promise.all([
    query(gateway, twoGroups, { headers: usable }),
    ...[twoGroups, '{ nothing }', '{'].map((document) => queryRaw(gateway, document, unusable)),
  ]);
  const errors = answers.flatMap((answer) => answer.errors);
  expect(errors).toHaveLength(6);
  expect(lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(errors) + lines.join('')).not.toMatch(/planted-(?:token|key)-value/);
});
