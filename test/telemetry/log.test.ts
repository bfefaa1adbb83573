import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GatewayError, isClientMistake } from '../../src/domain/errors.ts';
import { describeError } from '../../src/runtime/log.ts';
import { createRequestLog } from '../../src/telemetry/request-log.ts';
import { createCustomer } from '../support/create.ts';
import { codes, credentials, query, startScripted } from '../support/gateway.ts';
import { identity } from '../support/identity.ts';
import { askAndLeave, sendRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { manifestOf, writeTemporary } from '../support/manifest.ts';
import { failure, success } from '../support/upstream.ts';

/** The lines with this message, or all. */
const linesOf = (lines: readonly string[], message?: 'request' | 'write' | 'fields failed') =>
  lines
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ msg }) => message === undefined || msg === message);

it('the line of a failing store comes once for each fault and cause, and of its end once claims are answered again: a late withdrawal ends nothing', () => {
  const { log, lines } = captureLog();
  const { onStore } = createRequestLog(log, () => false).observer;
  const event = (command: 'claim' | 'free', fault?: 'slow' | 'away', cause?: string) =>
    onStore({ command, fault, cause, durationMs: 1 });
  for (const fault of ['slow', 'slow', 'away', 'slow'] as const) {
    event('claim', fault);
    event('free');
  }
  event('claim');
  expect(lines.map((line) => (JSON.parse(line) as { readonly fault?: string }).fault)).toEqual([
    'slow',
    'away',
    undefined,
  ]);
  for (const cause of ['ECONNREFUSED', 'NOAUTH', 'ECONNREFUSED']) event('free', 'away', cause);
  event('free');
  event('free', 'away', 'NOAUTH');
  event('claim');
  expect(lines.slice(3).map((line) => (JSON.parse(line) as { readonly cause?: string }).cause)).toEqual([
    'ECONNREFUSED',
    'NOAUTH',
    undefined,
    'NOAUTH',
    undefined,
  ]);
});

describe('a log line', () => {
  it('is JSON with its level, its time to the millisecond, its fields and its message', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { log, lines } = captureLog();
    const times = ['2026-01-31T23:59:59.007Z', '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z'];
    for (const time of times) {
      vi.setSystemTime(new Date(time));
      log.info({ requestId: 'r1', calls: 2, code: undefined }, 'request');
    }
    log.error('no fields');
    const read = lines.map((line) => JSON.parse(line) as unknown);
    expect(read.slice(0, 3)).toEqual(
      times.map((time) => ({ level: 30, time, requestId: 'r1', calls: 2, msg: 'request' })),
    );
    expect(read[3]).toMatchObject({ level: 50, msg: 'no fields' });
  });

  it('is one line, whatever its texts hold', () => {
    const { log, lines } = captureLog();
    const text = 'a"b\\c\nd\u2028\ud800é☃';
    log.warn({ text }, text);
    expect(lines[0]?.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ text: JSON.parse(JSON.stringify(text)), msg: text });
  });

  it('is written at its level and above only', () => {
    const { log, lines } = captureLog('warn');
    log.info({}, 'too little');
    log.warn({}, 'enough');
    expect(lines).toHaveLength(1);
  });

  it('tells of an error that a library logs its name and frames, not its message', () => {
    const { log, lines } = captureLog();
    log.error(new TypeError('obviously-fake-value'));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, name: 'TypeError' });
    expect(lines[0]).not.toContain('obviously-fake-value');
  });

  it('tells of an error its code, of one of the gateway its details and cause, too', () => {
    const cause = new GatewayError('NOT_FOUND');
    const error = new GatewayError('RATE_LIMITED', { retryAfterSeconds: 7 }, { cause });
    expect(describeError(error)).toEqual({ code: 'RATE_LIMITED', retryAfterSeconds: 7, cause: { code: 'NOT_FOUND' } });
    expect(describeError(Object.assign(new TypeError('m'), { code: 404 }))).toMatchObject({ code: '404' });
    expect(describeError('obviously-fake-value')).toEqual({ name: 'string' });
  });
});

