import { describe, expect, it } from 'vitest';
import { createIdentify, waitingCaller } from '../../src/upstream/credentials/credentials.ts';
import {
  codes,
  credentials,
  query,
  startGateway,
  startScripted,
  type GraphQLAnswer,
  type GraphQLErrorAnswer,
} from '../support/gateway.ts';
import { createGate } from '../support/create.ts';
import { queryRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { freeUrl } from '../support/ports.ts';
import { routed } from '../support/script.ts';
import { failure, identifierIn, pageOf, success, type SeenRequest } from '../support/upstream.ts';

const twoGroups = '{ customer(id: "c1") { type } settlementBank(id: "b1") { name } }';
const records = {
  'GET /customers/c1': success({ id: 'c1', type: 'wallet' }),
  'GET /settlement-banks/b1': success({ id: 'b1', name: 'Main' }),
};

const credentialsOf = ({ headers }: SeenRequest) =>
  Object.fromEntries(['authorization', 'svcprivatekey'].map((name) => [name, headers[name]]));
const pathOf = ({ path }: SeenRequest) => path;
/** The header that an error names; HTTP does not tell its cases apart. */
const headerOf = ({ extensions }: GraphQLErrorAnswer) => String(extensions['header']).toLowerCase();

const credential = (value?: string) => ({ header: 'any', value, fault: undefined });

it.each(['bearer', 'privateKey'] as const)('tells callers apart that send a %s alone', (name) => {
  const identify = createIdentify(Buffer.alloc(32));
  const admitted = ['a', 'b'].map((value) => {
    const credentials = { bearer: credential(), privateKey: credential(), [name]: credential(value) };
    return waitingCaller({ credentials, identity: identify(credentials) });
  });
  expect(new Set(admitted).size).toBe(2);
});

it('counts a token that was first seen alone for the key that came with it later', () => {
  const identify = createIdentify(Buffer.alloc(32));
  const alone = { bearer: credential('token'), privateKey: credential() };
  const before = identify(alone).callers.bearer;
  const { callers } = identify({ ...alone, privateKey: credential('key') });
  expect(identify(alone).callers.bearer).toBe(callers.privateKey);
  expect(before).not.toBe(callers.privateKey);
});

it('takes no caller for another whose credentials read the same, put together or in the other place', () => {
  const identify = createIdentify(Buffer.alloc(32));
  const identities = [
    ['ab', 'c'],
    ['a', 'bc'],
    ['c', 'ab'],
    ['bc', 'a'],
  ].map(([bearer, privateKey]) => identify({ bearer: credential(bearer), privateKey: credential(privateKey) }));
  expect(new Set(identities.map(({ fingerprint }) => fingerprint)).size).toBe(4);
  expect(new Set(identities.map(({ callers }) => callers.privateKey)).size).toBe(4);
  const token = identify({ bearer: credential('same'), privateKey: credential() });
  const key = identify({ bearer: credential(), privateKey: credential('same') });
  expect(token.callers.bearer).not.toBe(key.callers.privateKey);
});

describe('which credential travels', () => {
  it('sends both where the contract row of an operation names both', async () => {
    const { gateway, upstream } = await startScripted(routed(records), {
      contract: { 'getCustomer.credentials': ['bearer', 'privateKey'] },
    });
    await query(gateway, '{ customer(id: "c1") { type balance { value { amount } } } }');
    expect(upstream.requests.map(credentialsOf)).toEqual([
      { authorization: ['Bearer test-token'], svcprivatekey: ['test-key'] },
      { svcprivatekey: ['test-key'] },
    ]);
  });

  it('sends nothing where the contract row names both and one of them is missing', async () => {
    const { gateway, upstream } = await startScripted(routed(records), {
      contract: { 'getCustomer.credentials': ['bearer', 'privateKey'] },
    });
    const answer = await query(gateway, twoGroups, { headers: { svcprivatekey: 'test-key' } });
    expect(answer.errors.map(({ path }) => path)).toEqual([['customer'], ['settlementBank']]);
    expect(answer.errors.map(headerOf)).toEqual(['authorization', 'authorization']);
    expect(upstream.requests).toEqual([]);
  });

  it('takes a credential under the name of its inbound header and sends it under its own', async () => {
    const { gateway, upstream } = await startScripted(routed(records), {
      environment: { BEARER_HEADER_IN: 'X-Merchant-Authorization', PRIVATE_KEY_HEADER_IN: 'X-Merchant-Key' },
    });
    const { errors } = await query(gateway, twoGroups, {
      headers: {
        'x-merchant-authorization': 'Bearer merchant-token',
        'x-merchant-key': 'merchant-key',
        authorization: 'Bearer end-user-token',
        svcprivatekey: 'end-user-key',
      },
    });
    const headers = upstream.requests.map((request) => request.headers);
    expect(errors).toEqual([]);
    expect(upstream.requests).toHaveLength(2);
    expect(Object.fromEntries(upstream.requests.map((request) => [request.path, credentialsOf(request)]))).toEqual({
      '/api/v1/customers/c1': { svcprivatekey: ['merchant-key'] },
      '/api/v1/settlement-banks/b1': { authorization: ['Bearer merchant-token'] },
    });
    expect(JSON.stringify(headers)).not.toContain('end-user');
    expect(JSON.stringify(headers)).not.toContain('x-merchant');
  });

  it('does not take the end user’s Authorization for the missing bearer of another header', async () => {
    const { gateway, upstream } = await startScripted(routed(records), {
      environment: { BEARER_HEADER_IN: 'x-merchant-authorization' },
    });
    const answer = await query(gateway, '{ settlementBank(id: "b1") { name } }', {
      headers: { authorization: 'Bearer end-user-token' },
    });
    expect(codes(answer)).toEqual(['UNAUTHENTICATED']);
    expect(answer.errors.map(headerOf)).toEqual(['x-merchant-authorization']);
    expect(upstream.requests).toEqual([]);
  });

  it('passes no other header of the caller on', async () => {
    const { gateway, upstream } = await startScripted(routed(records));
    await query(gateway, twoGroups, {
      headers: { ...credentials, cookie: 'session=planted', 'x-forwarded-for': '192.0.2.1', 'x-api-key': 'planted' },
    });
    const names = new Set(upstream.requests.flatMap((request) => Object.keys(request.headers)));
    expect([...names].sort()).toEqual(['accept', 'authorization', 'connection', 'host', 'svcprivatekey', 'user-agent']);
  });
});

const groups = [
  { header: 'svcprivatekey', field: 'customer', other: 'settlementBank' },
  { header: 'authorization', field: 'settlementBank', other: 'customer' },
] as const;

/** One credential replaced, the other one as it should be. */
const withHeader = (header: string, value: string | string[]) => ({ ...credentials, [header]: value });

function expectRefused(answer: GraphQLAnswer, { header, field, other }: (typeof groups)[number]): void {
  expect(codes(answer)).toEqual(['UNAUTHENTICATED']);
  expect(answer.errors[0]).toMatchObject({ path: [field], extensions: { retryable: false } });
  expect(answer.errors.map(headerOf)).toEqual([header]);
  expect(answer.data[field]).toBeNull();
  expect(answer.data[other]).not.toBeNull();
}

describe('a credential that cannot be used', () => {
  it.each(groups)('fails only $field when $header is missing, without a call', async (group) => {
    const { gateway, upstream } = await startScripted(routed(records));
    const headers = Object.fromEntries(Object.entries(credentials).filter(([name]) => name !== group.header));
    expectRefused(await query(gateway, twoGroups, { headers }), group);
    expect(upstream.requests.flatMap((request) => request.headers[group.header] ?? [])).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
  });

  const unusable: readonly [name: string, privateKey: string | string[], bearer: string | string[]][] = [
    ['repeated', ['test-key', 'test-key'], ['Bearer test-token', 'Bearer test-token']],
    ['repeated with another value', ['test-key', 'other-key'], ['Bearer test-token', 'Bearer other-token']],
    ['empty', '', ''],
    ['over 4 KiB', 'k'.repeat(4097), `Bearer ${'t'.repeat(4097)}`],
    ['not ASCII', 'test-kéy', 'Bearer test-tokén'],
    ['with a space inside', 'test key', 'Bearer test token'],
    ['with a tab inside', 'test\tkey', 'Bearer test\ttoken'],
  ];

  it('fails the fields that need it when it is malformed, without a call', async () => {
    const { gateway, upstream } = await startScripted(routed(records));
    const [customers, banks] = groups;
    for (const [, privateKey, bearer] of unusable) {
      expectRefused(await queryRaw(gateway, twoGroups, withHeader('svcprivatekey', privateKey)), customers);
      expectRefused(await queryRaw(gateway, twoGroups, withHeader('authorization', bearer)), banks);
    }
    for (const authorization of ['test-token', 'Bearer', 'Bearer ', 'Basic dGVzdA==', 'Bearertest-token', 'Token x'])
      expectRefused(await queryRaw(gateway, twoGroups, withHeader('authorization', authorization)), banks);
    const paths = unusable.flatMap(() => ['/api/v1/settlement-banks/b1', '/api/v1/customers/c1']);
    expect(upstream.requests.map(pathOf)).toEqual([...paths, ...Array(6).fill('/api/v1/customers/c1')]);
  });

  it('is none whose name another header has as its value, nor one that is spelt in capitals', async () => {
    const { gateway } = await startScripted(routed(records));
    const headers = { 'X-Any': 'svcprivatekey', SVCPrivateKey: 'test-key', AUTHORIZATION: 'Bearer test-token' };
    expect((await queryRaw(gateway, twoGroups, headers)).errors).toEqual([]);
  });

  it('takes a private key of 4 KiB, and says how a bearer token must read', async () => {
    const { gateway } = await startScripted(routed(records));
    const headers = { svcprivatekey: 'k'.repeat(4096), authorization: 'Basic abc' };
    const { errors } = await queryRaw(gateway, twoGroups, headers);
    expect(errors.map(({ message }) => message)).toEqual([
      'The header Authorization is malformed. Its value must read `Bearer <token>`.',
    ]);
  });

  it.each(['{}', '{ idempotencyKey: "k" }'])(
    'refuses a write without its credential, without a call: %s',
    async (input) => {
      const { gateway, upstream } = await startScripted(() => success({}), {
        environment: { REQUEST_TIMEOUT_MS: '500' },
      });
      const document = `mutation { createCustomer(input: ${input}) { customer { id } } }`;
      // With a key the second one would wait where the first one had claimed it.
      for (const _ of ['first', 'second']) {
        const answer = await query(gateway, document, { headers: {} });
        expect(codes(answer)).toEqual(['UNAUTHENTICATED']);
        expect(answer.errors.map(headerOf)).toEqual(['svcprivatekey']);
      }
      expect(upstream.requests).toEqual([]);
    },
  );

  it('takes the scheme of a token in any case, and writes with it alone, in one case', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'b1' }));
    const headers = { authorization: 'bEARER test-token' };
    const document = 'mutation { createSettlementBank(input: { name: "Main" }) { settlementBank { id } } }';
    expect(codes(await query(gateway, document, { headers }))).toEqual([]);
    expect(upstream.requests.map(credentialsOf)).toEqual([
      { authorization: ['Bearer test-token'], svcprivatekey: undefined },
    ]);
  });
});

