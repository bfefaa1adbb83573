import { describe, expect, it } from 'vitest';
import {
  byOffset,
  byPage,
  checkRoutes,
  contradicted,
  customers,
  findingOf,
  list,
  written,
  type Route,
} from '../support/check.ts';
import { leftToDecide } from '../support/dialects/planted.ts';
import { parametersOf } from '../support/paging.ts';
import type { Reply } from '../support/upstream.ts';

describe('a check of a service in the manner of Spring HATEOAS', () => {
  const people = Array.from({ length: 23 }, (_, index) => ({
    id: `5b1e-${index}`,
    givenName: 'Ada',
    surname: 'Walker',
    createdDate: '2026-01-31T09:30:00Z',
    _links: { self: { href: `/api/v1/customers/5b1e-${index}` } },
  }));
  const entries = Array.from({ length: 7 }, (_, index) => ({
    id: index + 1,
    money: { amount: 1250 + index, currency: 'NGN' },
    direction: 'CREDIT',
    bookedAt: '2026-01-31T09:30:00Z',
  }));
  const embed = (name: string, all: readonly object[], path: string): Reply => {
    const [page, size] = [Number(parametersOf(path).get('page') ?? 0), Number(parametersOf(path).get('size') ?? 20)];
    const records = all.slice(page * size, (page + 1) * size);
    const totalPages = Math.ceil(all.length / size);
    const linkTo = (number: number) => ({ href: `https://api.example.com/${name}?page=${number}&size=${size}` });
    const next = page + 1 < totalPages ? { next: linkTo(page + 1) } : {};
    const embedded = all.length === 0 ? {} : { _embedded: { [name]: records } };
    const report = { size, totalElements: all.length, totalPages, number: page };
    return { json: { ...embedded, _links: { self: linkTo(page), ...next }, page: report } };
  };
  const routes: readonly Route[] = [
    [
      /\/customers\/5b1e-\d+\/transactions/,
      ({ path }) => embed('transactions', path.includes('-1/') ? entries : [], path),
    ],
    [/\/customers\/5b1e-\d+\/balance$/, () => ({ json: { balance: { amount: 12.5, currency: 'NGN' } } })],
    [/\/customers\/5b1e-\d+$/, ({ path }) => ({ json: people.find(({ id }) => path.endsWith(`/${id}`)) })],
    [/\/customers\/(?:\?|$)/, ({ path }) => embed('customers', people, path)],
    [/./, () => ({ status: 404, json: { timestamp: '2026-01-31T09:30:00Z', status: 404, error: 'Not Found' } })],
  ];

  it('writes rows under which a second check contradicts nothing but what has no address', async () => {
    const result = await checkRoutes(routes);
    expect(written(result)).toMatchObject({
      'lists.records': ['/_embedded/customers'],
      'listCustomerTransactions.records': ['/_embedded/transactions'],
      'lists.perPage': 'size',
      'lists.firstPage': 0,
      'customer.firstName': ['/givenName'],
      'transaction.amount': ['/money/amount'],
      'transaction.createdAt': ['/bookedAt'],
    });
    const second = contradicted(await result.again());
    expect(second.filter((id) => !/^(?:listSettlementBanks|listCustomerVirtualAccounts)\.path$/.test(id))).toEqual([]);
  });
});