describe('the lines of a request', () => {
  it('tell mistakes of the client from what it did not do', () => {
    const mistakes = 'BAD_USER_INPUT FORBIDDEN GRAPHQL_VALIDATION_FAILED IDEMPOTENCY_KEY_REUSED'.split(' ');
    const others =
      'UPSTREAM_TIMEOUT OUTCOME_UNKNOWN CONTRACT_UNDECIDED IDEMPOTENCY_STORE_UNAVAILABLE RATE_LIMITED OVERLOADED INTERNAL_SERVER_ERROR';
    expect([...mistakes, ...others.split(' ')].filter(isClientMistake)).toEqual(mistakes);
  });

  it('carry its trace, and warn only of what the client did not do', async () => {
    const { log, lines } = captureLog();
    const { gateway } = await startScripted(
      ({ method, path }) => {
        if (method === 'POST') return success({ id: 'c1' }, 201);
        return path.endsWith('/gone') ? { status: 200, text: 'planted' } : failure(403);
      },
      { log },
    );
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { ...credentials, traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    await query(gateway, '{ a: customer(id: "c1") { email } b: customer(id: "gone") { email } }', { headers });
    await query(gateway, 'mutation { createCustomer(input: {}) { customer { id } } }', { headers });
    await query(gateway, '{ customers(first: 0) { totalCount } }');
    const told = () => linesOf(lines);
    const ofTrace = () =>
      told().flatMap(({ msg, level, code, trace_id }) => (trace_id === traceId ? [[msg, level, code]] : []));
    await expect.poll(() => ofTrace().filter(([msg]) => msg === 'request')).toHaveLength(2);
    expect(ofTrace().filter(([msg]) => msg === 'fields failed')).toEqual([
      ['fields failed', 30, 'FORBIDDEN'],
      ['fields failed', 40, 'UPSTREAM_INVALID_RESPONSE'],
    ]);
    expect(new Set(ofTrace().map(([msg]) => msg))).toEqual(new Set(['call', 'fields failed', 'write', 'request']));
    const untraced = told().filter(({ code }) => code === 'BAD_USER_INPUT');
    expect(untraced.map(({ level }) => level)).toEqual([30, 30]);
    expect(untraced.filter((line) => 'trace_id' in line)).toEqual([]);
  });

  it('have the code of the answer and its caller, whatever refused the request', async () => {
    const { log, lines } = captureLog();
    const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf(['{ customer(id: "c1") { id } }']));
    const environment = { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_ONLY: 'on' };
    const { gateway } = await startScripted(() => success({ id: 'c1' }), { log, environment });
    const post = async (body: string, headers: Readonly<Record<string, string>> = {}, method = 'POST') =>
      sendRaw(`${gateway.url}/graphql`, {
        method,
        headers: { ...credentials, 'content-type': 'application/json', ...headers },
        body,
      });
    await query(gateway, '{ customer(id: "c1") { id } }');
    await query(gateway, '{ nope }');
    for (const body of [
      '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
      '{}',
      '[{},{}]',
      '{"query":',
    ]) {
      await post(body);
    }
    await post('{}', { accept: 'image/png' });
    await post('{}', { 'content-type': 'text/csv' });
    await post('{}', {}, 'PUT');
    const requests = () => linesOf(lines, 'request').map(({ status, code }) => [status, code]);
    await expect.poll(requests).toEqual([
      [200, 'OK'],
      [400, 'PERSISTED_QUERY_NOT_FOUND'],
      [400, 'PERSISTED_QUERY_NOT_FOUND'],
      [400, 'BAD_REQUEST'],
      [400, 'BAD_REQUEST'],
      [400, 'BAD_REQUEST'],
      [406, 'BAD_REQUEST'],
      [415, 'BAD_REQUEST'],
      [405, 'BAD_REQUEST'],
    ]);
    const callers = new Set(linesOf(lines, 'request').map(({ caller }) => caller));
    expect([...callers]).toEqual([expect.stringMatching(/^[\w-]{12}$/)]);
  });

  it('have the start of a long name, and the number of errors where there are several', async () => {
    const { log, lines } = captureLog();
    const { gateway } = await startScripted(() => failure(422), { log });
    const name = 'n'.repeat(150);
    await query(gateway, `query ${name} { a: customer(id: "c1") { id } b: customer(id: "c2") { id } }`);
    await query(gateway, 'query one { a: customer(id: "c1") { id } }');
    const requests = () => linesOf(lines, 'request').map(({ operation, errors }) => [operation, errors]);
    await expect.poll(requests).toEqual([
      [name.slice(0, 100), 2],
      ['one', undefined],
    ]);
  });

  it.each([
    ['tokens', `{ ${'__typename '.repeat(1000)} }`],
    ['rootFields', `{ ${'__typename '.repeat(21)} }`],
  ])('name the limit that refused a request: %s', async (limit, document) => {
    const { log, lines } = captureLog();
    const { gateway } = await startScripted(() => success({ id: 'c1' }), { log });
    expect(codes(await query(gateway, document))).toEqual(['LIMIT_EXCEEDED']);
    expect(linesOf(lines, 'fields failed')).toMatchObject([{ level: 30, code: 'LIMIT_EXCEEDED', limit }]);
    await expect.poll(() => linesOf(lines, 'request')).toMatchObject([{ code: 'LIMIT_EXCEEDED' }]);
  });

  it('have the status 499 and no code where the client has left', async () => {
    const { log, lines } = captureLog();
    const { gateway, upstream } = await startScripted(() => ({ hang: true }), { log });
    const leaving = new AbortController();
    const left = askAndLeave(gateway, '{ customer(id: "c1") { id email } }', leaving.signal);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    leaving.abort();
    expect(await left).toBe('AbortError');
    const requests = () => linesOf(lines, 'request').map(({ status, code }) => [status, code]);
    await expect.poll(requests).toEqual([[499, undefined]]);
    // Within a body, so that Node reports a request that is no whole one.
    const start =
      'POST /graphql HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{';
    connect(Number(new URL(gateway.url).port), '127.0.0.1')
      .resume()
      .end(start);
    await expect.poll(requests).toEqual([
      [499, undefined],
      [499, undefined],
    ]);
    expect(linesOf(lines, 'fields failed')).toEqual([]);
  });

  it('have what the gateway decided itself as the cause of a failed field', async () => {
    const { log, lines } = captureLog();
    const environment = { UPSTREAM_TIMEOUT_MS: '100' };
    const { gateway } = await startScripted(() => ({ hang: true }), { log, environment });
    expect(codes(await query(gateway, '{ customer(id: "c1") { email } }'))).toEqual(['UPSTREAM_TIMEOUT']);
    expect(linesOf(lines, 'fields failed')).toMatchObject([{ cause: { code: 'timeout' } }]);
  });

  it('tell of a write the status of the service, of a repetition that of the answer it repeats', async () => {
    const { log, lines } = captureLog();
    const replies = [success({ id: 'c1' }, 201), failure(503), { cut: true }];
    const { gateway } = await startScripted(() => replies.shift() ?? {}, { log });
    for (const key of ['done', 'done', 'unknown', 'unknown', 'cut', 'cut']) await createCustomer(gateway, { key });
    const writes = linesOf(lines, 'write');
    // Level 40, a warning: an unknown outcome is told at LOG_LEVEL=warn, too.
    expect(writes.map(({ level, upstreamStatus, isRepeated }) => [level, upstreamStatus, isRepeated])).toEqual([
      [30, 201, false],
      [30, 201, true],
      [40, 503, false],
      [40, 503, true],
      [40, undefined, false],
      [40, undefined, true],
    ]);
  });

  it('tell that a write was refused where the status says so, and that it was not sent where no connection is made', async () => {
    const { log, lines } = captureLog();
    const { gateway, upstream } = await startScripted(() => failure(403), { log });
    await createCustomer(gateway);
    await upstream.close();
    await createCustomer(gateway);
    expect(linesOf(lines, 'write')).toMatchObject([
      { outcome: 'refused', code: 'FORBIDDEN' },
      { outcome: 'not sent', code: 'UPSTREAM_UNAVAILABLE', isRepeated: false },
    ]);
  });

  const customer = (input: string) => `createCustomer(input: { ${input} }) { customer { id } }`;
  const account = 'createVirtualAccount(input: { customerId: "c1" }) { virtualAccount { id } }';
  const bank = 'updateSettlementBank(input: { id: "0000000003", name: "Main" }) { settlementBank { id } }';
  it.each<[what: string, mutation: string, record: object, recordId?: string]>([
    ['an account', account, { id: 'a1', account_number: '0000000001' }, 'a1'],
    ['an account whose number stands for it', account, { account_number: '0000000002' }],
    ['an account by its number without its zeros', account, { id: 1234567, account_number: '0001234567' }],
    ['a bank by a value that was sent', bank, { id: '0000000003', account_no: '0000000003', name: 'Main' }],
    ['a customer by an identity number', customer(`nin: "${identity.nin}"`), { id: identity.nin, nin: identity.nin }],
    ['a customer by what holds a phone', customer('phone: "+2348000000001"'), { id: '2348000000001' }],
    ['by what holds a bvn', customer('nin: "00000000001", bvn: "98765432109"'), { id: 'CUS-98765432109' }],
    ['by what holds an e-mail', customer('email: "Ada.Fake@mail.example"'), { id: 'c_ada.fake@mail.example' }],
    ['by what holds a number of five digits', customer('phone: "+12345"'), { id: 'c12345' }],
    ['a customer, whose id may hold four by chance', customer('phone: "+1234"'), { id: 'c1234' }, 'c1234'],
    [
      'and may hold what only begins and ends as a number',
      customer('reference: "12-ref-34"'),
      { id: 'c_12-ref-34' },
      'c_12-ref-34',
    ],
    ['by what holds a birthday', customer('dateOfBirth: "1990-01-31"'), { id: 'c19900131' }],
  ])(
    'tell a written record’s id, unless it is or holds a personal value: %s',
    async (_, mutation, record, recordId) => {
      const { log, lines } = captureLog();
      const { gateway } = await startScripted(() => success(record, 201), { log });
      expect((await query(gateway, `mutation { ${mutation} }`)).errors).toEqual([]);
      const writes = linesOf(lines, 'write').map((line) => [line['outcome'], line['recordId']]);
      expect(writes).toEqual([['done', recordId]]);
      const numbers = Object.values(record)
        .map(String)
        .filter((value) => value !== recordId && value !== 'Main');
      expect(numbers.filter((value) => lines.join('').includes(value))).toEqual([]);
    },
  );
});
