import { describe, expect, it } from 'vitest';
import { endpointsOf, importPaths, importRequests } from './vendor/vendor-file.ts';

const content = (example: unknown, schema?: object) => ({ content: { 'application/json': { example, schema } } });
const post = (example: unknown, schema?: object) => ({ post: { requestBody: content(example, schema) } });
const list = (...names: readonly (string | object)[]) => ({
  get: {
    parameters: names.map((each) =>
      typeof each === 'string' ? { in: 'query', name: each } : { in: 'query', ...each },
    ),
  },
});

describe('an import, of bodies', () => {
  it.each([
    [
      'at the top',
      { given_name: 'Ada', mobile: '+2341', nin: '0' },
      { firstName: 'given_name', phone: 'mobile', nin: 'nin' },
    ],
    [
      'in a wrapper',
      { customer: { firstName: 'Ada', lastName: 'X' } },
      { firstName: 'firstName', lastName: 'lastName' },
    ],
    [
      'as JSON:API has them, in parts',
      {
        data: {
          type: 'customer',
          attributes: {
            fullName: { firstName: 'Ada', lastName: 'X' },
            email: 'a@b.example',
            phoneNumber: '+2341',
            bvn: '1',
          },
        },
      },
      {
        firstName: '/data/attributes/fullName/firstName',
        lastName: '/data/attributes/fullName/lastName',
        email: 'email',
        phone: 'phoneNumber',
        bvn: 'bvn',
      },
    ],
  ])('finds the names %s', async (_, example, names) => {
    const { rows } = await importPaths({ '/customers': post(example) });
    expect(rows['createCustomer.body']).toEqual(names);
  });

  it.each([
    ['a guarantor', { customer_name: 'X', guarantor: { first_name: 'Ada', last_name: 'X', email: 'a@b.example' } }],
    ['an address', { address: { name: 'Home', type: 'home' }, active: true }],
    ['lists', { officers: [{ first_name: 'Ada', email: 'a@b.example' }] }],
  ])('takes no field of %s for that of the customer', async (_, example) => {
    expect((await importPaths({ '/customers': post(example) })).rows).not.toHaveProperty('createCustomer.body');
  });

  it('asks whether a wallet is the collection wallet', async () => {
    const { rows, comments } = await importPaths({
      '/customers': post({ first_name: 'A', last_name: 'B', wallet_id: 'w' }),
    });
    expect(rows['createCustomer.body']).not.toHaveProperty('collectionWalletId');
    expect(comments).toContain('createCustomer.body: # unsure: collectionWalletId: /wallet_id, perhaps');
  });

  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Person' },
      {
        properties: { channel: { enum: ['api'] }, tier: { type: 'integer' }, vip: { type: 'boolean' } },
        required: ['channel', 'tier', 'email'],
      },
    ],
  };
  const components = {
    schemas: {
      Person: { properties: { first_name: { type: 'string' }, email: { type: 'string' } }, required: ['first_name'] },
    },
  };

  it('reads required fields and constants of schemas, and offers inputs that the graph lacks', async () => {
    const { rows, comments } = await importPaths({ '/customers': post(undefined, schema) }, { components });
    expect(rows).toMatchObject({
      'createCustomer.required': ['firstName', 'email'],
      'createCustomer.constants': { channel: 'api' },
    });
    expect(comments).toEqual(
      expect.arrayContaining([
        'extra.CreateCustomerInput.tier: { type: "Int", wire: "tier", required: true }',
        'extra.CreateCustomerInput.vip: { type: "Boolean", wire: "vip" }',
      ]),
    );
  });

  it.each([
    ['patch', undefined],
    ['put', ['firstName', 'email']],
  ])('requires of an update by %s what a %s of its schema would', async (method, required) => {
    const { rows } = await importPaths(
      { '/customers/{id}': { [method]: { requestBody: content(undefined, schema) } } },
      { components },
    );
    expect(rows['updateCustomer.required']).toEqual(required);
  });

  it.each([
    ['names them alike', { given_name: 'Ada' }, { firstName: 'given_name', phone: 'mobile' }],
    ['names them otherwise', { data: { given_name: 'Ada' } }, { firstName: 'given_name' }],
  ])('names fields that an update does not show as the create does, where it %s', async (_, example, names) => {
    const patch = { requestBody: content(example) };
    const { rows } = await importPaths({
      '/customers': post({ given_name: 'Ada', mobile: '+2341' }),
      '/customers/{id}': { patch },
    });
    expect(rows['updateCustomer.body']).toEqual(names);
  });

  it.each([
    [{ amount: 100 }, { 'createCustomerOneTimeAccount.amountAs': 'number' }, ''],
    [{ value: { amount: '1', currency: 'NGN' } }, { 'createCustomerOneTimeAccount.wrapper': 'value' }, ''],
    [{ amount_kobo: 100 }, {}, 'createCustomerOneTimeAccount.body: # unsure: amount: /amount_kobo, perhaps'],
  ])('reads the amount of a one-time account: %j', async (example, rows, comment) => {
    const result = await importPaths({ '/customers/{id}/one-time-accounts': post(example) });
    expect(result.rows).toMatchObject(rows);
    expect(result.comments.join('\n')).toContain(comment);
  });

  it('reads bodies and media types of a collection, comments and variables in them', async () => {
    const raw = '{\n  // the name\n  "first_name": "{{name}}", "email": {{email}},\n}';
    const header = [{ key: 'Content-Type', value: 'application/vnd.api+json; charset=utf-8' }];
    const { rows } = await importRequests([
      ['Create customer', 'POST', '{{base}}/clients', { body: { mode: 'raw', raw }, header }],
    ]);
    expect(rows).toMatchObject({
      'createCustomer.path': '/clients',
      'createCustomer.body': { firstName: 'first_name', email: 'email' },
      'service.contentType': 'application/vnd.api+json',
    });
  });
});

