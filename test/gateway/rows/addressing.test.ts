import { describe, expect, it } from 'vitest';
import { createContract } from '../../../src/contract/contract.ts';
import { parseOverrides } from '../../../src/contract/overrides-file.ts';
import { codes, query, startScripted } from '../../support/gateway.ts';
import { success, type Reply, type SeenRequest } from '../../support/upstream/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

/** What a document is answered under these rows, and the requests that it made: method, path below the prefix, body. */
async function ask(contract: Rows, document: string, answer: (request: SeenRequest) => Reply) {
  const { gateway, upstream } = await startScripted(answer, { contract });
  const result = await query(gateway, document);
  const requests = upstream.requests.map(({ method, path, body }) => [
    method,
    path.replace('/api/v1', ''),
    body === '' ? null : (JSON.parse(body) as unknown),
  ]);
  return { ...result, requests, upstream };
}

const customer = (): Reply => success({ id: 'c1', first_name: 'Ada' });
const byPost = (operation: string, path: string): Rows => ({
  [`${operation}.method`]: 'POST',
  [`${operation}.path`]: path,
  [`${operation}.idInBody`]: 'customer_id',
});

describe('an identifier', () => {
  it.each([
    ['c1', '/customers/find?code=c1&expand=wallet'],
    ['a&b=c d', '/customers/find?code=a%26b%3Dc%20d&expand=wallet'],
  ])('stands in the query, escaped: %s', async (id, path) => {
    const rows = { 'getCustomer.path': '/customers/find?code={id}&expand=wallet', 'customer.identifiedBy': 'none' };
    const { data, requests } = await ask(rows, `{ customer(id: "${id}") { firstName } }`, customer);
    expect(data).toEqual({ customer: { firstName: 'Ada' } });
    expect(requests).toEqual([['GET', path, null]]);
  });

  it('of a list stands in the query before those of page and filter', async () => {
    const rows = {
      'listCustomerTransactions.path': '/transactions?customer={id}',
      'listCustomerTransactions.type': 'kind',
    };
    const document = '{ customer(id: "c1") { id transactions(first: 5, type: "credit") { nodes { type } } } }';
    const answer = ({ path }: SeenRequest): Reply =>
      path.includes('transactions') ? success([{ id: 't1', type: 'credit' }]) : customer();
    const { errors, requests } = await ask(rows, document, answer);
    expect(errors).toEqual([]);
    expect(requests).toContainEqual(['GET', '/transactions?customer=c1&page=1&per_page=5&kind=credit', null]);
  });

  it('stands in the body of a read by POST, which is repeated like any read', async () => {
    let calls = 0;
    const { data, requests, upstream } = await ask(
      byPost('getCustomer', '/customers/find'),
      '{ customer(id: "c1") { firstName } }',
      () => (++calls === 1 ? { cut: true } : customer()),
    );
    expect(data).toEqual({ customer: { firstName: 'Ada' } });
    expect(requests).toEqual(Array.from({ length: 2 }, () => ['POST', '/customers/find', { customer_id: 'c1' }]));
    expect(upstream.requests[0]?.headers['content-type']).toEqual(['application/json']);
  });

  it('in a body tells two reads apart, and two of the same record are one call', async () => {
    const { data, requests } = await ask(
      byPost('getCustomer', '/customers/find'),
      '{ a: customer(id: "c1") { firstName } b: customer(id: "c2") { firstName } c: customer(id: "c1") { id } }',
      ({ body }) => {
        const { customer_id: id } = JSON.parse(body) as { readonly customer_id: string }; // by the row
        return success({ id, first_name: `of ${id}` });
      },
    );
    expect(data).toEqual({ a: { firstName: 'of c1' }, b: { firstName: 'of c2' }, c: { id: 'c1' } });
    expect(requests).toHaveLength(2);
  });

  it('stands in the body of an update and of a create below a customer, beside the fields', async () => {
    const rows = {
      ...byPost('updateCustomer', '/customers/update'),
      ...byPost('createCustomerVirtualAccount', '/accounts'),
      'updateCustomer.wrapper': 'customer',
    };
    const { requests } = await ask(
      rows,
      'mutation { updateCustomer(input: { id: "c1", firstName: "Ada" }) { userErrors { code } } createVirtualAccount(input: { customerId: "c1" }) { userErrors { code } } }',
      customer,
    );
    expect(requests.slice(0, 2)).toEqual([
      ['POST', '/customers/update', { customer_id: 'c1', customer: { first_name: 'Ada' } }],
      ['POST', '/accounts', { customer_id: 'c1' }],
    ]);
  });

  it('of a write stands in its path and in its body where both say so', async () => {
    const rows = { 'updateSettlementBank.idInBody': '/data/id', 'updateSettlementBank.wrapper': '/data/attributes' };
    const { requests } = await ask(
      rows,
      'mutation { updateSettlementBank(input: { id: "b1", name: "Main" }) { userErrors { code } } }',
      () => success({ id: 'b1', name: 'Main' }),
    );
    expect(requests).toEqual([['PATCH', '/settlement-banks/b1', { data: { id: 'b1', attributes: { name: 'Main' } } }]]);
  });

  it('stands in a body where a JSON pointer says, inside the wrapper, too', async () => {
    const rows = {
      ...byPost('getCustomer', '/customers/read'),
      'getCustomer.idInBody': '/request/id',
      ...byPost('updateCustomer', '/customers/update'),
      'updateCustomer.idInBody': '/request/id',
      'updateCustomer.wrapper': 'request',
      'updateCustomer.constants': { '/channel': 'api' },
    };
    const { requests } = await ask(
      rows,
      'mutation { updateCustomer(input: { id: "c1", firstName: "Ada" }) { userErrors { code } customer { id } } }',
      ({ path }) => (path.endsWith('/read') ? customer() : { json: { success: true } }),
    );
    expect(requests).toEqual([
      ['POST', '/customers/update', { request: { first_name: 'Ada', id: 'c1' }, channel: 'api' }],
      ['POST', '/customers/read', { request: { id: 'c1' } }],
    ]);
  });

  it('that could steer a path is refused in a body, too, and nothing is sent', async () => {
    const result = await ask(byPost('getCustomer', '/customers/find'), '{ customer(id: "../c1") { id } }', customer);
    expect(codes(result)).toEqual(['BAD_USER_INPUT']);
    expect(result.requests).toEqual([]);
  });
});

