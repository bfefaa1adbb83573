import { describe, expect, it } from 'vitest';
import type { Import } from '../../src/commands/contract-import/import.ts';
import { importText } from '../support/vendor-file.ts';

const openApi = (paths: object, rest: object = {}) =>
  importText(JSON.stringify({ openapi: '3.0.3', servers: [{ url: 'https://a.example/api/v1' }], ...rest, paths }));

/** A Postman collection of requests: name, method, address. */
const postman = (requests: readonly (readonly [string, string, string?])[], rest: object = {}) =>
  importText(
    JSON.stringify({
      info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: requests.map(([name, method, url]) => ({ name, request: { method, ...(url !== undefined && { url }) } })),
      ...rest,
    }),
  );

/** Each operation that the file names, with its certainty. */
const certainties = ({ operations }: Import) =>
  Object.fromEntries(
    operations.filter(({ certainty }) => certainty !== 'missing').map((each) => [each.operation, each.certainty]),
  );

const balance = { '/customers/{id}/balance': { get: {} } };

describe('contract import, of hosts', () => {
  const variable = ['auth_url', 'base_url', 'kyc_url'].map((key) => ({
    key,
    value: `https://${key[0]}.example/api/v1`,
  }));
  const requests = [
    ['Login', 'POST', '{{auth_url}}/oauth/token'],
    ['List settlement banks', 'GET', '{{base_url}}/settlement-banks'],
    ['List customers', 'GET', '{{kyc_url}}/customers'],
    ['Fetch single customer', 'GET', '{{kyc_url}}/customers/:id'],
  ] as const;

  it.each([
    ['with a value', { variable }, 'https://k.example'],
    ['without a value', {}, undefined],
  ])('takes the host of most operations, and leaves the others to a person: variables %s', async (_, rest, server) => {
    const result = await postman(requests, rest);
    expect(result.server).toBe(server);
    expect(certainties(result)).toEqual({ listSettlementBanks: 'unsure', listCustomers: 'sure', getCustomer: 'sure' });
    expect(result.comments).toContain(
      'listSettlementBanks.path: # unsure: it stands at another host than other operations (/item/1)',
    );
    expect(result.rows).not.toHaveProperty('listSettlementBanks.path');
  });

  it.each(['localhost', 'localhost:3000', 'api.example:3000'])(
    'takes a host without a scheme for one: %s',
    async (host) => {
      const result = await postman([
        ['Fetch single customer', 'GET', `${host}/api/v1/customers/:id`],
        ['List customers', 'GET', `${host}/api/v1/customers`],
      ]);
      expect(certainties(result)).toEqual({ listCustomers: 'sure', getCustomer: 'sure' });
    },
  );

  it.each([
    ['createCustomer', '/shops/{shop}/customers', 'post'],
    ['getCustomerBalance', '/customers/{id}/wallets/{wallet}/balance', 'get'],
    ['updateCustomer', '/customers/{id}/{branch}', 'patch'],
  ])('leaves a path with a further parameter to a person: %s', async (operationId, path, method) => {
    const result = await openApi({ [path]: { [method]: { operationId } } });
    expect(certainties(result)).toEqual({ [operationId]: 'unsure' });
    expect(result.rows).not.toHaveProperty(`${operationId}.path`);
  });

  it('takes none of two hosts with equally many operations', async () => {
    const result = await postman(requests.slice(0, 3), { variable });
    expect(result.server).toBeUndefined();
    expect(certainties(result)).toEqual({ listSettlementBanks: 'unsure', listCustomers: 'unsure' });
  });

  it('leaves an operation to a person that has a server of its own', async () => {
    const post = { servers: [{ url: 'https://write.example/api/v9' }] };
    const result = await openApi({ '/customers': { get: {}, post } });
    expect(result.server).toBe('https://a.example');
    expect(certainties(result)).toEqual({ createCustomer: 'unsure', listCustomers: 'sure' });
    expect(result.rows).toEqual({ 'listCustomers.path': '/customers' });
  });

  it.each([
    [['http://localhost:8080/dev', 'https://b.example/v2'], 'https://b.example', '/v2 or /dev'],
    [['https://b.example', 'https://c.example/v2/'], 'https://b.example', "'' or /v2"],
    [['/v2', 'https://c.example/v3'], undefined, '/v2 or /v3'],
  ])('leaves the prefix to a person where servers have different paths: %s', async (urls, server, paths) => {
    const result = await openApi(balance, { servers: urls.map((url) => ({ url })) });
    expect(result.server).toBe(server);
    expect(result.rows).toEqual({});
    expect(result.comments).toContain(`service.prefix: # unsure: servers of the file have other paths: ${paths}`);
  });

  it('takes the word before the first parameter for the resource where it knows none of the path', async () => {
    const result = await openApi({
      '/users/{customerId}/accounts': { get: { operationId: 'FetchCustomerVirtualAccounts' } },
    });
    expect(result.rows).toEqual({ 'listCustomerVirtualAccounts.path': '/users/{id}/accounts' });
  });

  it('prefers no server of the writer’s own machine to another with the same path', async () => {
    const servers = [{ url: 'http://127.0.0.1:8080/v2' }, { url: 'https://b.example/v2' }];
    const result = await openApi(balance, { servers });
    expect([result.server, result.rows]).toEqual(['https://b.example', { 'service.prefix': '/v2' }]);
  });
});

