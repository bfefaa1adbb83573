import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startFaultUpstream } from '../support/fault-upstream.ts';
import { codes, query, startGateway, startScripted } from '../support/gateway.ts';
import { success, type Reply } from '../support/upstream.ts';

const create =
  'mutation { createCustomer(input: { type: "w" }) { customer { id } userErrors { code field message } } }';

async function write(contract: Readonly<Record<string, unknown>>, reply: Reply) {
  const { gateway } = await startScripted(() => reply, { contract });
  const answer = await query(gateway, create);
  return { ...answer, payload: answer.data?.createCustomer };
}

const json = (json: unknown, status = 200): Reply => ({ status, json });

describe('rows for failures', () => {
  const byKey = {
    'envelope.failureKeys': ['/fault'],
    'envelope.code': ['/fault/code'],
    'errors.message': ['/fault/message'],
    'errors.statuses': { not_found: 404 },
  };

  it.each<readonly [string, Reply, readonly unknown[]]>([
    ['that says 404', json({ fault: { code: 'not_found', message: 'No.' } }), []],
    ['without a known code', json({ fault: { code: 'odd' } }), ['UPSTREAM_INVALID_RESPONSE']],
  ])('tell a failed read inside 200 by the presence of a key %s', async (_, reply, expected) => {
    const { gateway } = await startScripted(() => reply, { contract: byKey });
    const answer = await query(gateway, '{ customer(id: "c1") { id } }');
    expect(answer.data.customer).toBeNull();
    expect(codes(answer)).toEqual(expected);
    expect(answer.errors.map(({ extensions }) => extensions['row'])).toEqual(expected.map(() => 'envelope.success'));
  });

  it('tell an absent record by a code beside an id of the request', async () => {
    const reply: Reply = { status: 404, json: { id: 'request-1', code: 'CUSTOMER_404' } };
    const { gateway } = await startScripted(() => reply, { contract: { 'errors.statuses': { CUSTOMER_404: 404 } } });
    const { data, errors } = await query(gateway, '{ customer(id: "c1") { id } }');
    expect([data, errors]).toEqual([{ customer: null }, []]);
  });

  it('read a record beside an empty one of these keys', async () => {
    const { gateway } = await startScripted(() => json({ fault: null, data: { id: 'c1' } }), { contract: byKey });
    expect((await query(gateway, '{ customer(id: "c1") { id } }')).data).toEqual({ customer: { id: 'c1' } });
  });

  it('tell a refused write by the presence of a key, unless a success stands beside it', async () => {
    const error = { code: 'bad', message: 'Not now.' };
    const { payload } = await write(byKey, json({ fault: error }));
    expect(payload.userErrors).toEqual([{ code: 'REJECTED', field: null, message: 'Not now.' }]);
    expect(codes(await write(byKey, json({ success: true, fault: error, data: { id: 'c1' } })))).toEqual([
      'OUTCOME_UNKNOWN',
    ]);
  });
});

