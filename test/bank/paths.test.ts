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

  it('answers 404 outside the interface, whatever the content type and the escapes are', async () => {
    const replies = await Promise.all([
      bank.raw('GET', '/api/v1/customers/%zz', first),
      bank.raw('GET', '/_bank/unknown'),
      bank.call('POST', '/elsewhere', { body: '<x/>', headers: { 'content-type': 'text/xml' } }),
      bank.call('POST', '/api/v1/customers', { body: '<x/>', headers: { 'content-type': 'text xml' } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(replies.map(({ body }) => body)).toEqual(
      replies.map(() => ({ success: false, message: expect.any(String) })),
    );
  });

  it('does not resolve dot segments, written out or escaped', async () => {
    const replies = await Promise.all([
      bank.raw('GET', '/api/v1/customers/cus_0001/../cus_0002', first),
      bank.raw('GET', '/api/v1/customers/%2e%2e/balance', first),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
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

  it('refuses a write without a credential before it looks at the body', async () => {
    const reply = await bank.call('POST', '/api/v1/customers/', {
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });
    expect(reply).toMatchObject({ status: 401 });
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
