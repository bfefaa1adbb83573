import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GatewayError, isClientMistake } from '../../src/domain/errors.ts';
import { describeError } from '../../src/runtime/log.ts';
import { createRequestLog } from '../../src/telemetry/request-log.ts';
import { createCustomer } from '../support/create.ts';
import { codes, credentials, query, startScripted, startStored } from '../support/gateway.ts';
import { identity } from '../support/identity.ts';
import { askAndLeave, sendRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { manifestOf, writeTemporary } from '../support/manifest.ts';
import { failure, success } from '../support/upstream/upstream.ts';

type Line = Readonly<Record<string, unknown>>;
/** The lines with this message, or all. */
const linesOf = (lines: readonly string[], message?: 'request' | 'write' | 'fields failed') =>
  lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => message === undefined || msg === message);

it('the line of a failing store comes once for each fault and cause, and of its end once claims are answered again', () => {
  const { log, lines } = captureLog();
  const { onStore } = createRequestLog(log, () => false).observer;
  const event = (command: 'claim' | 'free', fault?: 'slow' | 'away', cause?: string) =>
    onStore({ command, fault, cause, durationMs: 1 });
  for (const fault of ['slow', 'slow', 'away', 'slow'] as const) {
    event('claim', fault);
    // A late withdrawal ends nothing.
    event('free');
  }
  for (const cause of ['ECONNREFUSED', 'NOAUTH', 'ECONNREFUSED']) event('free', 'away', cause);
  event('claim');
  const told = linesOf(lines).map(({ fault, cause }) => [fault, cause]);
  expect(told).toEqual([
    ['slow', undefined],
    ['away', undefined],
    ['away', 'ECONNREFUSED'],
    ['away', 'NOAUTH'],
    [undefined, undefined],
  ]);
});

describe('a log line', () => {
  it('is one line of JSON with its level, its time, its fields and its message', () => {
    vi.useFakeTimers({ now: new Date('2026-01-31T23:59:59.007Z') });
    onTestFinished(() => void vi.useRealTimers());
    const { log, lines } = captureLog('warn');
    log.info({}, 'too little');
    log.warn({ requestId: 'r1', text: 'a"b\\c\nd\u2028é☃', code: undefined }, 'enough');
    expect(lines.join('').match(/\n/g)).toHaveLength(1);
    const fields = { requestId: 'r1', text: 'a"b\\c\nd\u2028é☃', msg: 'enough' };
    expect(linesOf(lines)).toEqual([{ level: 40, time: '2026-01-31T23:59:59.007Z', ...fields }]);
  });

  it('tells of an error its name or code and cause, and of a library’s not its message', () => {
    const { log, lines } = captureLog();
    log.error(new TypeError('obviously-fake-value'));
    expect(linesOf(lines)).toMatchObject([{ level: 50, name: 'TypeError' }]);
    expect(lines[0]).not.toContain('obviously-fake-value');
    const cause = new GatewayError('NOT_FOUND');
    const error = new GatewayError('RATE_LIMITED', { retryAfterSeconds: 7 }, { cause });
    expect(describeError(error)).toEqual({ code: 'RATE_LIMITED', retryAfterSeconds: 7, cause: { code: 'NOT_FOUND' } });
    expect(describeError('obviously-fake-value')).toEqual({ name: 'string' });
  });
});