describe('contract import, of requests without an address', () => {
  const published = [
    ['Store Settlement Bank', 'POST', '{{base_url}}/api/v1/settlement-banks/'],
    ['Create Customer', 'POST', '{{base_url}}/api/v1/customers/'],
  ] as const;
  const stripped = [
    'Update Settlement Banks',
    'Single Settlement Banks',
    'Settlement Banks List',
    'Update Customer',
    'Fetch Single Customer',
    'Fetch Balance',
    'Fetch Customer Transactions',
    'Fetch Customer Virtual Accounts',
    'Create Customer Virtual Account',
    'Create Customer One-Time Account',
    'Customers List',
  ];

  it.each([
    ['none', undefined],
    ['the base alone', '{{base_url}}'],
    ['the base and a version', '{{base_url}}/api/v1/'],
  ])('names each by its place, and takes none: %s', async (_, url) => {
    const result = await postman([
      ...published,
      ...stripped.map((name) => (url === undefined ? ([name, 'GET'] as const) : ([name, 'GET', url] as const))),
    ]);
    expect(result.rows).toEqual({});
    const said = result.comments.filter((line) => line.includes('.path: # unsure: named, without an address (/item/'));
    expect(said).toHaveLength(stripped.length);
    expect(Object.values(certainties(result)).filter((each) => each === 'sure')).toHaveLength(2);
  });
});

describe('contract import, of names', () => {
  it('judges each name of an operation alone', async () => {
    const result = await openApi({
      '/customers/all': { get: { operationId: 'findAllUsingGET_1', summary: 'List customers' } },
      '/customers/create': { post: { operationId: 'createUsingPOST_3', summary: 'Create customer' } },
      '/customers/{customerId}/update': { post: { operationId: 'updateUsingPOST', summary: 'Update customer' } },
      '/settlement/banks/find': { post: { operationId: 'findUsingPOST', summary: 'Fetch settlement bank' } },
    });
    expect(certainties(result)).toEqual({
      createCustomer: 'likely',
      updateCustomer: 'likely',
      listCustomers: 'likely',
      getSettlementBank: 'unsure',
    });
  });

  it.each([
    ['another verb', '/customers', 'post', 'Validate customer', 'createCustomer', 'unsure'],
    ['another operation', '/customers', 'post', 'Search customers', 'createCustomer', 'unsure'],
    ['a search', '/customers/search', 'get', 'Search customers', 'listCustomers', 'unsure'],
    ['an unknown verb', '/customers', 'post', 'Onboard a customer', 'createCustomer', 'likely'],
    ['nothing else', '/customers', 'post', 'Customers', 'createCustomer', 'sure'],
    ['one record or several', '/customers', 'get', 'Get customers', 'listCustomers', 'sure'],
  ])('is less certain of an operation whose name says %s', async (_, path, method, summary, operation, certainty) => {
    expect(certainties(await openApi({ [path]: { [method]: { summary } } }))).toMatchObject({ [operation]: certainty });
  });
});

