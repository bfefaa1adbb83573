import { expect, it } from 'vitest';
import { checkRoutes, notThere, pages, written } from '../support/check.ts';
import { success } from '../support/upstream.ts';

interface Records {
  readonly customers?: readonly object[];
  readonly accounts?: readonly object[];
  readonly transactions?: readonly object[];
  readonly settlementBanks?: readonly object[];
  readonly balance?: object;
}

/** A check of a service with these records. The first customer is read alone, by whatever value. */
const checkRecords = (records: Records) => {
  const { customers = [{ id: 'c1' }], accounts = [], transactions = [], settlementBanks = [], balance } = records;
  return checkRoutes([
    pages(/\/virtual-accounts/, accounts),
    pages(/\/transactions/, transactions),
    [/\/balance$/, () => (balance === undefined ? notThere : success(balance))],
    pages(/\/settlement-banks\/\?/, settlementBanks),
    pages(/\/customers\/\?/, customers),
    [/\/customers\/c\d+$/, () => success(customers[0])],
  ]);
};

it('finds fields under the other names that payment services use, with the form of their values', async () => {
  const customers = Array.from({ length: 12 }, (_, index) => ({
    id: `c${index + 1}`,
    external_ref: `r-${index + 1}`,
    phone_no: '+2340000000000',
    born_on: '1990-01-31',
    created_at_ms: 1_767_225_600_000,
    amended: '2026-01-31T09:30:00',
  }));
  const account = { nuban: '0000000000', routing: '000', opened_on: '2026-01-31T09:30:00Z' };
  const entry = { narrative: 'Deposit', posted_at: '2026-01-31T09:30:00Z' };
  const result = await checkRecords({
    customers,
    accounts: ['a1', 'a2'].map((id) => ({ id, ...account })),
    transactions: ['t1', 't2'].map((id) => ({ id, ...entry })),
  });
  expect(written(result)).toEqual({
    'customer.reference': ['/external_ref'],
    'customer.phone': ['/phone_no'],
    'customer.dateOfBirth': ['/born_on'],
    'customer.createdAt': ['/created_at_ms'],
    'customer.updatedAt': ['/amended'],
    'times.numbers': 'milliseconds',
    'times.zone': 'undecided',
    'transaction.narration': ['/narrative'],
    'transaction.createdAt': ['/posted_at'],
    'account.accountNumber': ['/nuban'],
    'account.bankCode': ['/routing'],
    'account.createdAt': ['/opened_on'],
  });
});

it('takes the name with its kind before a published one, and no bank code for the id of a settlement bank', async () => {
  const rows = written(
    await checkRecords({
      customers: [{ pk: 'c1' }],
      accounts: ['a1', 'a2'].map((accountId) => ({ accountId, accountNumber: '0000000000' })),
      settlementBanks: [{ code: '000', name: 'Demo' }],
    }),
  );
  expect(rows).toMatchObject({ 'customer.id': ['/pk'], 'account.id': ['/accountId'] });
  expect(rows).not.toHaveProperty('settlementBank.id');
});

it.each(['uuid', 'pk', 'account_id', 'virtual_account_id'])(
  'takes %s for the id of an account before its number, which proves no create',
  async (name) => {
    const accounts = ['a1', 'a2'].map((id) => ({ [name]: id, account_number: '0000000000' }));
    expect(written(await checkRecords({ accounts }))).toMatchObject({ 'account.id': [`/${name}`] });
  },
);

it.each([
  ['customer', { uid: 'c1' }],
  ['wallet', { account_id: 'wallet1' }],
])('takes no id of the %s round accounts for that of an account', async (_, fields) => {
  const accounts = [1, 2].map((index) => ({ ...fields, owner: 'c1', account_number: `000000000${index}` }));
  expect(written(await checkRecords({ accounts }))).not.toHaveProperty(['account.id']);
});

it('asks for the reference where it stands at the identifier and another value may be the one that creates send', async () => {
  const customers = [{ clientReference: 'c1', shopRef: 'r1', phone: '+2340000000000' }];
  const result = await checkRecords({ customers });
  expect(written(result)).toMatchObject({ 'customer.reference': ['/clientReference'] });
  expect(result.file).toMatch(
    /customer\.reference:\n.*# to decide: a pointer, if creates send another reference: \/shopRef$/m,
  );
});

it('takes no fee for the amount of a transaction: it names the amounts that there are', async () => {
  const transactions = [{ id: 't1', sum: 9000, fee: { amount: 150, currency: 'NGN' } }];
  const result = await checkRecords({ transactions });
  expect(written(result)).not.toHaveProperty('transaction.amount');
  expect(result.file).toContain(
    'transaction.amount:  # to decide: a pointer, if one of these is meant: /sum, /fee/amount',
  );
});

it.each(['amountPaid', 'amount_paid', 'paid'])('offers %s as an amount, not as an identifier', async (name) => {
  const transactions = [1, 2].map((index) => ({ transactionReference: `TX${index}`, [name]: 1500 * index }));
  const { file } = await checkRecords({ transactions });
  expect(file).toContain(`transaction.amount:  # to decide: a pointer, if one of these is meant: /${name}\n`);
  expect(file).toMatch(
    /transaction\.id: {2}# to decide: a pointer to the identifier; such values stand at \/transactionReference$/m,
  );
});

it.each(['date_paid', 'isPaid'])('offers %s, a time or a flag, as no amount', async (name) => {
  const transactions = [1, 2].map((index) => ({ id: `t${index}`, [name]: 1_735_689_600 * index }));
  expect((await checkRecords({ transactions })).file).not.toMatch(/transaction\.amount:.*[Pp]aid/);
});

it.each([
  [{ availableBalance: '4.00', currentBalance: '5.00' }, '/availableBalance', '/currentBalance'],
  [{ available_balance: '4.00', wallet_balance: '5.00' }, '/available_balance', '/wallet_balance'],
])('asks which of two amounts is the balance: %j', async (amounts, taken, other) => {
  const { file, again } = await checkRecords({ balance: { ...amounts, hold: '1.00', currency: 'NGN' } });
  expect(file).toContain(`# to decide: [${taken}], or the amount that the service calls the balance: ${other}\n`);
  for (const pointer of [taken, other]) {
    const decided = await again({ 'balance.value': [pointer] });
    expect(decided.file).not.toContain('the service calls the balance');
  }
});

it('asks which of two amounts is the balance inside a customer, where there is no other', async () => {
  const balance = { availableBalance: '4.00', currentBalance: '5.00' };
  const { file } = await checkRecords({ customers: [{ id: 'c1', balance }] });
  expect(file).toContain(
    '# to decide: [/availableBalance], or the amount that the service calls the balance: /currentBalance\n',
  );
});

it('asks for no other balance where one has that very name', async () => {
  const { file } = await checkRecords({ balance: { balance: '5.00', current_balance: '4.00' } });
  expect(file).not.toContain('the service calls the balance');
});