describe('after a 401', () => {
  const threeWrites = `mutation {
    first: createCustomer(input: {}) { customer { id } }
    second: createCustomer(input: {}) { customer { id } }
    bank: createSettlementBank(input: {}) { settlementBank { id } }
  }`;

  it.each([
    ['of HTTP', failure(401)],
    ['in the body of an HTTP 200', { json: { success: false, code: 401, message: 'No.' } }],
    ['whose text reads like that of a duplicate', failure(401, 'This key is already in use elsewhere.')],
  ])('%s sends nothing more with the private key while the bearer goes on', async (_, refusal) => {
    const { gateway, upstream } = await startScripted(
      routed({ 'POST /customers/': refusal, 'POST /settlement-banks/': success({ id: 'b1' }, 201) }),
    );
    const answer = await query(gateway, threeWrites);
    expect(codes(answer)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    expect(answer.errors.map(headerOf)).toEqual(['svcprivatekey', 'svcprivatekey']);
    expect(answer.data.bank.settlementBank).toEqual({ id: 'b1' });
    expect(upstream.requests.map(pathOf)).toEqual(['/api/v1/customers/', '/api/v1/settlement-banks/']);
  });

  it('reads no nested field with a credential that a write before was refused for', async () => {
    const { gateway, upstream } = await startScripted(
      routed({ 'PATCH /customers/c1': [success({ id: 'c1' })], 'GET /customers/c1/balance': failure(401) }),
    );
    const answer = await query(
      gateway,
      `mutation {
        a: updateCustomer(input: { id: "c1" }) { customer { id balance { value { amount } } } }
        b: updateCustomer(input: { id: "c1" }) { customer { id balance { value { amount } } } }
      }`,
    );
    expect(answer.errors.map(({ path }) => path)).toEqual([['a', 'customer', 'balance'], ['b']]);
    expect(upstream.requests.map(pathOf)).toEqual(['/api/v1/customers/c1', '/api/v1/customers/c1/balance']);
  });

  it('does not send what its admission to the queue was waiting for, and does not count it as sent', async () => {
    const { log, lines } = captureLog();
    const environment = { UPSTREAM_CONNECTIONS: '1' };
    const { gateway, upstream } = await startScripted(() => failure(401), { environment, log });
    await query(gateway, '{ a: customer(id: "1") { type } b: customer(id: "2") { type } }');
    const request = () => lines.find((line) => line.includes('"msg":"request"'));
    await expect.poll(request).toContain('"calls":1');
    expect(upstream.requests).toHaveLength(1);
  });

  it('does not send what has a connection already', async () => {
    const held: (() => void)[] = [];
    // Three connections are two for one caller: the answer to `a` admits `c` just before that to `b` is read.
    const { gateway, upstream } = await startScripted(
      async ({ path }) => {
        await new Promise<void>((resolve) => held.push(resolve) === 2 && held.forEach((release) => release()));
        return path.endsWith('/b') ? failure(401) : success({ id: 'a', type: 'wallet' });
      },
      { environment: { UPSTREAM_CONNECTIONS: '3' } },
    );
    const answer = await query(
      gateway,
      '{ a: customer(id: "a") { type } b: customer(id: "b") { type } c: customer(id: "c") { type } }',
    );
    expect(answer.data).toEqual({ a: { type: 'wallet' }, b: null, c: null });
    expect(codes(answer)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    expect(upstream.requests).toHaveLength(2);
  });

  it('blames only the credential that was refused where an operation needs another one, too', async () => {
    const { gateway, upstream } = await startScripted(
      routed({ 'PATCH /customers/c1': failure(401), 'POST /settlement-banks/': success({ id: 'b1' }, 201) }),
      { contract: { 'createCustomerVirtualAccount.credentials': ['bearer', 'privateKey'] } },
    );
    const answer = await query(
      gateway,
      `mutation {
        customer: updateCustomer(input: { id: "c1" }) { customer { id } }
        account: createVirtualAccount(input: { customerId: "c1" }) { virtualAccount { id } }
        bank: createSettlementBank(input: {}) { settlementBank { id } }
      }`,
    );
    expect(answer.errors.map(headerOf)).toEqual(['svcprivatekey', 'svcprivatekey']);
    expect(answer.data.bank).toEqual({ settlementBank: { id: 'b1' } });
    expect(upstream.requests.map(pathOf)).toEqual(['/api/v1/customers/c1', '/api/v1/settlement-banks/']);
  });

  it('sends nothing that waits with that credential and another one, and goes on with the other one alone', async () => {
    const { gateway, upstream } = await startScripted(
      ({ path }) => (path.endsWith('/c1') ? failure(401) : pageOf([], path)),
      {
        environment: { UPSTREAM_CONNECTIONS: '1' },
        contract: { 'getSettlementBank.credentials': ['bearer', 'privateKey'] },
      },
    );
    const document = '{ customer(id: "c1") { type } settlementBank(id: "b1") { name } settlementBanks { totalCount } }';
    const answer = await query(gateway, document);
    expect(codes(answer)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    expect(answer.errors.map(headerOf)).toEqual(['svcprivatekey', 'svcprivatekey']);
    expect(answer.data.settlementBanks).toEqual({ totalCount: 0 });
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('a caller', () => {
  const ofCustomers = '{ customer(id: "c1") { type } }';
  const ofBanks = '{ settlementBank(id: "b1") { name } }';
  type Asked = readonly [document: string, key: string | undefined, token: string | undefined];

  /** The calls that are sent while no caller may have more than one in flight and none of them is answered. */
  const countSent = async (asked: readonly Asked[]): Promise<number> => {
    const gate = createGate();
    const script = async ({ path }: SeenRequest) => {
      if (!path.endsWith('/control')) await gate.pass();
      return success({ id: identifierIn(path) });
    };
    const { gateway, upstream } = await startScripted(script, { environment: { MAX_CALLS_PER_CALLER: '1' } });
    const headersOf = ([, key, token]: Asked) => ({
      ...(key === undefined ? {} : { svcprivatekey: key }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    });
    const ofControl = '{ customer(id: "control") { type } settlementBank(id: "control") { name } }';
    const control = () =>
      query(gateway, '{ customer(id: "control") { type } }', { headers: { svcprivatekey: 'control' } });
    // From now on all are proven: those that are not would wait for each other.
    for (const caller of asked) await query(gateway, ofControl, { headers: headersOf(caller) });
    await control();
    const before = upstream.requests.length;
    const answers = [];
    for (const caller of asked) {
      answers.push(query(gateway, caller[0], { headers: headersOf(caller) }));
      // A call of somebody else that is answered shows that those before have been sent or wait.
      await control();
    }
    const sent = upstream.requests.length - before - asked.length;
    gate.open();
    for (const answer of answers) expect(codes(await answer)).toEqual([]);
    return sent;
  };

  const none = undefined;
  const callers: readonly (readonly [name: string, sent: number, ...asked: readonly Asked[]])[] = [
    ['that sends a key and a token is one', 1, [twoGroups, 'k1', 't1']],
    ['with one key and two tokens is one', 1, [ofCustomers, 'k1', 't1'], [ofCustomers, 'k1', 't2']],
    ['with the token of another one’s key is that one', 1, [ofCustomers, 'k1', 't1'], [ofBanks, 'k2', 't1']],
    ['with another key and no token is another one', 2, [ofCustomers, 'k1', none], [ofCustomers, 'k2', none]],
    ['with another token and no key is another one', 2, [ofBanks, none, 't1'], [ofBanks, none, 't2']],
  ];

  it.each(callers.map(([name, sent, ...asked]) => ({ name, sent, asked })))('$name', async ({ sent, asked }) => {
    expect(await countSent(asked)).toBe(sent);
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
    const [first, second, ...others] = callers();
    expect(second).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
  });
});

describe('secrecy', () => {
  const planted = { authorization: 'Bearer planted-token-value', svcprivatekey: 'planted-key-value' };

  it('keeps the credentials out of answer and log when the service is not there', async () => {
    const { log, lines } = captureLog();
    const gateway = await startGateway({ upstream: await freeUrl(), log });
    const { errors } = await query(gateway, twoGroups, { headers: planted });
    expect(errors).toHaveLength(2);
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors) + lines.join('')).not.toMatch(/planted-(?:token|key)-value/);
  });

  it('keeps unusable credentials and broken documents out of answer and log', async () => {
    const { log, lines } = captureLog();
    const { gateway } = await startScripted(routed(records), { log });
    const headers = { authorization: 'planted-token-value', svcprivatekey: ['planted-key-value', 'planted-key-value'] };
    const answers = await Promise.all([
      queryRaw(gateway, twoGroups, headers),
      queryRaw(gateway, '{ nothing }', headers),
      queryRaw(gateway, '{', headers),
    ]);
    const errors = answers.flatMap((answer) => answer.errors);
    expect(errors).toHaveLength(4);
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors) + lines.join('')).not.toMatch(/planted-(?:token|key)-value/);
  });
});
