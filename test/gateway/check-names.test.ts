import { expect, it, onTestFinished } from 'vitest';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { checkService, notThere } from '../support/check.ts';
import { failure, pageOf, startUpstream, success } from '../support/upstream.ts';

const customer = (id: string) => ({
  id,
  external_ref: `r-${id}`,
  phone_no: '+2340000000000',
  born_on: '1990-01-31',
  created_at_ms: 1_767_225_600_000,
  amended: '2026-01-31T09:30:00',
});
const account = (index: number) => ({
  id: `a${index}`,
  nuban: '0000000000',
  routing: '000',
  opened_on: '2026-01-31T09:30:00Z',
});
const entry = (index: number) => ({ id: `t${index}`, narrative: 'Deposit', posted_at: '2026-01-31T09:30:00Z' });

it('finds fields under the other names that payment services use, with the form of their values', async () => {
  const customers = Array.from({ length: 12 }, (_, index) => customer(`c${index + 1}`));
  const service = await startUpstream(({ path }) => {
    if (path.includes('/virtual-accounts')) return pageOf([1, 2].map(account), path);
    if (path.includes('/transactions')) return pageOf([1, 2].map(entry), path);
    return path.includes('/customers/?') ? pageOf(customers, path) : success(customer(path.split('/').at(-1) ?? ''));
  });
  onTestFinished(service.close);
  const { file } = await checkService(service.url);
  expect(parseOverrides(file, 'written.yaml')).toEqual({
    faults: [],
    overrides: {
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
    },
  });
});

it('takes the name with its kind before a published one, and no bank code for the id of a settlement bank', async () => {
  const accounts = [1, 2].map((index) => ({ accountId: `a${index}`, accountNumber: '0000000000' }));
  const service = await startUpstream(({ path }) => {
    if (path.includes('/virtual-accounts')) return pageOf(accounts, path);
    if (path.includes('/settlement-banks/?')) return pageOf([{ code: '000', name: 'Demo' }], path);
    if (path.includes('/settlement-banks/')) return failure(404);
    return path.includes('/customers/?') ? pageOf([{ pk: 'c1' }], path) : success({ pk: path.split('/').at(-1) });
  });
  onTestFinished(service.close);
  const { overrides } = parseOverrides((await checkService(service.url)).file, 'written.yaml');
  expect(overrides).toMatchObject({ 'customer.id': ['/pk'], 'account.id': ['/accountId'] });
  expect(overrides).not.toHaveProperty('settlementBank.id');
});

it.each(['uuid', 'pk', 'account_id', 'virtual_account_id'])(
  'takes %s for the id of an account before its number, which proves no create',
  async (name) => {
    const accounts = [1, 2].map((index) => ({ [name]: `a${index}`, account_number: '0000000000' }));
    const service = await startUpstream(({ path }) => {
      if (path.includes('/virtual-accounts')) return pageOf(accounts, path);
      return path.includes('/customers/?') ? pageOf([{ id: 'c1' }], path) : success({ id: 'c1' });
    });
    onTestFinished(service.close);
    const { overrides } = parseOverrides((await checkService(service.url)).file, 'written.yaml');
    expect(overrides).toMatchObject({ 'account.id': [`/${name}`] });
  },
);

it.each([
  ['customer', { uid: 'c1' }],
  ['wallet', { account_id: 'wallet1' }],
])('takes no id of the %s round accounts for that of an account', async (_, fields) => {
  const accounts = [1, 2].map((index) => ({ ...fields, owner: 'c1', account_number: `000000000${index}` }));
  const service = await startUpstream(({ path }) => {
    if (path.includes('/virtual-accounts')) return pageOf(accounts, path);
    return path.includes('/customers/?') ? pageOf([{ id: 'c1' }], path) : success({ id: 'c1' });
  });
  onTestFinished(service.close);
  const { overrides } = parseOverrides((await checkService(service.url)).file, 'written.yaml');
  expect(overrides).not.toHaveProperty(['account.id']);
});

it('asks for the reference where it stands at the identifier and another value may be the one that creates send', async () => {
  const record = (id: string) => ({ clientReference: id, shopRef: 'r1', phone: '+2340000000000' });
  const service = await startUpstream(({ path }) =>
    path.includes('/customers/?') ? pageOf([record('c1')], path) : success(record(path.split('/').at(-1) ?? '')),
  );
  onTestFinished(service.close);
  const { file } = await checkService(service.url);
  expect(parseOverrides(file, 'written.yaml').overrides).toMatchObject({ 'customer.reference': ['/clientReference'] });
  expect(file).toMatch(
    /customer\.reference:\n.*# to decide: a pointer, if creates send another reference: \/shopRef$/m,
  );
});