describe('an import, of headers and credentials', () => {
  const securitySchemes = {
    cookie: { type: 'apiKey', in: 'cookie', name: 's' },
    bearer: { type: 'http', scheme: 'bearer' },
    key: { type: 'apiKey', in: 'header', name: 'X-Client-Id' },
  };
  it.each([
    ['one after one that cannot be sent', [{ cookie: [] }, { bearer: [] }], ['bearer'], undefined],
    ['both of an alternative', [{}, { bearer: [], key: [] }], ['bearer', 'privateKey'], 'X-Client-Id'],
    ['none', [{ cookie: [] }], undefined, undefined],
  ])('takes the first alternative that can be sent: %s', async (_, security, credentials, header) => {
    const result = await importPaths({ '/customers': { get: {} } }, { security, components: { securitySchemes } });
    expect([result.rows['listCustomers.credentials'], result.privateKeyHeader]).toEqual([credentials, header]);
  });

  it('asks which of several keys it is', async () => {
    const header = ['X-Api-Key', 'X-Secret'].map((key) => ({ key, value: '{{secret}}' }));
    const result = await importRequests([['List customers', 'GET', 'https://a.example/customers', { header }]]);
    expect(result.privateKeyHeader).toBeUndefined();
    expect(result.comments.join('\n')).toContain('several headers carry credentials (X-Api-Key, X-Secret)');
  });

  it.each(['Idempotency-Key', 'X-Idempotent-Key'])('takes %s of a write for its key', async (name) => {
    const { rows } = await importPaths({ '/customers': { post: { parameters: [{ in: 'header', name }] } } });
    expect(rows).toMatchObject({ 'writes.idempotencyHeader': name });
  });

  it('asks for the value of a header that the file requires', async () => {
    const parameters = [{ in: 'header', name: 'Api-Version', required: true }];
    const { comments } = await importPaths({ '/customers': { get: { parameters } } });
    expect(comments).toContain('service.headers: # unsure: the file requires Api-Version: which value has it?');
  });
});