describe('the lines of a request', () => {
  it('carry its trace, and warn only of what the client did not do', async () => {
    const mistakes = ['BAD_USER_INPUT', 'FORBIDDEN', 'GRAPHQL_VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED'];
    const others = ['UPSTREAM_TIMEOUT', 'OUTCOME_UNKNOWN', 'CONTRACT_UNDECIDED', 'RATE_LIMITED', 'OVERLOADED'];
    expect([...mistakes, ...others].filter(isClientMistake)).toEqual(mistakes);
    const { log, lines } = captureLog();
    const { gateway } = await startScripted(
      ({ path }) => (path.endsWith('/gone') ? { status: 200, text: 'planted' } : failure(403)),
      { log },
    );
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const headers = { ...credentials, traceparent, 'x-request-id': 'request-1' };
    const name = 'n'.repeat(150);
    const document = `query ${name} { a: customer(id: "c1") { email } b: customer(id: "gone") { email } }`;
    await query(gateway, document, { headers });
    await expect.poll(() => linesOf(lines, 'request')).toHaveLength(1);
    const place = { requestId: 'request-1', operation: 'getCustomer', field: 'customer' };
    expect(linesOf(lines, 'fields failed')).toMatchObject([
      { ...place, level: 30, code: 'FORBIDDEN', upstreamStatus: 403 },
      { ...place, level: 40, code: 'UPSTREAM_INVALID_RESPONSE' },
    ]);
    expect(linesOf(lines).filter((line) => line['trace_id'] !== traceId)).toEqual([]);
    expect(linesOf(lines, 'request')).toMatchObject([{ operation: name.slice(0, 100), errors: 2 }]);
  });

  it('have the code of the answer and its caller, whatever refused the request, and the limit that did', async () => {
    const { log, lines } = captureLog();
    const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf(['{ customer(id: "c1") { id } }']));
    const { gateway } = await startScripted(() => success({ id: 'c1' }), { log, environment: { TRUSTED_DOCUMENTS } });
    const send = (body: string, headers: Readonly<Record<string, string>> = {}, method = 'POST') =>
      sendRaw(`${gateway.url}/graphql`, {
        method,
        headers: { ...credentials, 'content-type': 'application/json', ...headers },
        body,
      });
    await query(gateway, '{ customer(id: "c1") { id } }');
    await query(gateway, `{ ${'__typename '.repeat(21)} }`);
    await send('{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}');
    await send('[{},{}]');
    await send('{}', { accept: 'image/png' });
    await send('{}', { 'content-type': 'text/csv' });
    await send('{}', {}, 'PUT');
    await expect
      .poll(() => linesOf(lines, 'request').map(({ status, code }) => [status, code]))
      .toEqual([
        [200, 'OK'],
        [400, 'LIMIT_EXCEEDED'],
        [400, 'PERSISTED_QUERY_NOT_FOUND'],
        [400, 'BAD_REQUEST'],
        [406, 'BAD_REQUEST'],
        [415, 'BAD_REQUEST'],
        [405, 'BAD_REQUEST'],
      ]);
    expect(linesOf(lines, 'fields failed')).toMatchObject([{ level: 30, limit: 'rootFields' }]);
    const callers = new Set(linesOf(lines, 'request').map(({ caller }) => caller));
    expect([...callers]).toEqual([expect.stringMatching(/^[\w-]{12}$/)]);
  });

  it('have the status 499 and no code where the client has left, in the midst of its body too', async () => {
    const { log, lines } = captureLog();
    const { gateway, upstream } = await startScripted(() => ({ hang: true }), { log });
    const leaving = new AbortController();
    const left = askAndLeave(gateway, '{ customer(id: "c1") { id email } }', leaving.signal);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    leaving.abort();
    expect(await left).toBe('AbortError');
    const begun =
      'POST /graphql HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{';
    connect(Number(new URL(gateway.url).port), '127.0.0.1')
      .resume()
      .end(begun);
    const requests = () => linesOf(lines, 'request').map(({ status, code }) => [status, code]);
    await expect.poll(requests).toEqual([499, 499].map((status) => [status, undefined]));
    expect(linesOf(lines, 'fields failed')).toEqual([]);
  });

  it('have the cause of a failed field, once for a hundred records with one fault in common', async () => {
    const { log, lines } = captureLog('warn');
    const data = Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, created_at: 'never' }));
    const page = success({ data, current_page: 1, per_page: 100, total: 100, last_page: 1 });
    const environment = { UPSTREAM_TIMEOUT_MS: '100' };
    const { gateway } = await startScripted(({ path }) => (path.includes('?') ? page : { hang: true }), {
      log,
      environment,
    });
    expect((await query(gateway, '{ customers(first: 100) { nodes { createdAt } } }')).errors).toHaveLength(100);
    expect(codes(await query(gateway, '{ customer(id: "c1") { email } }'))).toEqual(['UPSTREAM_TIMEOUT']);
    expect(linesOf(lines)).toMatchObject([{ count: 100, row: 'customer.createdAt' }, { cause: { code: 'timeout' } }]);
  });

  it('tell of a write its outcome and the status of the service, of a repetition those that it repeats', async () => {
    const { log, lines } = captureLog();
    const replies = [success({ id: 'c1' }, 201), failure(503), { cut: true }, failure(403)];
    const { gateway, upstream } = await startStored(() => replies.shift() ?? {}, { log });
    for (const key of ['done', 'done', 'unknown', 'unknown', 'cut', 'cut']) await createCustomer(gateway, { key });
    await createCustomer(gateway);
    await upstream.close();
    await createCustomer(gateway);
    const told = linesOf(lines, 'write').map((line) => [
      line['outcome'],
      line['level'],
      line['upstreamStatus'],
      line['isRepeated'],
    ]);
    // Level 40, a warning: an unknown outcome is told at LOG_LEVEL=warn, too.
    expect(told).toEqual([
      ['done', 30, 201, false],
      ['done', 30, 201, true],
      ['unknown', 40, 503, false],
      ['unknown', 40, 503, true],
      ['unknown', 40, undefined, false],
      ['unknown', 40, undefined, true],
      ['refused', 30, 403, false],
      ['not sent', expect.any(Number), undefined, false],
    ]);
  });

  const customer = (input: string) => `createCustomer(input: { ${input} }) { customer { id } }`;
  const account = 'createVirtualAccount(input: { customerId: "c1" }) { virtualAccount { id } }';
  it.each<[what: string, mutation: string, record: object, recordId?: string]>([
    ['an account', account, { id: 'a1', account_number: '0000000001' }, 'a1'],
    ['an account whose number stands for it', account, { account_number: '0000000002' }],
    ['an account by its number without its zeros', account, { id: 1234567, account_number: '0001234567' }],
    ['a customer by an identity number', customer(`nin: "${identity.nin}"`), { id: identity.nin, nin: identity.nin }],
    ['a customer by what holds a phone', customer('phone: "+2348000000001"'), { id: '2348000000001' }],
    ['by what holds a bvn', customer('nin: "00000000001", bvn: "98765432109"'), { id: 'CUS-98765432109' }],
    ['by what holds an e-mail', customer('email: "Ada.Fake@mail.example"'), { id: 'c_ada.fake@mail.example' }],
    ['by what holds a number of five digits', customer('phone: "+12345"'), { id: 'c12345' }],
    ['a customer, whose id may hold four by chance', customer('phone: "+1234"'), { id: 'c1234' }, 'c1234'],
    ['by what holds a birthday', customer('dateOfBirth: "1990-01-31"'), { id: 'c19900131' }],
  ])(
    'tell a written record’s id, unless it is or holds a personal value: %s',
    async (_, mutation, record, recordId) => {
      const { log, lines } = captureLog();
      const { gateway } = await startScripted(() => success(record, 201), { log });
      expect((await query(gateway, `mutation { ${mutation} }`)).errors).toEqual([]);
      expect(linesOf(lines, 'write').map((line) => [line['outcome'], line['recordId']])).toEqual([['done', recordId]]);
      const values = Object.values(record).map(String);
      expect(values.filter((value) => value !== recordId && lines.join('').includes(value))).toEqual([]);
    },
  );
});