it('takes no fee for the amount of a transaction: it names the amounts that there are', async () => {
  const records = [{ id: 't1', sum: 9000, fee: { amount: 150, currency: 'NGN' } }];
  const service = await startUpstream(({ path }) => {
    if (path.includes('/transactions')) return pageOf(records, path);
    return path.includes('/customers/?') ? pageOf([{ id: 'c1' }], path) : success({ id: 'c1' });
  });
  onTestFinished(service.close);
  const { file } = await checkService(service.url);
  expect(parseOverrides(file, 'written.yaml').overrides).not.toHaveProperty('transaction.amount');
  expect(file).toContain('transaction.amount:  # to decide: a pointer, if one of these is meant: /sum, /fee/amount');
});

it.each(['amountPaid', 'amount_paid', 'paid'])('offers %s as an amount, not as an identifier', async (name) => {
  const records = [1, 2].map((index) => ({ transactionReference: `TX${index}`, [name]: 1500 * index }));
  const service = await startUpstream(({ path }) => {
    if (path.includes('/transactions')) return pageOf(records, path);
    return path.includes('/customers/?') ? pageOf([{ id: 'c1' }], path) : success({ id: 'c1' });
  });
  onTestFinished(service.close);
  const { file } = await checkService(service.url);
  expect(file).toContain(`transaction.amount:  # to decide: a pointer, if one of these is meant: /${name}\n`);
  expect(file).toMatch(
    /transaction\.id: {2}# to decide: a pointer to the identifier; such values stand at \/transactionReference$/m,
  );
});

it.each(['date_paid', 'isPaid'])('offers %s, a time or a flag, as no amount', async (name) => {
  const records = [1, 2].map((index) => ({ id: `t${index}`, [name]: 1_735_689_600 * index }));
  const service = await startUpstream(({ path }) => {
    if (path.includes('/transactions')) return pageOf(records, path);
    return path.includes('/customers/?') ? pageOf([{ id: 'c1' }], path) : success({ id: 'c1' });
  });
  onTestFinished(service.close);
  const { file } = await checkService(service.url);
  expect(file).not.toMatch(/transaction\.amount:.*[Pp]aid/);
});

it.each([
  [{ availableBalance: '4.00', currentBalance: '5.00' }, '/availableBalance', '/currentBalance'],
  [{ available_balance: '4.00', wallet_balance: '5.00' }, '/available_balance', '/wallet_balance'],
])('asks which of two amounts is the balance: %j', async (amounts, taken, other) => {
  const service = await startUpstream(({ path }) => {
    if (path.endsWith('/balance')) return success({ ...amounts, hold: '1.00', currency: 'NGN' });
    return path.includes('/customers/?') ? pageOf([{ id: 'c1' }], path) : success({ id: 'c1' });
  });
  onTestFinished(service.close);
  const { file } = await checkService(service.url);
  expect(file).toContain(`# to decide: [${taken}], or the amount that the service calls the balance: ${other}\n`);
  for (const pointer of [taken, other]) {
    const decided = await checkService(service.url, { 'balance.value': [pointer] });
    expect(decided.file).not.toContain('the service calls the balance');
  }
});

it('asks which of two amounts is the balance inside a customer, where there is no other', async () => {
  const customer = { id: 'c1', balance: { availableBalance: '4.00', currentBalance: '5.00' } };
  const service = await startUpstream(({ path }) => {
    if (path.endsWith('/balance')) return notThere;
    return path.includes('/customers/?') ? pageOf([customer], path) : success(customer);
  });
  onTestFinished(service.close);
  const { file } = await checkService(service.url);
  expect(file).toContain(
    '# to decide: [/availableBalance], or the amount that the service calls the balance: /currentBalance\n',
  );
});

it('asks for no other balance where one has that very name', async () => {
  const service = await startUpstream(({ path }) => {
    if (path.endsWith('/balance')) return success({ balance: '5.00', current_balance: '4.00' });
    return path.includes('/customers/?') ? pageOf([{ id: 'c1' }], path) : success({ id: 'c1' });
  });
  onTestFinished(service.close);
  const { file } = await checkService(service.url);
  expect(file).not.toContain('the service calls the balance');
});
