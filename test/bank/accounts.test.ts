import { describe, expect, it } from 'vitest';

import { dataAt, newCustomer, recordOf, rowsOf, useBank } from './client.ts';

const bank = useBank();

const createCustomer = async () => recordOf(await bank.post('/customers/', newCustomer))['id'] ?? '';
const balanceOf = async (id: string) => dataAt(await bank.get(`/customers/${id}/balance`), 'data');
const transactionsOf = async (id: string) => rowsOf(await bank.get(`/customers/${id}/transactions?per_page=100`));
const openAccount = async (id: string, kind: 'virtual' | 'one-time', body = {}) =>
  recordOf(await bank.post(`/customers/${id}/${kind}-accounts`, body));

describe('accounts of the embedded bank', () => {
  it('do not open for one time with what is no amount', async () => {
    for (const amount of ['0', '0.00', '-5', '1.005', '1e3', '007', '', 'x', 5, null]) {
      const reply = await bank.post('/customers/cus_0001/one-time-accounts', { amount });
      expect(reply).toMatchObject({ status: 422, body: { errors: { amount: [expect.any(String)] } } });
    }
  });
});

describe('deposits into the embedded bank', () => {
  it('add up exactly where floating point would not', async () => {
    const id = await createCustomer();
    const { account_number: accountNumber } = await openAccount(id, 'virtual');
    await bank.control('/deposits', { accountNumber, amount: '9007199254740993.01' });
    await bank.control('/deposits', { accountNumber, amount: '0.02' });
    expect(await balanceOf(id)).toMatchObject({ balance: '9007199254740993.03' });
  });

  it('into a one-time account are its own amount or nothing', async () => {
    const id = await createCustomer();
    const { account_number: accountNumber } = await openAccount(id, 'one-time', { amount: '50.00' });
    const refused = { status: 422, body: { errors: { amount: [expect.any(String)] } } };
    expect(await bank.control('/deposits', { accountNumber, amount: '49.99' })).toMatchObject(refused);
    expect(await bank.control('/deposits', { accountNumber, amount: '50.01' })).toMatchObject(refused);
    expect(await transactionsOf(id)).toEqual([]);
    expect(await bank.control('/deposits', { accountNumber, amount: '50' })).toMatchObject({ status: 201 });
    expect(await balanceOf(id)).toMatchObject({ balance: '50.00' });
  });
});