it('sends page and filters of a list by POST as fields of the body: counts as numbers, all else as text', async () => {
  const rows = {
    'listCustomers.method': 'POST',
    'listCustomers.path': '/customers/search?scope=own',
    'listCustomers.parametersIn': 'body',
    'listCustomers.search': 'q',
  };
  const document = '{ one: customers(first: 5, search: "7") { nodes { id } } other: customers { nodes { id } } }';
  const { data, requests } = await ask(rows, document, () => success([{ id: 'c7', phone: '7' }]));
  expect(data).toEqual({ one: { nodes: [{ id: 'c7' }] }, other: { nodes: [{ id: 'c7' }] } });
  expect(requests).toEqual([
    ['POST', '/customers/search?scope=own', { page: 1, per_page: 5, q: '7' }],
    ['POST', '/customers/search?scope=own', { page: 1, per_page: 20 }],
  ]);
});

describe('rows that place an identifier twice, or nowhere', () => {
  const oneId = 'getCustomer.path: allowed: a path with exactly one {id}';
  const taken = (row: string, place: string) =>
    `${row}: allowed: a place in the body that nothing else is sent at, above or below, unlike ${place}`;
  const update = byPost('updateCustomer', '/update');
  const ofTransactions = (path: string) => ({ 'listCustomerTransactions.path': `/transactions?${path}={id}` });
  const extra = (type: string, wire: string) => ({ [`extra.${type}`]: { type: 'ID', wire } });
  const filter = { 'extra.Customer.transactions.owner': { wire: 'customer', matches: 'none' } };
  const walletId = { 'extra.CreateVirtualAccountInput.walletId': { type: 'ID', required: true } };
  const ofWallet = 'createCustomerVirtualAccount.path';

  it.each<readonly [fault: string, rows: Rows]>([
    [oneId, { 'getCustomer.path': '/find' }],
    [oneId, { 'getCustomer.path': '/find/{id}?again={id}' }],
    ['getCustomer.idInBody: allowed: null, since getCustomer.path has {id}', { 'getCustomer.idInBody': 'code' }],
    [
      'getCustomer.idInBody: allowed: null, or getCustomer.method: POST',
      { 'getCustomer.path': '/find', 'getCustomer.idInBody': 'code' },
    ],
    [taken('updateCustomer.idInBody', '/first_name'), { ...update, 'updateCustomer.idInBody': 'first_name' }],
    [taken('updateCustomer.idInBody', '/first_name/id'), { ...update, 'updateCustomer.idInBody': '/first_name/id' }],
    [taken('updateCustomer.idInBody', '/customer_id'), { ...update, 'updateCustomer.wrapper': 'customer_id' }],
    [
      taken('updateCustomer.idInBody', '/customer_id'),
      { ...update, 'updateCustomer.constants': { '/customer_id/kind': 'x' } },
    ],
    [
      taken('updateCustomer.idInBody', '/request/first_name'),
      { ...update, 'updateCustomer.wrapper': 'request', 'updateCustomer.idInBody': '/request/first_name' },
    ],
    [
      taken('createCustomerVirtualAccount.idInBody', '/customer_id'),
      { ...byPost('createCustomerVirtualAccount', '/open'), 'createCustomerVirtualAccount.wrapper': 'customer_id' },
    ],
    [
      taken('extra.UpdateCustomerInput.other', '/customer_id'),
      { ...update, ...extra('UpdateCustomerInput.other', 'customer_id') },
    ],
    [
      taken('extra.UpdateCustomerInput.other', '/request/id'),
      {
        ...update,
        ...extra('UpdateCustomerInput.other', 'id'),
        'updateCustomer.wrapper': 'request',
        'updateCustomer.idInBody': '/request/id',
      },
    ],
    [
      taken('extra.CreateCustomerInput.title', '/name'),
      { 'createCustomer.body': { firstName: '/name/first' }, ...extra('CreateCustomerInput.title', 'name') },
    ],
    [
      'extra.Customer.transactions.owner: allowed: a name that nothing else is sent under, unlike customer',
      { ...ofTransactions('customer'), ...filter },
    ],
    [
      'listCustomerTransactions.path: allowed: names in its query that no page or filter is sent under',
      { ...ofTransactions('type'), 'listCustomerTransactions.type': 'type' },
    ],
    [
      taken('createCustomer.constants', '/data'),
      { 'createCustomer.wrapper': '/data/attributes', 'createCustomer.constants': { '/data': {} } },
    ],
    [taken('createCustomer.constants', '/phone/kind'), { 'createCustomer.constants': { '/phone/kind': 'x' } }],
    [taken('createCustomer.constants', '/a/b'), { 'createCustomer.constants': { '/a': {}, '/a/b': 'x' } }],
    [taken('createCustomer.body', '/name'), { 'createCustomer.body': { firstName: '/name/first', lastName: 'name' } }],
    [
      taken('createCustomer.body', '/data'),
      { 'createCustomer.wrapper': '/data/attributes', 'createCustomer.body': { firstName: '/data' } },
    ],
    [`${ofWallet}: allowed: a path with exactly one {id}`, { [ofWallet]: '/wallets/{walletId}/accounts', ...walletId }],
    ...['page', 'page[number]', 'offset', 'skip'].map((name): [string, Readonly<Record<string, unknown>>] => [
      'lists.cursor: allowed: the parameter of a cursor, or listCustomers.pageStyle: page or offset',
      { 'listCustomers.pageStyle': 'cursor', 'lists.cursor': name },
    ]),
    [
      'listCustomers.cursor: allowed: the parameter of a cursor',
      { 'listCustomers.pageStyle': 'cursor', 'listCustomers.cursor': 'page' },
    ],
    ['lists.parametersIn: allowed: query, or listSettlementBanks.method: POST', { 'lists.parametersIn': 'body' }],
    ['an entry of a list as [member=value]', { 'balance.value': ['/available/[currency=USD/amount'] }],
    ['listCustomers.path: allowed: a path of visible ASCII', { 'listCustomers.path': '/customers/{id}' }],
  ])('stop the start: %s, case %#', (fault, rows) => {
    expect(() => createContract(rows)).toThrow(fault);
  });

  it('are told without a text that is the whole file, which may be a secret', () => {
    expect(parseOverrides('planted-secret\n', 'contract.yaml').faults).toEqual([
      expect.stringMatching(/^contract\.yaml:1: \(file\): found something else; allowed: /),
    ]);
  });
});