describe('a check of a service in the manner of .NET', () => {
  const clients = Array.from({ length: 9 }, (_, index) => ({
    Id: 700 + index,
    FirstName: 'Ada',
    LastName: 'Walker',
    EmailAddress: 'ada@example.com',
    IsActive: true,
    CreatedOn: '2026-01-31T09:30:00',
    Segment: 'Retail',
  }));
  const answer = (data: unknown) => ({ Succeeded: true, Message: null, Data: data });
  const failure: Reply = { status: 404, json: { Succeeded: false, Message: 'There is none.', Data: null } };
  const pages = list(/\/customers\/(?:\?|$)/, clients, byPage('pageNumber'), 'pageSize', (Items, end, size) =>
    answer({ Items, PageNumber: end / size, PageSize: size, TotalCount: clients.length }),
  );
  const one: Route = [
    /\/customers\/7\d+$/,
    ({ path }) => ({ json: answer(clients.find(({ Id: id }) => path.endsWith(`/${id}`))) }),
  ];

  it('writes rows for what it has shown, and asks for what no usual name tells', async () => {
    const first = await checkRoutes([pages, one, [/./, () => failure]]);
    const rows = written(first);
    expect(rows).toMatchObject({
      'lists.records': ['/Data/Items'],
      'lists.page': 'pageNumber',
      'lists.perPage': 'pageSize',
      'lists.total': ['/Data/TotalCount'],
      'envelope.data': ['/Data'],
      'errors.message': ['/Message'],
      'customer.id': ['/Id'],
      'customer.email': ['/EmailAddress'],
      'customer.createdAt': ['/CreatedOn'],
      'times.zone': 'undecided',
    });
    expect(leftToDecide(first.file)).toEqual(expect.arrayContaining(['customer.type', 'status.words', 'times.zone']));
    const decided = { ...rows, 'status.words': { true: 'ACTIVE', false: 'CLOSED' }, 'times.zone': 'UTC' };
    const second = contradicted(await first.again(decided));
    expect(second.filter((id) => !id.endsWith('.path'))).toEqual([]);
  });
});

describe('a check of a service that wraps like XML and fails inside HTTP 200', () => {
  const people = Array.from({ length: 9 }, (_, index) => ({ id: `p${index}`, surname: 'Walker' }));
  const outcome = (code: string, rest: object = {}): Reply => ({
    json: { response: { code, desc: 'Text.' }, ...rest },
  });

  it('finds the code in its object, and the records', async () => {
    const result = await checkRoutes([
      [/\/customers\/(?:\?|$)/, () => outcome('00', { customers: { customer: people } })],
      [/\/customers\/p\d$/, ({ path }) => outcome('00', { customer: people.find(({ id }) => path.endsWith(id)) })],
      [/./, () => outcome('25')],
    ]);
    expect(written(result)).toMatchObject({
      'envelope.success': ['/response/code'],
      'envelope.successValues': ['00'],
      'envelope.code': ['/response/code'],
      'errors.message': ['/response/desc'],
      'lists.records': ['/customers/customer'],
      'envelope.data': ['/customer'],
    });
  });
});

describe('a check of a service that wraps each single record under its name', () => {
  it.each([
    ['below data', (record: object) => ({ data: record }), ['/data/bank', '/data/customer', '/data']],
    ['at the top', (record: object) => record, ['/bank', '/customer']],
  ])('finds every one %s, and keeps where the others stand', async (_, wrap, pointers) => {
    const single = (name: string): Route[1] => {
      return ({ path }) => ({ json: wrap({ [name]: { id: path.split('/').at(-1), first_name: 'Ada' } }) });
    };
    const result = await checkRoutes([
      [/\/customers\/(?:\?|$)/, () => ({ json: wrap({ customers: [{ id: 'customer-1', first_name: 'Ada' }] }) })],
      [/\/settlement-banks\/(?:\?|$)/, () => ({ json: wrap({ banks: [{ id: 'bank-1' }] }) })],
      [/\/customers\/customer-1$/, single('customer')],
      [/\/settlement-banks\/bank-1$/, single('bank')],
    ]);
    expect(written(result)).toMatchObject({ 'envelope.data': pointers });
    const second = await result.again();
    expect(contradicted(second).filter((id) => !id.endsWith('.path'))).toEqual([]);
    expect(written(second)).toEqual(written(result));
  });
});

