import { describe, expect, it } from 'vitest';

import { first, newCustomer, second, useBank } from './client.ts';

const bank = useBank();

describe('paths of the embedded bank', () => {
  it('answers 404 to a path with a slash too many or too few, and to other methods', async () => {
    for (const [method, path, body] of [
      ['POST', '/customers', newCustomer],
      ['GET', '/customers', undefined],
      ['PATCH', '/customers/cus_0001/', { first_name: 'Ada' }],
      ['GET', '/customers/cus_0001/balance/', undefined],
      ['PUT', '/customers/cus_0001', { first_name: 'Ada' }],
      ['DELETE', '/customers/cus_0001', undefined],
      ['GET', '/wallets/', undefined],
    ] as const) {
      const reply = await bank.call(method, `/api/v1${path}`, { body });
      expect(reply, `for ${path}`).toMatchObject({
        status: 404,
        body: { success: false, message: expect.any(String) },
      });
    }
  });
});

describe('credentials of the embedded bank', () => {
  const bearer = { authorization: first.authorization };
  const privateKey = { svcprivatekey: first.svcprivatekey };

  it('answer 401 where they are missing, unknown or those of the other resource', async () => {
    for (const [path, headers] of [
      ['/settlement-banks/', {}],
      ['/settlement-banks/', privateKey],
      ['/settlement-banks/', { authorization: 'Bearer demo-token-9' }],
      ['/customers/', {}],
      ['/customers/', bearer],
      ['/customers/cus_0001/balance', bearer],
    ] as const) {
      expect(await bank.get(path, headers)).toEqual({
        status: 401,
        contentType: expect.stringContaining('application/json'),
        body: { success: false, message: expect.any(String) },
      });
    }
  });

  it('answer 404 to whatever is another merchant’s', async () => {
    const headers = { ...second, 'content-type': 'application/json' };
    for (const [method, path, body] of [
      ['GET', '/customers/cus_0001', undefined],
      ['PATCH', '/customers/cus_0001', { first_name: 'Taken' }],
      ['GET', '/customers/cus_0001/balance', undefined],
      ['GET', '/customers/cus_0001/transactions', undefined],
      ['GET', '/customers/cus_0001/virtual-accounts', undefined],
      ['POST', '/customers/cus_0001/virtual-accounts', {}],
      ['POST', '/customers/cus_0001/one-time-accounts', {}],
      ['GET', '/settlement-banks/stb_0001', undefined],
      ['PATCH', '/settlement-banks/stb_0001', { name: 'Taken' }],
    ] as const) {
      expect(await bank.call(method, `/api/v1${path}`, { body, headers }), `for ${path}`).toMatchObject({
        status: 404,
      });
    }
    expect((await bank.get('/customers/cus_0001')).body).not.toMatchObject({ data: { first_name: 'Taken' } });
  });
});
