import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
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
    'envelope.failureKeys': ['/error'],
    'envelope.code': ['/error/code'],
    'errors.message': ['/error/message'],
    'errors.statuses': { not_found: 404 },
  };

  it.each<readonly [string, Reply, readonly unknown[]]>([
    ['that says 404', json({ error: { code: 'not_found', message: 'No.' } }), []],
    ['without a known code', json({ error: { code: 'odd' } }), ['UPSTREAM_INVALID_RESPONSE']],
  ])('tell a failed read inside 200 by the presence of a key %s', async (_, reply, expected) => {
    const { gateway } = await startScripted(() => reply, { contract: byKey });
    const answer = await query(gateway, '{ customer(id: "c1") { id } }');
    expect(answer.data.customer).toBeNull();
    expect(codes(answer)).toEqual(expected);
    expect(answer.errors.map(({ extensions }) => extensions['row'])).toEqual(expected.map(() => 'envelope.success'));
  });

  it('read a record beside an empty one of these keys', async () => {
    const { gateway } = await startScripted(() => json({ error: null, data: { id: 'c1' } }), { contract: byKey });
    expect((await query(gateway, '{ customer(id: "c1") { id } }')).data).toEqual({ customer: { id: 'c1' } });
  });

  it('tell a refused write by the presence of a key, unless a success stands beside it', async () => {
    const error = { code: 'bad', message: 'Not now.' };
    const { payload } = await write(byKey, json({ error }));
    expect(payload.userErrors).toEqual([{ code: 'REJECTED', field: null, message: 'Not now.' }]);
    expect(codes(await write(byKey, json({ success: true, error, data: { id: 'c1' } })))).toEqual(['OUTCOME_UNKNOWN']);
  });
});

describe('rows for refusals', () => {
  it.each<
    readonly [
      string,
      Readonly<Record<string, unknown>>,
      unknown,
      readonly (readonly [field: string | null, message: string, code?: string])[],
    ]
  >([
    [
      'a list that names fields',
      {},
      {
        errors: [
          { field: 'nin', message: 'Bad.' },
          { param: 'customer[dob]', msg: 'Old.' },
        ],
      },
      [
        ['nin', 'Bad.'],
        ['dateOfBirth', 'Old.'],
      ],
    ],
    [
      'a list of JSON pointers',
      {},
      { errors: [{ source: { pointer: '/data/attributes/first_name' }, detail: 'Bad.' }] },
      [['firstName', 'Bad.']],
    ],
    [
      'a list of sentences',
      {},
      { errors: ['Bad.', { message: 'Worse.' }] },
      [
        [null, 'Bad.', 'REJECTED'],
        [null, 'Worse.', 'REJECTED'],
      ],
    ],
    [
      'one nested object',
      { 'errors.fields': ['/error'] },
      { error: { message: 'Bad.', param: 'email' } },
      [['email', 'Bad.']],
    ],
    [
      'an object of lists',
      {},
      { errors: { nin: ['Bad.'], field: ['Odd.'] } },
      [
        ['nin', 'Bad.'],
        [null, 'Odd.'],
      ],
    ],
  ])('read %s', async (_, rows, body, expected) => {
    const { payload } = await write(rows, json(body, 422));
    expect(payload.userErrors).toEqual(
      expected.map(([field, message, code = 'INVALID']) => ({
        code,
        field: field === null ? null : ['input', field],
        message,
      })),
    );
  });

  it('take another status for a refusal', async () => {
    const reply = json({ success: false, message: 'Not covered.' }, 402);
    expect(codes(await write({}, reply))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    const { payload } = await write({ 'errors.refusalStatuses': [400, 402, 422] }, reply);
    expect(payload.userErrors).toEqual([{ code: 'REJECTED', field: null, message: 'Not covered.' }]);
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

describe('rows for other answers', () => {
  it('take 202 with a record, and 204 where the row says that it is a success', async () => {
    expect((await write({}, success({ id: 'c1', type: 'w' }, 202))).payload.customer).toEqual({ id: 'c1' });
    expect(codes(await write({}, { status: 204 }))).toEqual(['OUTCOME_UNKNOWN']);
    expect((await write({ 'createCustomer.emptySuccess': true }, { status: 204 })).payload).toEqual({
      customer: null,
      userErrors: [],
    });
  });

  it.each(['application/vnd.api+json', 'application/json; charset=utf-8'])('speak %s both ways', async (type) => {
    const reply = { ...success({ id: 'c1', type: 'w' }), headers: { 'content-type': type } };
    const { gateway, upstream } = await startScripted(() => reply, { contract: { 'service.contentType': type } });
    expect((await query(gateway, create)).data.createCustomer.customer).toEqual({ id: 'c1' });
    expect(upstream.requests.map(({ headers }) => [headers['accept'], headers['content-type']])).toEqual([
      [[type], [type]],
    ]);
  });
});