describe('contract import, of credentials', () => {
  const securitySchemes = {
    cookie: { type: 'apiKey', in: 'cookie', name: 's' },
    bearer: { type: 'http', scheme: 'bearer' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    query: { type: 'apiKey', in: 'query', name: 'api_key' },
  };
  const credentialsOf = async (security: object, paths: object = { '/customers': { get: {} } }) =>
    await openApi(paths, { security, components: { securitySchemes } });

  it.each([
    ['after one that cannot be sent', [{ cookie: [] }, { bearer: [] }], ['bearer']],
    ['after none', [{}, { bearer: [], key: [] }], ['bearer', 'privateKey']],
    ['whole', [{ cookie: [], key: [] }, { bearer: [] }], ['bearer']],
  ])('takes the first alternative that can be sent: %s', async (_, security, credentials) => {
    const { rows } = await credentialsOf(security);
    expect(rows).toMatchObject({ 'listCustomers.credentials': credentials });
  });

  it('says once what all operations have in common', async () => {
    const { notes, comments } = await credentialsOf([{ query: [] }], {
      ...balance,
      '/customers': { get: {}, post: {} },
    });
    expect(notes.filter(({ place }) => place.includes('security'))).toEqual([
      { place: '/security', why: 'a credential that is no bearer token and no header; the gateway cannot send it' },
    ]);
    expect(comments.filter((line) => line.includes('credentials: # unsure'))).toEqual([
      'createCustomer.credentials: # unsure: the file names none that the gateway can send, nor for listCustomers.credentials, getCustomerBalance.credentials',
    ]);
  });

  it.each([
    ['Bearer {{token}}', 0],
    ['{{token}}', 0],
    ['', 0],
    ['Basic {{token}}', 1],
    ['sk_live', 1],
    ['{{key}}', 1],
    ['{{bearer}}', 0],
    ['{{scheme}} {{token}}', 0],
  ])('says that a key in the Authorization of a Postman request is no bearer token: %j', async (value, count) => {
    const variable = Object.entries({ key: 'sk_live', bearer: 'Bearer x' }).map(([key, text]) => ({
      key,
      value: text,
    }));
    const request = { url: 'https://a.example/customers' };
    const header = [{ key: 'Authorization', value }];
    const apikey = Object.entries({ key: 'Authorization', value }).map(([key, text]) => ({ key, value: text }));
    for (const credential of [{ header }, { auth: { type: 'apikey', apikey } }]) {
      const item = [{ name: 'Customers', request: { ...request, ...credential } }];
      const { notes } = await postman([], { variable, item });
      expect(notes.filter(({ why }) => why.startsWith('a key in Authorization'))).toHaveLength(count);
    }
  });

  it('says once what all requests of a Postman collection have in common', async () => {
    const addresses = ['https://a.example/customers', 'https://a.example/customers/:id'];
    const requests = addresses.map((url) => ['Customers', 'GET', url] as const);
    const { notes } = await postman(requests, { auth: { type: 'basic' } });
    expect(notes.filter(({ place }) => place.includes('auth'))).toEqual([
      { place: '/auth', why: 'a credential that is no bearer token and no header; the gateway cannot send it' },
    ]);
  });

  it.each([
    ['a variable', [{ key: 'name', value: 'X-SVC-KEY' }], 'X-SVC-KEY', 0],
    ['a variable without a value', [], undefined, 1],
  ])('reads the name of a Postman key from %s', async (_, variable, header, notes) => {
    const auth = { type: 'apikey', apikey: [{ key: 'key', value: '{{name}}' }] };
    const result = await postman([['List customers', 'GET', 'https://a.example/customers']], { auth, variable });
    expect(result.privateKeyHeader).toBe(header);
    expect(result.notes.filter(({ place }) => place === '/auth')).toHaveLength(notes);
  });
});
