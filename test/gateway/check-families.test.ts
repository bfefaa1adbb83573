import { describe, expect, it } from 'vitest';
import { checkService, contradicted, startService, written, type Route } from '../support/check.ts';
import { leftToDecide } from '../support/dialects/planted.ts';
import type { Reply } from '../support/upstream.ts';

const parametersOf = (path: string) => new URL(path, 'http://service').searchParams;
const cut = <Item>(all: readonly Item[], page: number, size: number) => all.slice(page * size, (page + 1) * size);

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
    const totalPages = Math.ceil(all.length / size);
    const linkTo = (number: number) => ({ href: `https://api.example.com/${name}?page=${number}&size=${size}` });
    const next = page + 1 < totalPages ? { next: linkTo(page + 1) } : {};
    const embedded = all.length === 0 ? {} : { _embedded: { [name]: cut(all, page, size) } };
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
    const service = await startService(...routes);
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({
      'lists.records': ['/_embedded/customers'],
      'listCustomerTransactions.records': ['/_embedded/transactions'],
      'lists.perPage': 'size',
      'lists.firstPage': 0,
      'lists.total': ['/page/totalElements'],
      'customer.firstName': ['/givenName'],
      'transaction.amount': ['/money/amount'],
      'transaction.createdAt': ['/bookedAt'],
    });
    const second = contradicted(await checkService(service.url, rows));
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
  const answer = (data: unknown): Reply => ({ json: { Succeeded: true, Message: null, Data: data } });
  const failure: Reply = { status: 404, json: { Succeeded: false, Message: 'There is none.', Data: null } };
  const list: Route = [
    /\/customers\/(?:\?|$)/,
    ({ path }) => {
      const query = parametersOf(path);
      const [page, size] = [Number(query.get('pageNumber') ?? 1), Number(query.get('pageSize') ?? 5)];
      return answer({
        Items: cut(clients, page - 1, size),
        PageNumber: page,
        PageSize: size,
        TotalCount: clients.length,
      });
    },
  ];
  const one: Route = [
    /\/customers\/7\d+$/,
    ({ path }) => answer(clients.find(({ Id: id }) => path.endsWith(`/${id}`))),
  ];

  it('writes rows for what it has shown, and asks for what no usual name tells', async () => {
    const service = await startService(list, one, [/./, () => failure]);
    const first = await checkService(service.url);
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
    const second = contradicted(await checkService(service.url, decided));
    expect(second.filter((id) => !id.endsWith('.path'))).toEqual([]);
  });
});

describe('a check of a service that wraps like XML and fails inside HTTP 200', () => {
  const people = Array.from({ length: 9 }, (_, index) => ({ id: `p${index}`, surname: 'Walker' }));
  const outcome = (code: string, rest: object = {}): Reply => ({
    json: { response: { code, desc: 'Text.' }, ...rest },
  });

  it('finds the code in its object, and the records', async () => {
    const service = await startService(
      [/\/customers\/(?:\?|$)/, () => outcome('00', { customers: { customer: people } })],
      [/\/customers\/p\d$/, ({ path }) => outcome('00', { customer: people.find(({ id }) => path.endsWith(id)) })],
      [/./, () => outcome('25')],
    );
    expect(written(await checkService(service.url))).toMatchObject({
      'envelope.success': ['/response/code'],
      'envelope.successValues': ['00'],
      'envelope.code': ['/response/code'],
      'errors.message': ['/response/desc'],
      'lists.records': ['/customers/customer'],
      'envelope.data': ['/customer'],
    });
  });
});

describe('a check of a next link whose parameters have names of their own', () => {
  const linked = (parameter: string, tokenOf: (end: number) => string): Route => [
    /\/customers\/(?:\?|$)/,
    ({ path }) => {
      const people = Array.from({ length: 9 }, (_, index) => ({ id: `p${index}` }));
      const start = Number(/\d+$/.exec(parametersOf(path).get('marker') ?? '0'));
      const end = start + Number(parametersOf(path).get('limit') ?? 5);
      const next = end < people.length ? `https://api.example.com/customers?${parameter}=${tokenOf(end)}` : null;
      return { json: { data: people.slice(start, end), next } };
    },
  ];

  it('takes a name that has led to another page', async () => {
    const service = await startService(linked('marker', (end) => `m${end}`));
    expect(written(await checkService(service.url))).toMatchObject({
      'listCustomers.pageStyle': 'cursor',
      'lists.cursor': 'marker',
      'lists.nextLink': ['/next'],
    });
  });

  it('takes no name that has not', async () => {
    const service = await startService(linked('state', () => 'open'));
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({ 'listCustomers.pageStyle': 'undecided' });
    expect(rows).not.toHaveProperty(['lists.cursor']);
  });
});
