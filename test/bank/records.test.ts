import { describe, expect, it } from 'vitest';

import { dataAt, first, newCustomer, newSettlementBank, recordOf, totalOf, useBank } from './client.ts';

const bank = useBank();
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('records of the embedded bank', () => {
  it('creates a customer and answers everything but its identity numbers', async () => {
    const reply = await bank.post('/customers/', { ...newCustomer, bvn: '12345678901', unknown: 5 });
    const { nin: _nin, bvn: _bvn, ...published } = newCustomer;
    expect(reply).toEqual({
      status: 201,
      contentType: 'application/json; charset=utf-8',
      body: {
        success: true,
        message: expect.any(String),
        data: {
          id: expect.stringMatching(/^cus_[0-9a-f]{16}$/),
          ...published,
          status: 'active',
          created_at: time,
          updated_at: time,
        },
      },
    });
    const read = await bank.get(`/customers/${recordOf(reply)['id']}`);
    expect(dataAt(read, 'data')).toEqual(dataAt(reply, 'data'));
  });

  it.each([
    ['customer', '/customers/', Object.keys(newCustomer).filter((name) => name !== 'bvn')],
    ['settlement bank', '/settlement-banks/', Object.keys(newSettlementBank)],
  ])('names every missing field of a new %s', async (_name, path, fields) => {
    const reply = await bank.post(path, {});
    expect(reply).toMatchObject({ status: 422, body: { success: false } });
    expect(dataAt(reply, 'errors')).toEqual(Object.fromEntries(fields.map((field) => [field, ['Is required.']])));
  });

  it.each<[path: string, record: object, other: string, faults: readonly [field: string, value: unknown][]]>([
    [
      '/customers/',
      newCustomer,
      'cus_0001',
      [
        ['nin', '1234567890'],
        ['dob', '1990-02-30'],
        ['phone', '2340000000999'],
        ['email', 'ngozi.example.com'],
        ['first_name', 5],
      ],
    ],
    [
      '/settlement-banks/',
      newSettlementBank,
      'stb_0001',
      [
        ['account_no', '12a'],
        ['bank_slug', 'Test Bank'],
      ],
    ],
  ])('refuses each faulty value at %s, on creation and on update', async (path, record, other, faults) => {
    const before = totalOf(await bank.get(path));
    for (const [field, value] of faults) {
      const created = await bank.post(path, { ...record, [field]: value });
      const updated = await bank.patch(path + other, { [field]: value });
      const refused = { status: 422, body: { errors: { [field]: [expect.any(String)] } } };
      expect([created, updated], `${field} ${JSON.stringify(value)}`).toMatchObject([refused, refused]);
    }
    expect(totalOf(await bank.get(path))).toBe(before);
  });

  it('answers 415 to a body of another type or none, and takes one with a charset', async () => {
    const create = (type: string, body: object = newCustomer) =>
      bank.call('POST', '/api/v1/customers/', { body, headers: { ...first, 'content-type': type } });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-patch', '']) {
      expect(await create(type), `for ${type}`).toMatchObject({ status: 415, body: { success: false } });
    }
    expect(await bank.raw('POST', '/api/v1/customers/', first)).toMatchObject({ status: 415 });
    expect(await create('application/json; charset=utf-8')).toMatchObject({ status: 201 });
  });
});
