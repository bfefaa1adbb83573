import { describe, expect, it } from 'vitest';
import { endpointsOf, importPaths, importRequests } from './vendor/vendor-file.ts';

/** Paths with one method each, which has this name: `GET /customers`, or `GET /customers List customers`. */
function pathsOf(lines: readonly string[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const line of lines) {
    const [, method = '', path = '', summary] = /^(\w+) (\S+) ?(.*)$/.exec(line) ?? [];
    (paths[path] ??= {})[method.toLowerCase()] = summary === '' ? {} : { summary };
  }
  return paths;
}

const query = (name: string) => ({ get: { parameters: [{ in: 'query', name, schema: { type: 'string' } }] } });

describe('an import, by method, shape and words of the path', () => {
  it.each([
    ['listCustomers', 'GET /customers', 'sure'],
    ['listCustomers', 'GET /v2/clients/all', 'sure'],
    ['getCustomer', 'GET /customers/{code}', 'sure'],
    ['createCustomer', 'POST /api/customer/create', 'sure'],
    ['updateCustomer', 'PUT /customers/update/{customerId}', 'sure'],
    ['updateCustomer', 'POST /v1/customers/{customer}', 'sure'],
    ['getCustomerBalance', 'GET /customers/{id}/wallet/balance', 'sure'],
    ['listCustomerTransactions', 'GET /clients/{ref}/statement', 'sure'],
    ['listCustomerVirtualAccounts', 'GET /customers/{id}/accounts/virtual', 'sure'],
    ['createCustomerVirtualAccount', 'POST /customers/{id}/dedicated_account', 'sure'],
    ['createCustomerOneTimeAccount', 'POST /customers/{id}/dynamic-accounts', 'sure'],
    ['listSettlementBanks', 'GET /settlement/banks', 'sure'],
    ['getSettlementBank', 'GET /settlementBanks/{bankId}', 'sure'],
  ])('finds %s: %s', async (operation, line, certainty) => {
    const result = await importPaths(pathsOf([line]));
    const expected = `${certainty}: ${line.replace(/\{\w+\}/, '{id}')}`;
    expect(endpointsOf(result)).toEqual({ [operation]: expected });
  });

  it.each([
    ['another resource below a customer', 'GET /customers/{id}/groups'],
    ['an action on a customer', 'POST /customers/{id}/block'],
    ['transactions of a balance', 'GET /customers/{id}/balance_transactions'],
    ['a report', 'GET /reports/customers'],
    ['two parameters', 'GET /customers/{id}/wallets/{wallet}/balance'],
    ['a record of a shop', 'POST /shops/{shop}/customers'],
    ['the balance of an account', 'GET /accounts/{id}/balance'],
    ['a name of another verb', 'POST /customers Validate customer'],
    ['a name of several', 'POST /customers Bulk create customers'],
    ['a name of a search', 'POST /customers Search customers'],
  ])('takes nothing for sure of %s: %s', async (_, line) => {
    expect(endpointsOf(await importPaths(pathsOf([line])))).toEqual({});
  });

  it.each([
    ['a controller', 'CustomerController.find', 'find'],
    ['FastAPI', 'list_customers_api_customers__get', 'list'],
    ['drf-spectacular', 'customers_list', 'list'],
    ['Nest', 'CustomersController_findAll', 'find all'],
  ])('is as sure of a list whose operationId is made by %s', async (_, operationId) => {
    const result = await importPaths({ '/customers': { get: { operationId } } });
    expect(endpointsOf(result)).toEqual({ listCustomers: 'sure: GET /customers' });
  });

  it('prefers PATCH to PUT of one path, and names the other as a rival', async () => {
    const { operations } = await importPaths(pathsOf(['PUT /customers/{id}', 'PATCH /customers/{id}']));
    const update = operations.find(({ operation }) => operation === 'updateCustomer');
    expect(update).toMatchObject({ method: 'PATCH', rivals: ['PUT /customers/{id}'] });
  });

  it('leaves what two endpoints claim to a person, with the rivals in order', async () => {
    const { operations, comments } = await importPaths(
      pathsOf(['GET /clients List clients', 'GET /customers', 'GET /payers List payers']),
    );
    const list = operations.find(({ operation }) => operation === 'listCustomers');
    expect(list).toMatchObject({ certainty: 'unsure', rivals: ['GET /clients', 'GET /customers', 'GET /payers'] });
    expect(list).not.toHaveProperty('path', expect.anything());
    expect(comments.join('\n')).toContain("--map listCustomers='GET /clients', or GET /customers, GET /payers");
  });

  it('ignores words that all paths begin with, and a digit in them', async () => {
    const result = await importPaths(pathsOf(['GET /f4b/merchants/customers', 'GET /f4b/merchants/customers/{id}']));
    expect(endpointsOf(result)).toEqual({
      listCustomers: 'sure: GET /f4b/merchants/customers',
      getCustomer: 'sure: GET /f4b/merchants/customers/{id}',
    });
  });

  it('counts endpoints that are none of the thirteen operations', async () => {
    expect((await importPaths(pathsOf(['GET /customers', 'GET /rates', 'POST /refunds']))).unused).toEqual([
      'GET /rates',
      'POST /refunds',
    ]);
  });
});