describe('a check of a next link whose parameters have names of their own', () => {
  const linked = (parameter: string, tokenOf: (end: number) => string): Route =>
    list(/\/customers\/(?:\?|$)/, customers, byOffset('marker'), 'limit', (data, end) => {
      const next = `https://api.example.com/customers?${parameter}=${tokenOf(end)}`;
      return { data, next: end < customers.length ? next : null };
    });

  it('takes a name that has led to another page', async () => {
    expect(written(await checkRoutes([linked('marker', (end) => `m${end}`)]))).toMatchObject({
      'listCustomers.pageStyle': 'cursor',
      'lists.cursor': 'marker',
      'lists.nextLink': ['/next'],
    });
  });

  it('takes no name that has not', async () => {
    const rows = written(await checkRoutes([linked('state', () => 'open')]));
    expect(rows).toMatchObject({ 'listCustomers.pageStyle': 'undecided' });
    expect(rows).not.toHaveProperty(['lists.cursor']);
  });
});

describe('a check of wallets by currency and of amounts with their exponent', () => {
  const money = (value: number, currency = 'NGN') => ({ value, currency, exponent: 2 });
  const wallet = (currency: string) => ({
    currency,
    balance: money(1250, currency),
    availableBalance: money(1200, currency),
  });
  const entry = { id: 't1', amount: money(1250), fee: money(10), direction: 'CRDT', type: 'DIRECT_DEBIT' };
  const account = { id: 'a1', identifiers: [{ type: 'NUBAN', accountNumber: '0000000001', bankCode: '057' }] };
  const checkWallets = (wallets: unknown, rows: Readonly<Record<string, unknown>> = {}) =>
    checkRoutes(
      [
        [/\/customers\/(?:\?|$)/, () => ({ json: { data: [{ id: 'c1' }] } })],
        [/c1$/, () => ({ json: { data: { id: 'c1' } } })],
        [/balance$/, () => ({ json: wallets })],
        [/transactions/, () => ({ json: { data: [entry] } })],
        [/virtual-accounts/, () => ({ json: { data: [account] } })],
      ],
      rows,
    );

  it('asks for the entry of the currency, and takes it once that is decided', async () => {
    const { file, again } = await checkWallets({ _embedded: { wallets: [wallet('USD'), wallet('NGN')] } });
    expect(file).toContain("# balance.value:  # to decide: ['/_embedded/wallets/[currency=…]/balance/value']");
    expect(file).toContain('# balance.available:  # to decide: [');
    expect(written(await again({ 'money.currency': 'NGN' }))).toMatchObject({
      'balance.value': ['/_embedded/wallets/[currency=NGN]/balance/value'],
      'transaction.amount': ['/amount/value'],
    });
  });

  it('reads an answer that is the list of wallets', async () => {
    const wallets = ['USD', 'NGN'].map((currency_code) => {
      return { currency_code, available_balance: '1.50', ledger_balance: '2.50' };
    });
    expect(written(await checkWallets(wallets, { 'money.currency': 'NGN' }))).toMatchObject({
      'balance.value': ['/[currency_code=NGN]/ledger_balance'],
    });
  });

  it('offers what stands in the entries of a list, and asks for the words of the direction that is read', async () => {
    const { file } = await checkWallets([], { 'transaction.direction': ['/direction'] });
    expect(file).toMatch(/# account\.accountNumber: .*\/identifiers\/\[type=…\]\/accountNumber/);
    expect(file).not.toContain('0000000001');
    expect(leftToDecide(file)).toEqual(expect.arrayContaining(['transaction.creditWords', 'transaction.debitWords']));
  });
});

describe('a check of records that carry a link to themselves', () => {
  it('asks for the address of a record that no read finds, and tries no link as its identifier', async () => {
    const bank = { id: 'b1', _links: { self: { href: 'https://api.example.com/settlement-accounts/b1' } } };
    const result = await checkRoutes([[/settlement-banks\/?\?/, () => ({ json: { data: [bank] } })]]);
    expect(findingOf(result, 'getSettlementBank.path').state).toBe('contradicted');
    expect(leftToDecide(result.file)).toContain('getSettlementBank.path');
    expect(result.file).not.toContain('href');
  });
});