describe('an import, of pages and filters', () => {
  it.each([
    [['page', 'size'], { 'lists.perPage': 'size' }],
    [['pageNumber', 'pageSize'], { 'lists.page': 'pageNumber', 'lists.perPage': 'pageSize' }],
    [['skip', 'take'], { 'listCustomers.pageStyle': 'offset', 'lists.offset': 'skip', 'lists.limit': 'take' }],
    [[{ name: 'page', schema: { minimum: 0 } }], { 'lists.firstPage': 0 }],
    [['page', { name: 'per_page', schema: { maximum: 50 } }], { 'lists.maxPageSize': 50 }],
  ])('takes the parameters %j', async (names, rows) => {
    expect((await importPaths({ '/customers': list(...names) })).rows).toMatchObject(rows);
  });

  it('gives a row of its own to a list that differs', async () => {
    const paths = { '/customers': list('page', 'limit'), '/customers/{id}/transactions': list('page', 'per_page') };
    const { rows } = await importPaths(paths);
    expect(rows).toMatchObject({ 'lists.perPage': 'limit', 'listCustomerTransactions.perPage': 'per_page' });
  });

  it.each(['from', 'start', 'limit'])('asks for the style where the only parameter is %s', async (name) => {
    const { rows, comments } = await importPaths({ '/customers': list(name) });
    expect(rows).not.toHaveProperty('listCustomers.pageStyle');
    expect(comments.join('\n')).toContain('listCustomers.pageStyle: # unsure: the file names');
  });

  const page = (example: unknown, ...names: readonly (string | object)[]) => ({
    get: { ...list(...names).get, responses: { 200: content(example) } },
  });
  const data = [{ id: 'c' }];
  it.each([
    ['a token', { data, meta: { next_cursor: 'abc' } }, 'cursor', 'cursor', 'answer'],
    ['a link', { data, links: { next: 'https://a.example/customers?after=b' } }, 'after', 'cursor', 'answer'],
    ['the last record and a flag', { data, has_more: true }, 'starting_after', 'cursor', 'lastRecord'],
    ['nothing', { data }, 'cursor', 'undecided', 'answer'],
  ])('is sure of cursors where answers show what a next page needs: %s', async (_, example, name, style, from) => {
    const { contract } = await importPaths({ '/customers': page(example, name) });
    expect([
      contract['listCustomers.pageStyle'],
      contract['listCustomers.cursorFrom'] ?? contract['lists.cursorFrom'],
    ]).toEqual([style, from]);
  });

  it('takes the search, offers other filters by the field that records carry, and no parameter of pages or keys', async () => {
    const noFilters = 'page limit ordering where afterCursor start_cursor order_by from api_key fields';
    const names = [...noFilters.split(' '), 'q', 'status', 'tier_level'];
    const { rows, comments } = await importPaths({
      '/customers': page({ data: [{ id: 'c', status: 'ok' }] }, ...names, { name: 'api_token', required: true }),
    });
    expect(rows).toMatchObject({ 'listCustomers.search': 'q' });
    expect(comments.filter((line) => line.startsWith('extra.'))).toEqual([
      'extra.Query.customers.status: { wire: "status", matches: "/status" }',
    ]);
  });

  it('takes the type of transactions only where records have it', async () => {
    const paths = (record: object) => ({ '/customers/{id}/transactions': page({ data: [record] }, 'page', 'type') });
    expect((await importPaths(paths({ id: 't', type: 'credit' }))).rows).toMatchObject({
      'listCustomerTransactions.type': 'type',
    });
    expect((await importPaths(paths({ id: 't' }))).rows).not.toHaveProperty('listCustomerTransactions.type');
  });
});

it('takes no sample and no endpoint that the file calls old', async () => {
  const named = (name: string) => ({ value: { data: { id: 'c', [name]: 'Ada' } } });
  const examples = { Old: named('forename'), now: named('givenName') };
  const get = { responses: { 200: { content: { 'application/json': { examples } } } } };
  const result = await importPaths({ '/customers/{id}': { get }, '/customers': { get: { deprecated: true } } });
  expect(result.rows).toMatchObject({ 'customer.firstName': ['/givenName'] });
  expect(endpointsOf(result)).toEqual({ getCustomer: 'sure: GET /customers/{id}' });
});

it('asks whether a success without a body is one', async () => {
  const { comments } = await importPaths({ '/customers/{id}': { patch: { responses: { 204: {} } } } });
  expect(comments.join('\n')).toContain('updateCustomer.emptySuccess: # unsure: true');
});

it('asks which identifier paths name, where records have one beside their id', async () => {
  const importOf = (parameter: string, name: string) => {
    const responses = { 200: content({ data: { id: 7, [name]: 'CUS_1' } }) };
    return importPaths({ [`/customers/{${parameter}}`]: { get: { responses } } });
  };
  const { comments } = await importOf('code', 'customer_code');
  expect(comments).toContain('customer.id: # unsure: [/customer_code], perhaps, since its path names it');
  // A path names no reference, though usual names have it.
  expect((await importOf('ref', 'ext_ref')).rows).not.toHaveProperty(['customer.reference']);
  expect((await importOf('id', 'ext_ref')).rows).toHaveProperty(['customer.reference'], ['/ext_ref']);
});