describe('an import, of identifiers outside the path', () => {
  it.each([
    ['listCustomerTransactions', '/transactions', 'customer'],
    ['listCustomerVirtualAccounts', '/dedicated_account', 'customer_code'],
    ['getCustomer', '/customers/get', 'customerId'],
    ['getSettlementBank', '/settlement-bank/get', 'bankId'],
  ])('takes a query parameter of a customer or record for it: %s', async (operation, path, name) => {
    const result = await importPaths({ [path]: query(name) });
    expect(endpointsOf(result)).toMatchObject({ [operation]: `likely: GET ${path}?${name}={id}` });
    expect(result.rows).toMatchObject({ [`${operation}.path`]: `${path}?${name}={id}` });
  });

  it('prefers a list below the customer to one with a parameter', async () => {
    const result = await importPaths({
      '/transactions': query('customer'),
      '/customers/{id}/transactions': { get: {} },
    });
    expect(endpointsOf(result)).toEqual({ listCustomerTransactions: 'sure: GET /customers/{id}/transactions' });
  });

  it.each([
    ['a name', { customer_id: 'c', amount: 1 }, 'customer_id'],
    ['an object', { customer: { id: 'c' }, amount: 1 }, '/customer/id'],
    [
      'a relationship',
      { data: { relationships: { customer: { data: { type: 'c', id: 'c' } } } } },
      '/data/relationships/customer/data/id',
    ],
  ])('finds it in the body of a create: %s', async (_, example, at) => {
    const requestBody = { content: { 'application/json': { example } } };
    const { rows } = await importPaths({ '/virtual-accounts': { post: { requestBody } } });
    expect(rows).toMatchObject({
      'createCustomerVirtualAccount.path': '/virtual-accounts',
      'createCustomerVirtualAccount.idInBody': at,
    });
  });

  it('takes a literal segment behind a resource for one, in a collection', async () => {
    const base = 'https://a.example/f4b/production';
    const rates = ['Rates', 'GET', `${base}/rates`] as const;
    const result = await importRequests([['Fetch customer', 'GET', `${base}/customers/CUS_12`], rates]);
    expect(result.rows).toMatchObject({ 'getCustomer.path': '/f4b/production/customers/{id}' });
  });
});

