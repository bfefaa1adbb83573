import { describe, expect, it } from 'vitest';
import {
  byRecord,
  checkRoutes,
  contradicted,
  findingOf,
  list as pagesOf,
  notThere,
  written,
  type Route,
  pages,
} from '../support/check.ts';
import { parametersOf } from '../support/paging.ts';
import { success, type Reply } from '../support/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

const customers = Array.from({ length: 12 }, (_, index) => ({ id: `customer-${index + 1}` }));
const listed = pages(/\/customers\/\?/, customers);
const single: Route = [/\/customers\/[\w-]+$/, ({ path }) => success({ id: path.split('/').at(-1) })];
const transactions = (id: string, records: readonly Rows[]) => pages(new RegExp(`/${id}/transactions`), records);
const noTransactions = pages(/\/transactions/, []);

describe('a check of money of which it saw one kind of record', () => {
  const balance: Route = [/\/balance$/, () => success({ balance: 19.99 })];
  const routes = [listed, single, balance, noTransactions];

  it('asks for the unit of the other kind, and says that none was seen', async () => {
    const { file } = await checkRoutes(routes);
    expect(file).toMatch(
      /^ {2}# transaction\.unit: {2}# to decide: major or minor: no transaction was seen, and .* major/m,
    );
    expect(file).toMatch(/^ {2}# money\.unit: .*for balances major: .*; for transactions none was seen/m);
  });

  it('asks for no unit of a kind that was seen once money.unit is decided', async () => {
    const { file } = await checkRoutes(routes, { 'money.unit': 'major', 'money.currency': 'NGN' });
    expect(file).not.toContain('# balance.unit');
    expect(file).toContain('# transaction.unit');
  });

  it('contradicts minor units by decimals', async () => {
    const result = await checkRoutes(routes, { 'money.unit': 'minor', 'money.currency': 'NGN' });
    expect(findingOf(result, 'balance.unit').state).toBe('contradicted');
    expect(result.file).toMatch(/^ {2}# balance\.unit: {2}# to decide: major/m);
  });
});

describe('a check of customers of whom the first has nothing', () => {
  it('reads the lists of up to five customers, until one has records', async () => {
    const records = [1, 2, 3].map((index) => ({ id: `t${index}`, amount: 100, customer: { id: 'customer-3' } }));
    const result = await checkRoutes([listed, single, transactions('customer-3', records), noTransactions]);
    expect(findingOf(result, 'transaction.id').state).toBe('confirmed');
    expect(result.file).toMatch(/^ {2}# transaction\.unit: {2}# to decide: minor, perhaps/m);
    expect(written(result)).toMatchObject({ 'transaction.customerId': ['/customer/id'] });
    const reads = result.requests.filter(({ path }) => path.includes('/customer-4/transactions'));
    expect(reads).toEqual([]);
    expect(findingOf(await result.again(), 'transaction.customerId').state).toBe('confirmed');
  });

  it('finds a field in the records of later pages that the first one has as null', async () => {
    const wallets = customers.map(({ id }, index) => ({
      id,
      wallet: index === 0 ? null : { wallet_code: `w-${index}` },
    }));
    const result = await checkRoutes([pages(/\/customers\/\?/, wallets), single]);
    expect(written(result)).toMatchObject({ 'customer.collectionWalletId': ['/wallet/wallet_code'] });
  });
});

describe('a check of records without a usual id', () => {
  it.each(['05', '0000'])('takes no code of the answer that stands in each of them: %s', async (code) => {
    const records = [1, 2, 3].map((index) => ({ code, reference: `r-${index}`, amount: 100 }));
    const result = await checkRoutes([listed, single, transactions('customer-1', records)]);
    expect(written(result)).not.toHaveProperty('transaction.id');
    expect(findingOf(result, 'transaction.id').seen).toBe('records have no identifier under a usual name');
  });
});

describe('a check of what identifies a customer', () => {
  const coded = customers.map(({ id }, index) => ({
    id: 9000 + index,
    integration_number: 7,
    national_id: 'X7',
    customer_code: id,
  }));
  const codedList = pages(/\/customers\/\?/, coded);
  const byCode: Route = [
    /\/customers\/customer-\d+$/,
    ({ path }) => success(coded.find(({ customer_code: code }) => path.endsWith(`/${code}`)) ?? {}),
  ];

  it('takes another value of the record where the single read finds nothing by the first', async () => {
    const result = await checkRoutes([codedList, byCode, noTransactions]);
    expect(written(result)).toMatchObject({
      'customer.id': ['/customer_code'],
      'customer.identifiedBy': ['/customer_code'],
    });
    expect(findingOf(result, 'getCustomer.path').state).toBe('confirmed');
    expect(findingOf(result, 'listCustomerTransactions.path').state).toBe('confirmed');
    expect(contradicted(await result.again()).filter((id) => /^customer\.|^getCustomer\./.test(id))).toEqual([]);
  });

  it('asks for it where none is found by any, and contradicts no address below', async () => {
    const result = await checkRoutes([codedList]);
    expect(result.file).toMatch(/^ {2}# customer\.id: .*\/integration_number, \/national_id, \/customer_code$/m);
    expect(result.requests.filter(({ path }) => path.endsWith('/X7'))).toEqual([]);
    for (const row of ['getCustomerBalance.path', 'listCustomerTransactions.path', 'listCustomerVirtualAccounts.path'])
      expect(findingOf(result, row)).toMatchObject({
        state: 'not observable',
        why: 'no identifier of the record is proven',
      });
  });
});

describe('a check of a customer that cannot be read', () => {
  const related = customers.map((each) => ({ ...each, reference: `r-${each.id}` }));
  const list = pages(/\/customers\/\?/, related);
  const last = (path: string): string => decodeURIComponent(path.split('/').at(-1) ?? '');

  it('reads the second one where the first is deleted, and what is below it', async () => {
    const result = await checkRoutes([[/\/customer-1(?:\/|$)/, () => notThere], list, single, noTransactions]);
    const rows = ['getCustomer.path', 'listCustomerTransactions.path', 'customer.identifiedBy'];
    expect(rows.map((row) => findingOf(result, row).state)).toEqual(Array(3).fill('confirmed'));
    expect(written(result)).toEqual({});
  });

  it('asks for no identifier where the answer is no evidence', async () => {
    const { file } = await checkRoutes([list, [/\/customers\/[\w-]+$/, () => ({ status: 429, json: {} })]]);
    expect(file).not.toContain('# customer.id');
  });

  it('leaves a character of identifiers to a person, and reads them once it is allowed', async () => {
    const slashed = pages(/\/customers\/\?/, [{ id: 'CUS/1' }, { id: 'CUS/2' }]);
    const result = await checkRoutes([slashed, [/\/customers\/CUS%2F\d$/, ({ path }) => success({ id: last(path) })]]);
    expect(findingOf(result, 'identifiers.allow').seen).toBe('identifiers contain /');
    expect(findingOf(result, 'getCustomer.path').why).toBe('an identifier that may not stand in a path');
    expect(result.file).toMatch(/^ {2}# identifiers\.allow: {2}# to decide: \['\/'\], after/m);
    expect(result.file).not.toContain('CUS');
    expect(findingOf(await result.again({ 'identifiers.allow': ['/'] }), 'getCustomer.path').state).toBe('confirmed');
  });
});

describe('a check of a service that has another media type', () => {
  const type = 'application/vnd.api+json';
  const strict = ([target, answer]: Route): Route => [
    target,
    (request) => {
      const accept = request.headers['accept']?.join() ?? '';
      const headers = { 'content-type': type };
      return accept === type ? { headers, ...answer(request) } : { status: 406, headers, json: { errors: [] } };
    },
  ];

  it('takes the type of its refusal, and says the status of a path without a success', async () => {
    const result = await checkRoutes([listed, single].map(strict));
    expect(findingOf(result, 'service.contentType').seen).toBe(`HTTP 406 to application/json; answers are ${type}`);
    expect(written(result)).toMatchObject({ 'service.contentType': type });
    expect(findingOf(result, 'listCustomers.path').state).toBe('confirmed');
    expect(findingOf(result, 'getCustomerBalance.path').seen).toMatch(/^HTTP 404: no success there/);
  });
});

describe('a check of pages', () => {
  it('follows the id of the last record in a list that alone has a flag', async () => {
    const entries = Array.from({ length: 31 }, (_, index) => ({ id: `t${index}` }));
    const toJson = (data: readonly object[], end: number) => ({ data, has_more: end < entries.length });
    const flagged = pagesOf(/\/transactions/, entries, byRecord('starting_after'), 'limit', toJson, 10);
    const result = await checkRoutes([listed, single, flagged]);
    expect(written(result)).toMatchObject({
      'listCustomerTransactions.pageStyle': 'cursor',
      'listCustomerTransactions.cursorFrom': 'lastRecord',
    });
    expect(written(result)).not.toHaveProperty('lists.cursorFrom');
    expect(contradicted(await result.again()).filter((id) => /^list.*\.(?!path)/.test(id))).toEqual([]);
  });

  it('tries parameters in brackets for resources of JSON:API without a link, and smaller pages than one it refuses', async () => {
    const all = customers.concat(customers.map(({ id }) => ({ id: `${id}-b` })));
    const resources = all.map(({ id }) => ({ type: 'customer', id, attributes: { email: `${id}@example.com` } }));
    const paged: Route = [
      /\/customers\/\?/,
      ({ path }): Reply => {
        const [limit, offset] = ['page[limit]', 'page[offset]'].map((name) => parametersOf(path).get(name));
        const [size, start] = [Number(limit ?? 10), Number(offset ?? 0)];
        const isSearch = parametersOf(path).has('filter[query]');
        const meta = { pagination: { total: all.length, limit: size, offset: start } };
        if (size > 50) return { status: 400, json: { errors: [] } };
        return { json: { data: isSearch ? [] : resources.slice(start, start + size), meta } };
      },
    ];
    expect(written(await checkRoutes([paged]))).toMatchObject({
      'listCustomers.pageStyle': 'offset',
      'lists.offset': 'page[offset]',
      'lists.limit': 'page[limit]',
      'lists.maxPageSize': 50,
      'listCustomers.search': 'filter[query]',
    });
  });

  it.each([
    ['the customers', /\/customers\/(?:\?|$)/, 'listCustomers'],
    ['another list', /\/settlement-banks\/(?:\?|$)/, 'listSettlementBanks'],
  ])('leaves no style in force for %s where more follows that no parameter reaches', async (_, target, list) => {
    const first: Route = [target, () => ({ json: { data: customers.slice(0, 5), has_more: true } })];
    const result = await checkRoutes([first, listed, single]);
    expect(written(result)).toMatchObject({ [`${list}.pageStyle`]: 'undecided' });
    expect(result.file).toMatch(
      new RegExp(`^ {2}${list}\\.pageStyle: undecided # to decide: .*page, offset or cursor`, 'm'),
    );
  });

  it('contradicts no largest page that is smaller than the one of the service', async () => {
    const result = await checkRoutes([listed, single], { 'lists.maxPageSize': 5 });
    expect(findingOf(result, 'lists.maxPageSize').state).toBe('confirmed');
  });
});

describe('a check of dates and times', () => {
  const checkDated = (fields: readonly Rows[], rows: Rows = {}) => {
    const dated = customers.slice(0, 2).map((each, index) => ({ ...each, ...fields[index] }));
    const list = pages(/\/customers\/\?/, dated);
    return checkRoutes([list, [/\/customers\/[\w-]+$/, () => success(dated[0])]], rows);
  };

  it.each<[string, Rows, Rows]>([
    ['dates in the form of its row', { 'dates.form': 'DD/MM/YYYY' }, { dob: '10/01/1990' }],
    ['seconds as a text', { 'times.numbers': 'seconds' }, { created_at: '1700000000' }],
    ['a date at midnight', {}, { dob: '1990-01-10T00:00:00' }],
    ['empty texts', {}, { dob: '', updated_at: '' }],
  ])('contradicts nothing that the gateway reads: %s', async (_, rows, fields) => {
    const result = await checkDated([fields, fields], rows);
    expect(contradicted(result).filter((id) => !id.endsWith('.path'))).toEqual([]);
    expect(written(result)).toEqual(rows);
  });

  it('writes the form of dates that only one form reads, and the unit of digits', async () => {
    const dated = { dateOfBirth: '10/01/1990', created_at: '1700000000' };
    expect(written(await checkDated([dated, { dateOfBirth: '31/01/1990' }]))).toEqual({
      'customer.dateOfBirth': ['/dateOfBirth'],
      'dates.form': 'DD/MM/YYYY',
      'times.numbers': 'seconds',
    });
  });

  it('leaves the form to a person where two forms read every date', async () => {
    const result = await checkDated([{ dob: '10/01/1990' }, { dob: '11/02/1990' }]);
    expect(findingOf(result, 'dates.form').seen).toBe('dates come as DD/MM/YYYY or MM/DD/YYYY');
    expect(result.file).toMatch(/^ {2}# dates\.form: {2}# to decide: .* DD\/MM\/YYYY or MM\/DD\/YYYY$/m);
    expect(written(result)).toEqual({});
  });
});

describe('a check of fields that no usual name shows', () => {
  const bank = {
    id: 'b1',
    business_name: 'Demo',
    settlement_bank: { name: 'Demo Bank', code: '044', slug: 'demo-bank' },
    active: true,
    happened: '2026-01-31 09:30:00',
  };
  const banks = pages(/\/settlement-banks\/\?/, [bank]);

  it('asks for them, with the unused values of their form, and for the zone of any time without one', async () => {
    const result = await checkRoutes([banks]);
    expect(written(result)).not.toHaveProperty(['settlementBank.name']);
    expect(written(result)).toMatchObject({
      'settlementBank.bankCode': ['/settlement_bank/code'],
      'settlementBank.bankSlug': ['/settlement_bank/slug'],
      'times.zone': 'undecided',
    });
    expect(result.file).toMatch(/^ {2}# settlementBank\.name: .*: \/business_name, \/settlement_bank\/name$/m);
    expect(result.file).toMatch(/^ {2}# settlementBank\.createdAt: .*: \/happened$/m);
  });

  it('contradicts no row of a field that the graph does not have, nor one that maps nothing', async () => {
    const result = await checkRoutes([banks], { 'settlementBank.bankSlug': [] });
    expect(findingOf(result, 'settlementBank.status').state).toBe('not observable');
    expect(findingOf(result, 'settlementBank.bankSlug')).toMatchObject({ why: 'the row maps nothing' });
  });

  it('finds what stands in a relationship, and asks for the words of types that are not read', async () => {
    const related = customers.map(({ id }) => ({
      type: 'customer',
      id,
      attributes: {},
      relationships: { wallet: { data: { type: 'wallet', id: `w-${id}` } } },
    }));
    const entries = [1, 2, 3].map((index) => ({ id: `t${index}`, flow: 'money_in' }));
    const list = pages(/\/customers\/\?/, related);
    const result = await checkRoutes([list, single, transactions('customer-1', entries)]);
    expect(written(result)).toMatchObject({ 'customer.collectionWalletId': ['/relationships/wallet/data/id'] });
    expect(result.file).toMatch(/^ {2}# transaction\.type: .*: \/flow$/m);
    expect(result.file).toContain('# transaction.creditWords');
  });

  it('looks for what one-time accounts have where other records have it: the moment as a row, money as a choice', async () => {
    const entries = [{ id: 't1', attributes: { amount: { value: 100, currency: 'NGN' } } }];
    const accounts = pages(/virtual-accounts/, [{ id: 'a1', attributes: { created_on: '2026-01-31T09:30:00Z' } }]);
    const result = await checkRoutes([listed, single, transactions('customer-1', entries), accounts]);
    expect(written(result)).toMatchObject({
      'account.expiresAt': ['/expires_at', '/expiry_date', '/attributes/expires_on'],
    });
    expect(result.file).toMatch(/^ {2}# account\.amount: {2}# to decide: \[\/attributes\/amount\/value\]/m);
    // The file corrects the row of the currency, so it is not confirmed as it is.
    expect(findingOf(result, 'transaction.currency').state).toBe('not observable');
  });

  it('proposes further balances out of the entry of a currency', async () => {
    const entry = { currency: 'NGN', balance: 1250, available: 1000 };
    const { file } = await checkRoutes([listed, single, [/\/balance$/, () => success({ balances: [entry] })]]);
    expect(file).toMatch(/^ {2}# balance\.available: .*\['\/balances\/\[currency=…\]\/available'\]/m);
    expect(file).toMatch(/^ {2}# balance\.unit: {2}# to decide: minor, perhaps/m);
  });

  it('lists as what no row can say that which has neither a correction nor a choice, and nothing else', async () => {
    const named = pages(/\/customers\/\?/, [{ id: 'c1', first_name: 7, dob: 7 }]);
    const result = await checkRoutes([named]);
    expect(result.unexplained).toEqual(
      ['firstName', 'dateOfBirth'].map(
        (field) =>
          `no row can say this: customer.${field}: a value of type number that cannot be read (as far as the check can tell)`,
      ),
    );
  });

  it('says why a row that adds to the graph has no finding', async () => {
    const extra = { 'extra.Customer.walletCode': { type: 'String', at: ['/wallet/code'] } };
    const result = await checkRoutes([], extra);
    expect(findingOf(result, 'extra.Customer.walletCode').why).toMatch(/adds to the graph/);
  });
});
