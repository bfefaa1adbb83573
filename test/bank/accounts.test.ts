import { describe, expect, it } from 'vitest';

import { dataAt, newCustomer, recordOf, rowsOf, useBank } from './client.ts';

const bank = useBank();

const createCustomer = async () => recordOf(await bank.post('/customers/', newCustomer))['id'] ?? '';
const balanceOf = async (id: string) => dataAt(await bank.get(`/customers/${id}/balance`), 'data');
const transactionsOf = async (id: string) => rowsOf(await bank.get(`/customers/${id}/transactions?per_page=100`));
const openAccount = async (id: string, kind: 'virtual' | 'one-time', body = {}) =>
  recordOf(await bank.post(`/customers/${id}/${kind}-accounts`, body));

describe('accounts of the embedded bank', () => {
  it('open for a customer any number of times, each with a number of its own', async () => {
    const id = await createCustomer();
    const accounts = [await openAccount(id, 'virtual'), await openAccount(id, 'virtual')];
    const numbers = accounts.map((account) => account['account_number']);
    expect(accounts[0]).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-f]{16}$/),
      account_number: expect.stringMatching(/^\d{10}$/),
      account_name: 'Ngozi Ọlá',
      bank_name: expect.any(String),
      bank_code: expect.stringMatching(/^\d+$/),
      status: 'active',
      created_at: expect.any(String),
    });
    expect(new Set(numbers).size).toBe(2);
    expect(rowsOf(await bank.get(`/customers/${id}/virtual-accounts`))).toEqual(accounts);
  });

  it('open for one time with an amount or without, for thirty minutes, outside the list', async () => {
    const id = await createCustomer();
    const [fixed, free] = [await openAccount(id, 'one-time', { amount: '1250.5' }), await openAccount(id, 'one-time')];
    expect(fixed).toMatchObject({ amount: '1250.50', account_number: expect.stringMatching(/^\d{10}$/) });
    expect(free).toMatchObject({ amount: null, id: expect.stringMatching(/^ota_[0-9a-f]{16}$/) });
    expect(Date.parse(fixed['expires_at'] ?? '') - Date.parse(fixed['created_at'] ?? '')).toBe(1_800_000);
    expect(rowsOf(await bank.get(`/customers/${id}/virtual-accounts`))).toEqual([]);
  });

  it('do not open for one time with what is no amount', async () => {
    for (const amount of ['0', '0.00', '-5', '1.005', '1e3', '007', '', 'x', 5, null]) {
      const reply = await bank.post('/customers/cus_0001/one-time-accounts', { amount });
      expect(reply).toMatchObject({ status: 422, body: { errors: { amount: [expect.any(String)] } } });
    }
  });
});

describe('deposits into the embedded bank', () => {
  it('appear as a credit of the customer and move its balance', async () => {
    const id = await createCustomer();
    const { account_number: accountNumber } = await openAccount(id, 'virtual');
    const reply = await bank.control('/deposits', { accountNumber, amount: '100.1', narration: 'School fees' });
    const transaction = {
      id: expect.stringMatching(/^txn_[0-9a-f]{16}$/),
      reference: expect.any(String),
      narration: 'School fees',
      type: 'credit',
      status: 'successful',
      amount: '100.10',
      created_at: expect.any(String),
    };
    expect(reply).toMatchObject({ status: 201, body: { success: true } });
    expect(dataAt(reply, 'data')).toEqual(transaction);
    expect(await transactionsOf(id)).toEqual([dataAt(reply, 'data')]);
    expect(await balanceOf(id)).toMatchObject({ balance: '100.10' });
  });

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