describe('an import with --map', () => {
  const paths = pathsOf(['GET /holders/{holder}', 'GET /holders', 'GET /payments', 'POST /holders']);

  it('takes what a person says, by the names of the file or by {id}', async () => {
    const given = ['getCustomer=GET /holders/{holder}', 'listCustomers=get /holders/', 'createCustomer=POST /holders'];
    const result = await importPaths(paths, {}, given);
    expect(endpointsOf(result)).toEqual({
      getCustomer: 'given: GET /holders/{id}',
      listCustomers: 'given: GET /holders',
      createCustomer: 'given: POST /holders',
    });
  });

  it('takes a query that the person writes, and a path with its server', async () => {
    const given = ['listCustomerTransactions=GET /api/payments?payer={id}'];
    const result = await importPaths(paths, { servers: [{ url: 'https://a.example/api' }] }, given);
    expect(result.rows).toMatchObject({
      'service.prefix': '/api',
      'listCustomerTransactions.path': '/payments?payer={id}',
    });
  });

  it('asks which field of a body has the customer where no name tells it', async () => {
    const { rows, comments } = await importPaths(paths, {}, ['createCustomerVirtualAccount=POST /holders']);
    expect(rows).not.toHaveProperty('createCustomerVirtualAccount.path');
    expect(comments.join('\n')).toContain('createCustomerVirtualAccount.path: # unsure: /holders, with');
  });

  it.each([
    ['listCustomers', /something else; allowed: OPERATION='METHOD/],
    ['listCustomer=GET /holders', /found listCustomer; allowed: an operation such as listCustomers/],
    ['listCustomers=GET /holder', /no such endpoint in the file; allowed: one of the file, such as GET \/holders/],
    ['listCustomers=PUT /holders', /no such endpoint/],
    ['listCustomers=GET /holders/{id}', /a path that listCustomers cannot have; allowed: a path with no parameter/],
    ['getCustomer=GET /holders', /cannot have; allowed: a path with one identifier/],
    ['getCustomer=GET /holders/{id} getCustomer=GET /holders/{id}', /something else/],
  ])('refuses %s', async (mapping, fault) => {
    await expect(importPaths(paths, {}, [mapping])).rejects.toThrow(fault);
  });

  it('refuses an operation that is given twice', async () => {
    const twice = ['getCustomer=GET /holders/{id}', 'getCustomer=GET /holders/{id}'];
    await expect(importPaths(paths, {}, twice)).rejects.toThrow(/getCustomer: found it twice/);
  });
});

describe('an import, of servers', () => {
  const requests = [
    ['List settlement banks', 'GET', '{{base_url}}/settlement-banks'],
    ['List customers', 'GET', '{{kyc_url}}/customers'],
    ['Fetch single customer', 'GET', '{{kyc_url}}/customers/:id'],
  ] as const;
  const variable = ['base_url', 'kyc_url'].map((key) => ({ key, value: `https://${key[0]}.example/v1` }));

  it('takes that of most operations, and leaves the others to a person', async () => {
    const result = await importRequests(requests, { variable });
    expect([result.server, Object.keys(endpointsOf(result))]).toEqual([
      'https://k.example',
      ['listCustomers', 'getCustomer'],
    ]);
    expect(result.comments.join('\n')).toContain('listSettlementBanks.path: # unsure: it stands at another server');
  });

  it('takes none of two with equally many operations', async () => {
    const result = await importRequests(requests.slice(0, 2), { variable });
    expect([result.server, endpointsOf(result)]).toEqual([undefined, {}]);
  });

  it.each([
    ['one path', ['https://a.example/f4b/production/'], { 'service.prefix': '/f4b/production' }, 'https://a.example'],
    ['a path alone', ['/v2'], { 'service.prefix': '/v2' }, undefined],
    ['none', [], { 'service.prefix': '' }, undefined],
    [
      'a loopback beside another',
      ['http://127.0.0.1:8080/v2', 'https://b.example/v2'],
      { 'service.prefix': '/v2' },
      'https://b.example',
    ],
    ['different paths', ['https://b.example/v1', 'https://b.example/v2'], {}, 'https://b.example'],
  ])('takes the whole path of the servers for the prefix: %s', async (_, urls, rows, server) => {
    const result = await importPaths(
      { '/customers/{id}/balance': { get: {} } },
      { servers: urls.map((url) => ({ url })) },
    );
    expect([result.rows, result.server]).toEqual([rows, server]);
  });

  it('takes no server with characters that a shell would read', async () => {
    const servers = [{ url: 'https://x;touch pwned;y.example/v1' }];
    expect((await importPaths({ '/customers': { get: {} } }, { servers })).server).toBeUndefined();
  });
});
