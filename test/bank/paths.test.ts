import { describe, expect, it } from 'vitest';

import { first, newCustomer, second, useBank } from './client.ts';

const bank = useBank();
const refused = (status: number) => ({ status, body: { success: false, message: expect.any(String) as string } });

it('answers 404 to a path with a slash too many or too few, and to other methods', async () => {
  for (const [method, path, body] of [
    ['POST', '/customers', newCustomer],
    ['GET', '/customers', undefined],
    ['PATCH', '/customers/cus_0001/', { first_name: 'Ada' }],
    ['PUT', '/customers/cus_0001', { first_name: 'Ada' }],
    ['GET', '/wallets/', undefined],
  ] as const)
    expect(await bank.call(method, `/api/v1${path}`, { body }), `for ${path}`).toMatchObject(refused(404));
});

describe('credentials of the embedded bank', () => {
  const { authorization, svcprivatekey } = first;

  it('answer 401 where they are missing, unknown or those of the other resource', async () => {
    for (const [path, headers] of [
      ['/settlement-banks/', {}],
      ['/settlement-banks/', { svcprivatekey }],
      ['/settlement-banks/', { authorization: 'Bearer demo-token-9' }],
      ['/customers/', { authorization }],
      ['/customers/cus_0001/balance', { authorization }],
    ] as const)
      expect(await bank.get(path, headers)).toMatchObject(refused(401));
  });

  it('answer 404 to whatever is another merchant’s', async () => {
    const headers = { ...second, 'content-type': 'application/json' };
    for (const [method, path, body] of [
      ['GET', '/customers/cus_0001', undefined],
      ['PATCH', '/customers/cus_0001', { first_name: 'Taken' }],
      ['GET', '/customers/cus_0001/balance', undefined],
      ['GET', '/customers/cus_0001/transactions', undefined],
      ['POST', '/customers/cus_0001/virtual-accounts', {}],
      ['GET', '/settlement-banks/stb_0001', undefined],
      ['PATCH', '/settlement-banks/stb_0001', { name: 'Taken' }],
    ] as const)
      expect(await bank.call(method, `/api/v1${path}`, { body, headers }), `for ${path}`).toMatchObject(refused(404));
    expect((await bank.get('/customers/cus_0001')).body).not.toMatchObject({ data: { first_name: 'Taken' } });
  });
});