describe('rows for refusals', () => {
  it('take the whole body of a refusal for its errors, and no success for one', async () => {
    const rows = { 'errors.fields': [''] };
    const refused = await write(rows, json({ first_name: ['Required.'] }, 400));
    expect(refused.payload.userErrors).toEqual([
      { code: 'INVALID', field: ['input', 'firstName'], message: 'Required.' },
    ]);
    const { payload, errors } = await write(rows, json({ id: 'c1', type: 'w' }, 201));
    expect([payload, errors]).toEqual([{ customer: { id: 'c1' }, userErrors: [] }, []]);
  });

  it.each<[string, unknown, readonly string[], Readonly<Record<string, unknown>>?]>([
    [
      'a list that names fields',
      [
        { field: 'nin', message: 'Bad.' },
        { param: 'customer[dob]', msg: 'Old.' },
      ],
      ['INVALID nin Bad.', 'INVALID dateOfBirth Old.'],
    ],
    [
      'a list of JSON pointers',
      [{ source: { pointer: '/data/attributes/first_name' }, detail: 'Bad.' }],
      ['INVALID firstName Bad.'],
    ],
    ['a list of sentences', ['Bad.', { message: 'Worse.' }], ['REJECTED - Bad.', 'REJECTED - Worse.']],
    ['one object', { message: 'Bad.', param: 'email' }, ['INVALID email Bad.'], { 'errors.fields': ['/errors'] }],
    [
      'an object by paths, whatever their case',
      { '$.Email': ['Bad.'], 'customer.last_name': 'Odd.' },
      ['INVALID email Bad.', 'INVALID lastName Odd.'],
    ],
    ['an object of lists', { nin: ['Bad.'], field: ['Odd.'] }, ['INVALID nin Bad.', 'INVALID - Odd.']],
  ])('read %s', async (_, errors, expected, rows = {}) => {
    const { payload } = await write(rows, json({ errors }, 422));
    const told = payload.userErrors as readonly { code: string; field: readonly string[] | null; message: string }[];
    expect(told.map(({ code, field, message }) => `${code} ${field?.[1] ?? '-'} ${message}`)).toEqual(expected);
  });

  it.each([
    ['that is invalid', 'Not an address.', 'INVALID'],
    ['that is taken', 'This address is already taken.', 'INVALID'],
    ['that already exists', 'This address already exists.', 'ALREADY_EXISTS'],
  ])('give the sentence of a refusal where an entry names its field only, one %s', async (_, message, code) => {
    const { payload } = await write({}, json({ message, errors: [{ field: 'email', rule: 'x' }] }, 422));
    expect(payload.userErrors).toEqual([{ code, field: ['input', 'email'], message }]);
  });

  it('take another status for a refusal', async () => {
    const reply = json({ message: 'Not covered.' }, 402);
    expect(codes(await write({}, reply))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    const { payload } = await write({ 'errors.refusalStatuses': [400, 402, 422] }, reply);
    expect(payload.userErrors).toEqual([{ code: 'REJECTED', field: null, message: 'Not covered.' }]);
  });

  it.each([
    [[], 'Duplicate entry.', ['OUTCOME_UNKNOWN']],
    [['DOUBLON'], 'Doublon de la référence.', []],
  ])('tell a duplicate at 500 by the texts %j', async (texts, text, expected) => {
    const answer = await write({ 'errors.duplicateTexts': texts }, json({ message: text }, 500));
    expect(codes(answer)).toEqual(expected);
  });

  it.each<[status: number, message: string, expected: readonly string[]]>([
    [500, 'Duplicate reference.', []],
    [500, '- Duplicate reference.', []],
    [409, 'The customer already exists, requery it.', []],
    ...[
      'Row 4 holds a duplicate.',
      'Duplicates are removed at night.',
      'Duplicate request, the customer is stored.',
      'Duplicate request: the first one is being processed.',
      'Duplicate request: the first one is queued.',
      'Duplicate check failed.',
      'Timed out: it may be that it already exists.',
      'Customer created but wallet already exists',
      'Database connection already in use',
      'Saved, but its duplicate was not removed.',
    ].map((message): [number, string, readonly string[]] => [500, message, ['OUTCOME_UNKNOWN']]),
    [502, 'Duplicate reference.', ['OUTCOME_UNKNOWN']],
    [422, 'Row 4 holds a duplicate.', []],
  ])('tell a duplicate at %i by "%s"', async (status, message, expected) => {
    const answer = await write({}, json({ message }, status));
    expect(codes(answer)).toEqual(expected);
    expect(answer.payload?.userErrors[0].code).toBe(expected.length === 0 ? 'ALREADY_EXISTS' : undefined);
  });

  it('name no field by a wire name that two have, and one by its wire name in any letters', async () => {
    const rows = { 'createCustomer.body': { phone: '/contact/number', nin: '/identity/number', bvn: 'bvnText' } };
    const entries = { 'identity.number': ['Is unknown.'], BvnText: ['Is unknown.'] };
    const { payload } = await write(rows, json({ errors: entries }, 422));
    expect(payload.userErrors).toMatchObject([{ field: null }, { field: ['input', 'bvn'] }]);
  });

  it.each([400, 200])('tell a duplicate by its code at %i', async (status) => {
    const reply = json({ success: false, code: 'E_TAKEN', message: 'No.' }, status);
    expect((await write({}, reply)).payload.userErrors[0].code).toBe('REJECTED');
    expect((await write({ 'errors.duplicateCodes': ['E_TAKEN'] }, reply)).payload.userErrors[0].code).toBe(
      'ALREADY_EXISTS',
    );
  });

  const asOneObject = {
    'errors.fields': ['/error'],
    'errors.message': ['/error/message'],
    'envelope.code': ['/error/code'],
    'errors.duplicateCodes': ['taken'],
  };
  it.each([
    ['at the field that it names', { param: 'nin' }, ['input', 'nin']],
    ['of no field where it names none', { param: null }, null],
  ])('tell a duplicate by the code of one object, %s', async (_, named, field) => {
    const error = { type: 'invalid_request_error', code: 'taken', message: 'No.', ...named };
    const { payload } = await write(asOneObject, json({ error }, 400));
    expect(payload.userErrors).toEqual([{ code: 'ALREADY_EXISTS', field, message: 'No.' }]);
  });
});

describe('codes that `errors.statuses` names', () => {
  const rows = {
    'envelope.code': ['/error/code', '/message'],
    'errors.statuses': {
      missing: 404,
      'No such record.': 404,
      busy: 503,
      slow: 408,
      odd: 422,
      spent: 429,
      bad_key: 401,
    },
  };
  const update =
    'mutation { updateCustomer(input: { id: "c1", type: "w" }) { customer { id } userErrors { code message } } }';
  const ask = async (reply: Reply, document: string, contract: object = rows) => {
    const { gateway, upstream } = await startScripted(() => reply, { contract: { ...contract } });
    const answer = await query(gateway, document);
    return { data: answer.data, codes: codes(answer), calls: upstream.requests.length };
  };
  const error = (code: string, status: number): Reply => json({ error: { code } }, status);

  it.each([
    ['missing', error('missing', 400), []],
    ['missing, at a 422 whose sentence is the code', json({ message: 'No such record.' }, 422), []],
    ['missing, at 403', error('missing', 403), []],
    ['busy', error('busy', 400), ['UPSTREAM_UNAVAILABLE']],
    ['spent', error('spent', 400), ['RATE_LIMITED']],
    ['a bad key', error('bad_key', 400), ['UNAUTHENTICATED']],
    ['missing beside a refused credential', error('missing', 401), ['UNAUTHENTICATED']],
    ['missing beside a fault of the service', error('missing', 500), ['UPSTREAM_UNAVAILABLE']],
    ['another code', error('other', 400), ['UPSTREAM_INVALID_RESPONSE']],
  ])('tell a read at a 4xx, too: %s', async (_, reply, expected) => {
    const { data, codes: found } = await ask(reply, '{ customer(id: "c1") { id } }');
    expect(data).toEqual({ customer: null });
    expect(found).toEqual(expected);
  });

  it.each([
    ['missing', error('missing', 400), ['NOT_FOUND']],
    ['missing, at 409', error('missing', 409), ['NOT_FOUND']],
    ['a time-out', error('slow', 400), ['OUTCOME_UNKNOWN']],
    ['busy', error('busy', 422), ['OUTCOME_UNKNOWN']],
    ['missing beside a fault of the service', error('missing', 500), ['OUTCOME_UNKNOWN']],
    ['missing beside a time-out', error('missing', 408), ['OUTCOME_UNKNOWN']],
    ['odd, at a status that is no refusal by itself', error('odd', 418), []],
  ])('tell a write at a 4xx, never at 408 and 5xx: %s', async (_, reply, expected) => {
    const { codes: found, calls } = await ask(reply, update);
    expect(found).toEqual(expected);
    expect(calls).toBe(1);
  });

  it('make a refusal of a 4xx', async () => {
    const { data } = await ask(json({ error: { code: 'odd' }, message: 'Odd.' }, 418), update);
    expect(data.updateCustomer.userErrors).toEqual([{ code: 'REJECTED', message: 'Odd.' }]);
  });
});

describe('rows for other answers', () => {
  it('take 202 with a record, and 204 where the row says that it is a success', async () => {
    expect((await write({}, success({ id: 'c1', type: 'w' }, 202))).payload.customer).toEqual({ id: 'c1' });
    expect(codes(await write({}, { status: 204 }))).toEqual(['OUTCOME_UNKNOWN']);
    expect((await write({ 'createCustomer.emptySuccess': true }, { status: 204 })).payload).toEqual({
      customer: null,
      userErrors: [],
    });
  });

  it.each<readonly [string, string, (socket: Socket) => void, readonly string[]]>([
    ['with its length', 'content-length: 0', () => undefined, []],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n0', () => undefined, []],
    ['by a close', 'connection: close', (socket) => socket.end(), ['OUTCOME_UNKNOWN']],
    ['by a close, not in chunks', 'transfer-encoding: identity', (socket) => socket.end(), ['OUTCOME_UNKNOWN']],
    ['by a reset', 'connection: close', (socket) => socket.resetAndDestroy(), ['OUTCOME_UNKNOWN']],
  ])('take an empty 200 for a success only where its end is certain: it ends %s', async (_, header, end, expected) => {
    const upstream = await startFaultUpstream(() => (socket) => {
      // What a reset overtakes is lost.
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`, () => setTimeout(() => end(socket), 20));
    });
    const contract = { 'createCustomer.emptySuccess': true };
    const gateway = await startGateway({ upstream: upstream.url, contract });
    expect(codes(await query(gateway, create))).toEqual(expected);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each(['application/vnd.api+json', 'application/json; charset=utf-8'])(
    'speak %s both ways, not compressed',
    async (type) => {
      const plain = { 'content-type': type, 'content-encoding': 'Identity' };
      const reply = { ...success({ id: 'c1', type: 'w' }), headers: plain };
      const { gateway, upstream } = await startScripted(() => reply, { contract: { 'service.contentType': type } });
      expect((await query(gateway, create)).data.createCustomer.customer).toEqual({ id: 'c1' });
      expect(upstream.requests.map(({ headers }) => [headers['accept'], headers['content-type']])).toEqual([
        [[type], [type]],
      ]);
    },
  );
});
