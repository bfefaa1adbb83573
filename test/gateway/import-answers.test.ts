import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { meaningOf } from '../../src/commands/contract-import/api.ts';
import { createContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { importText } from '../support/vendor-file.ts';

const json = (content: object) => ({ content: { 'application/json': content } });
const answers = (example: unknown) => ({ 200: json({ example }) });
const openApi = (paths: object) =>
  importText(JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://a.example/api/v1' }], paths }));

/** What an import makes of one read whose answer holds this under `data`. */
const read = (path: string, data: unknown, get: object = {}) =>
  openApi({ [path]: { get: { ...get, responses: answers({ success: true, data }) } } });

const post = (properties: object, rest: object = {}) => ({
  requestBody: json({ schema: { properties, ...rest } }),
});
const text = { type: 'string' };

describe('contract import, of names in an update', () => {
  const create = post({ firstName: text, lastName: text, dateOfBirth: text, customerRef: text });

  it.each([
    ['shows some', { patch: post({ firstName: text, phoneNumber: text }) }, 'phoneNumber'],
    ['shows none', { patch: {} }, 'phone'],
    ['is not in the file', {}, 'phone'],
  ])('takes those that it lacks from the create operation: its body %s', async (_, one, phone) => {
    const { rows } = await openApi({ '/customers': { post: create }, '/customers/{id}': one });
    const { 'createCustomer.body': created, 'updateCustomer.body': updated } = createContract(rows);
    expect(created).toMatchObject({ lastName: 'lastName', dateOfBirth: 'dateOfBirth', reference: 'customerRef' });
    expect(updated).toEqual({ ...created, phone });
  });

  it('says which its own body does not show', async () => {
    const { comments } = await openApi({
      '/settlement-banks': { post: post({ name: text, account_no: text, slug: text }) },
      '/settlement-banks/{id}': { put: post({ name: text }) },
    });
    expect(comments).toContain(
      'updateSettlementBank.body: # unsure: no property looks like accountNumber, accountName, bankCode, bankSlug; named as storeSettlementBank names them',
    );
  });
});

it.each([
  ['beside another usual one', { clientReference: 'C1', merchantReference: 'mine' }, ['/merchantReference']],
  ['that the record lacks', { clientReference: 'C1' }, ['/clientReference']],
  ['with no text', { clientReference: 'C1', merchantReference: {} }, ['/clientReference']],
])('contract import reads a field where a create sends it: %s', async (_, fields, expected) => {
  const create = {
    ...post({ firstName: text, merchantReference: text }),
    responses: answers({ success: true, data: { ...fields, firstName: 'Ada' } }),
  };
  const { rows } = await openApi({ '/customers': { post: create } });
  expect(rows['customer.reference']).toEqual(expected);
});

describe('contract import, of a body whose fields stand in several objects', () => {
  it('names each by a JSON pointer, and sends it there', async () => {
    const object = (properties: object) => ({ type: 'object', properties });
    const properties = {
      person: object({ givenName: text, familyName: text, birthDate: text, BVN: text }),
      contact: object({ emailAddress: text, type: text }),
      merchantReference: text,
      employer: object({ email: text, nin: text }),
    };
    const schema = { properties: { id: text, ...properties } };
    const { rows, comments, notes, starter } = await openApi({
      '/customers': { post: { ...post(properties), responses: { 201: json({ schema }) } } },
    });
    expect(rows['createCustomer.body']).toMatchObject({
      firstName: '/person/givenName',
      lastName: '/person/familyName',
      dateOfBirth: '/person/birthDate',
      email: '/contact/emailAddress',
      bvn: '/person/BVN',
      nin: 'nin',
      type: 'type',
      reference: 'merchantReference',
      phone: 'phone',
    });
    expect(comments).toContain(
      'createCustomer.body: # unsure: no property looks like nin, phone, type, collectionWalletId',
    );
    const objects = notes.flatMap(({ why }) => /^its input (\w+) is an object/.exec(why)?.[1] ?? []);
    expect(objects).toEqual(['contact', 'employer']);
    expect(await starter()).toMatch(/createCustomer, HTTP 201, done[^-]*firstName: /);
  });

  it('sends an amount among them as the JSON number that it is', async () => {
    const [order, expiry] = ['amount', 'minutes'].map((name) => ({ properties: { [name]: { type: 'number' } } }));
    const { rows } = await openApi({ '/customers/{id}/one-time-accounts': { post: post({ details: order, expiry }) } });
    expect(rows).toMatchObject({
      'createCustomerOneTimeAccount.body': { amount: '/details/amount' },
      'createCustomerOneTimeAccount.amountAs': 'number',
    });
  });

  it('requires one that its object and its body require', async () => {
    const contact = { properties: { email: text, phone: text }, required: ['email'] };
    const body = post(
      { firstName: text, lastName: text, reference: text, contact },
      { required: ['lastName', 'contact'] },
    );
    const { rows } = await openApi({ '/customers': { post: body } });
    expect(rows['createCustomer.required']).toEqual(['lastName', 'email']);
  });
});

it('contract import gives a row of its own to a list whose records stand elsewhere than those of others', async () => {
  const list = (data: unknown) => ({ get: { responses: answers({ success: true, data }) } });
  const { rows, unreadable } = await openApi({
    '/customers': list([{ id: 'c1' }]),
    '/settlement-banks': list([{ id: 'b1' }]),
    '/customers/{id}/virtual-accounts': list({ accounts: [{ id: 'a1' }], count: 1 }),
  });
  expect(rows).toMatchObject({ 'listCustomerVirtualAccounts.records': ['/data/accounts'] });
  expect(rows).not.toHaveProperty(['lists.records']);
  expect(unreadable).toEqual([]);
});

describe('contract import, of the message of a failure', () => {
  const isOpen = 'errors.message: # unsure: no failure in the file has a text under a usual name';

  it.each([
    [{ errorCode: 7, errorMessage: 'There is none.' }, ['/errorMessage'], false],
    [{ error_code: 7, error_description: 'There is none.' }, ['/error_description'], false],
    [{ errorCode: 7, cause: 'There is none.' }, undefined, true],
    [{ message: 'There is none.' }, undefined, false],
  ])('finds its place, or says that it is open: %j', async (failure, pointers, isSaid) => {
    const responses = { 200: json({ example: { id: 'c1' } }), 404: json({ example: failure }) };
    const { rows, comments } = await openApi({ '/customers/{id}': { get: { responses } } });
    expect(rows['errors.message']).toEqual(pointers);
    expect(comments.includes(isOpen)).toBe(isSaid);
  });
});

describe('contract import, of a schema that a request and its answer share', () => {
  const readOnly = { type: 'string', readOnly: true };
  const writeOnly = { type: 'string', writeOnly: true };
  const properties = { id: readOnly, kycLevel: readOnly, reference: readOnly, firstName: text, pin: writeOnly };
  const required = ['id', 'kycLevel', 'reference', 'firstName'];
  const example = { id: 'c1', kycLevel: 'x', reference: 'r1', firstName: 'Ada', pin: '1' };

  it.each([
    ['its properties', { properties, required }],
    ['its parts', { allOf: [{ properties, required }] }],
    ['an example', { properties, required, example }],
    ['an example of its parts', { allOf: [{ properties, required }], example }],
  ])('sends no property that is only read, and reads none that is only sent, of %s', async (_, schema) => {
    const { rows, comments } = await openApi({
      '/customers': { post: { requestBody: json({ schema }), responses: { 201: json({ schema }) } } },
    });
    expect(rows).toMatchObject({
      'createCustomer.required': ['firstName'],
      'customer.firstName': ['/firstName'],
    });
    expect(comments.filter((line) => line.startsWith('extra.'))).toEqual([
      'extra.CreateCustomerInput.pin: { type: String, wire: pin }',
      'extra.Customer.kycLevel: { type: String, at: [/kycLevel] }',
    ]);
  });
});

describe('contract import, of inputs whose value or unit is a decision', () => {
  it('says how a row names what is inside an object, and makes an e-mail address of every such name', async () => {
    const branch = { type: 'object', properties: { town: text, floor: text } };
    const { notes, starter } = await openApi({
      '/settlement-banks': { post: post({ name: text, branch, tags: { type: 'array', items: text } }) },
      '/customers': {
        post: { ...post({ email_address: text }), responses: answers({ success: true, data: { id: 'c1' } }) },
      },
    });
    expect(notes.map(({ why }) => why)).toEqual(
      expect.arrayContaining([
        "its input branch is an object: storeSettlementBank.body, or an added input's wire, may name its members by JSON pointers",
        'no row can say its input tags: an object or a list',
      ]),
    );
    expect(await starter()).toContain('email: ada@example.com');
  });

  it('proposes an amount in minor units with all rows that it needs', async () => {
    const { rows, comments } = await openApi({
      '/customers/{id}/one-time-accounts': {
        post: post({ amount_kobo: { type: 'integer' } }, { required: ['amount_kobo'] }),
      },
    });
    expect(rows).toEqual({});
    expect(comments).toContain(
      'createCustomerOneTimeAccount.body: # unsure: { amount: amount_kobo }, perhaps, with createCustomerOneTimeAccount.unit: minor, createCustomerOneTimeAccount.required: [amount], createCustomerOneTimeAccount.amountAs: number',
    );
    expect(comments.join()).not.toContain('amountKobo');
  });

  it('names an input that has one value only and is not required', async () => {
    const { rows, comments } = await openApi({
      '/customers': { post: post({ first_name: text, channel: { const: 'api' } }) },
    });
    expect(rows).not.toHaveProperty('createCustomer.constants');
    expect(comments).toContainEqual(expect.stringMatching(/^createCustomer\.constants: # unsure: \{ channel: … \}/));
  });

  it.each([
    ['OpenAPI', { 204: {} }, 1],
    ['OpenAPI, beside a body', { 200: json({ example: {} }), 204: {} }, 0],
    ['OpenAPI, of a status with a body', { 200: {} }, 0],
  ])(
    'proposes that an answer without a body is a success where the file has no other: %s',
    async (_, responses, count) => {
      const { comments, rows } = await openApi({
        '/customers/{id}': { patch: { ...post({ first_name: text }), responses } },
      });
      expect(rows).toEqual({});
      const line = "updateCustomer.emptySuccess: # to decide: true, since the file's only success has no body";
      expect(comments.filter((each) => each === line)).toHaveLength(count);
    },
  );

  it('proposes the same of a saved response with status 204', async () => {
    const item = { name: 'Update Customer', request: { method: 'PATCH', url: 'https://a.example/customers/:id' } };
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    const { comments, notes } = await importText(
      JSON.stringify({ info: { schema }, item: [{ ...item, response: [{ code: 204 }] }] }),
    );
    expect(comments).toContainEqual(expect.stringMatching(/^updateCustomer\.emptySuccess: # to decide/));
    expect(notes).toEqual([]);
  });
});

describe('contract import, of records wrapped under the name of their kind', () => {
  const customer = { id: 'c1', first_name: 'Ada', email: 'a@b.example' };
  const bank = { id: 'b1', name: 'Main', account_no: '0123456789' };
  const account = {
    id: 'a1',
    account_number: '0123456789',
    bank: { id: 'x', code: '0', status: 'on', created_at: '2026-01-01' },
  };
  const inData = (data: unknown) => ({ success: true, data });
  const inside = { customer: inData({ customer }), bank: inData({ settlement_bank: bank }) };
  const atTop = { customer: { customer }, bank: { settlement_bank: bank } };

  type Bodies = Readonly<Partial<Record<'customer' | 'bank' | 'account' | 'list', unknown>>>;
  it.each<readonly [name: string, bodies: Bodies, expected: readonly string[] | undefined]>([
    ['a customer and a bank', inside, ['/data/customer', '/data/settlement_bank']],
    ['a bank alone', { ...inside, customer: inData(customer) }, ['/data/settlement_bank', '/data']],
    ['none', { customer: inData(customer), bank: inData(bank) }, undefined],
    [
      'all, at the top',
      { ...atTop, account: { virtual_account: account } },
      ['/customer', '/settlement_bank', '/virtual_account'],
    ],
    ['a customer, beside bare banks', { ...atTop, bank }, ['/customer']],
    [
      'a bank, beside customers flat with a flag',
      { ...atTop, customer: { success: true, ...customer } },
      ['/settlement_bank'],
    ],
    [
      'both, while an account holds a bank',
      { ...inside, account: inData(account) },
      ['/data/customer', '/data/settlement_bank', '/data'],
    ],
    [
      'both, while an account holds a customer',
      { ...inside, account: inData({ ...account, customer }) },
      ['/data/customer', '/data/settlement_bank'],
    ],
    ['a customer in its list, too', { ...inside, list: inData([{ customer }]) }, ['/data/settlement_bank', '/data']],
  ])('finds the places of %s', async (_, bodies, expected) => {
    const of = (body: unknown) => ({ responses: body === undefined ? {} : answers(body) });
    const { rows, unreadable } = await openApi({
      '/customers': { get: of(bodies.list) },
      '/customers/{id}': { get: of(bodies.customer) },
      '/customers/{id}/virtual-accounts': { post: of(bodies.account) },
      '/settlement-banks/{id}': { get: of(bodies.bank) },
    });
    expect(rows['envelope.data']).toEqual(expected);
    expect(unreadable.filter((name) => name !== 'createCustomerVirtualAccount')).toEqual([]);
  });
});

describe('contract import, of the number of the first page', () => {
  const listWith = (parameter: object) =>
    read('/customers', [{ id: 'c1' }, { id: 'c2' }], { parameters: [{ name: 'page', in: 'query', ...parameter }] });

  it.each([
    ['its default', { schema: { default: 0 } }, 0],
    ['its minimum', { schema: { minimum: 0 } }, 0],
    ['its example', { example: 0 }, 0],
    ['the example of its schema', { schema: { example: 0 } }, 0],
    ['the first of its named examples', { examples: { first: { value: 0 }, next: { value: 1 } } }, 0],
    ['the first example of its schema', { schema: { examples: [0, 1] } }, 0],
    ['its minimum beside a default of null', { schema: { minimum: 0, default: null } }, 0],
    ['its default before its minimum', { schema: { minimum: 0, default: 1 } }, undefined],
    ['an example of another page', { example: 1 }, undefined],
  ])('takes it from the parameter, by %s', async (_, parameter, expected) => {
    const { rows } = await listWith(parameter);
    expect(rows['lists.firstPage']).toBe(expected);
  });

  it.each([
    ['of its page', { page: { number: 0, size: 2, totalElements: 5 } }],
    ['at its top', { number: 0, size: 2, totalElements: 5 }],
  ])('takes it from the number %s in the answer', async (_, page) => {
    const { rows } = await openApi({
      '/customers': {
        get: {
          parameters: [{ name: 'page', in: 'query' }],
          responses: answers({ content: [{ id: 'c1' }, { id: 'c2' }], ...page }),
        },
      },
    });
    expect(rows).toMatchObject({ 'lists.records': ['/content'], 'lists.firstPage': 0 });
  });
});

describe('contract import, of lists read by cursors', () => {
  const parameters = [
    { in: 'query', name: 'cursor' },
    { in: 'query', name: 'limit' },
  ];
  const record = { id: 'c1', first_name: 'Ada', last_name: 'B' };
  const list = (rest: object, path = '/customers') =>
    openApi({ [path]: { get: { parameters, responses: answers({ success: true, data: [record], ...rest }) } } });

  it.each([
    ['a token', { paging: { next: 'abc', has_more: true } }, { 'lists.nextCursor': ['/paging/next'] }],
    ['a token with the name of a page', { next_page: 'abc' }, { 'lists.nextCursor': ['/next_page'] }],
    ['a link', { links: { next: 'https://a.example/x?cursor=abc' } }, {}],
    ['a link with another parameter', { links: { next: '/x?page_token=abc' } }, { 'lists.cursor': 'page_token' }],
    ['what is read by default', { meta: { next_cursor: null } }, {}],
  ])('finds by what more is told: %s', async (_, rest, expected) => {
    const { rows, comments } = await list(rest);
    expect(rows).toEqual({ 'listCustomers.path': '/customers', 'listCustomers.pageStyle': 'cursor', ...expected });
    expect(comments.filter((line) => line.startsWith('lists.'))).toEqual([]);
  });

  it('finds the token of a file without customers, and of a list that differs', async () => {
    const get = (rest: object) => ({
      get: { parameters, responses: answers({ success: true, data: [record], ...rest }) },
    });
    const banks = get({ paging: { next: 'abc' } });
    const alone = await openApi({ '/settlement-banks': banks });
    expect(alone.rows).toMatchObject({ 'lists.nextCursor': ['/paging/next'] });
    const both = await openApi({ '/settlement-banks': banks, '/customers': get({ page: { next_token: 'abc' } }) });
    expect(both.rows).toMatchObject({
      'lists.nextCursor': ['/page/next_token'],
      'listSettlementBanks.nextCursor': ['/paging/next'],
    });
  });

  it.each([
    ['nothing', {}, 'no answer shows by what a next page is told'],
    ['a flag alone', { has_more: true }, 'a flag stands at /has_more, for lists.cursorFrom: lastRecord, if'],
    ['null, for a token or a link', { paging: { next: null } }, '/paging/next, perhaps'],
    ['a token under an odd name', { bookmark: 'abc' }, '/bookmark, perhaps'],
    ['a token of the cursor', { paging: { cursors: { before: 'a', after: 'b' } } }, '/paging/cursors/after, perhaps'],
    ['a link without a cursor', { links: { next: '/x?page=2' } }, 'no answer shows by what'],
  ])(
    'leaves to a person by what more is told, and does not serve the first page as the list: %s',
    async (_, rest, why) => {
      const { rows, comments } = await list(rest);
      expect(rows).toEqual({ 'listCustomers.path': '/customers', 'listCustomers.pageStyle': 'undecided' });
      expect(comments).toContainEqual(expect.stringContaining(`lists.nextCursor: # unsure: ${why}`));
    },
  );

  it.each([
    ['more than the page has', 9, { 'lists.total': ['/paging/count'] }, 0],
    ['as many as the page has', 1, {}, 1],
  ])('takes a count for the total where it is %s', async (_, count, expected, comments) => {
    const result = await list({ paging: { next: 'abc', count } });
    expect(result.rows).toEqual({
      'listCustomers.path': '/customers',
      'listCustomers.pageStyle': 'cursor',
      'lists.nextCursor': ['/paging/next'],
      ...expected,
    });
    expect(result.comments.filter((line) => line.startsWith('lists.total: # unsure'))).toHaveLength(comments);
  });
});

describe('contract import, of identifiers', () => {
  it.each([
    ['/customers/{client_id}', 'customer', { client_id: 'C', email: 'e' }, ['/client_id'], ['/client_id', '/email']],
    ['/settlement-banks/{bankId}', 'settlementBank', { bank_id: 'B', code: 'x' }, ['/bank_id'], ['/bank_id']],
    ['/customers/{id}', 'customer', { customer_id: 'C', code: 'x' }, ['/customer_id'], ['/customer_id', '/code']],
  ])('takes the property that a path names, or else the record’s own: %s', async (path, kind, fields, id, by) => {
    const { rows, comments } = await read(path, {
      ...fields,
      name: 'A',
      account_no: '0',
      first_name: 'Ada',
      last_name: 'B',
    });
    expect([rows[`${kind}.id`], rows[`${kind}.identifiedBy`]]).toEqual([id, by]);
    expect(comments.filter((line) => line.startsWith(`${kind}.id: #`))).toEqual([]);
  });

  it.each([
    ['/customers/{id}/virtual-accounts', 'account', { account_id: 'a', account_number: '0' }, ['/account_id']],
    ['/customers/{id}/virtual-accounts', 'account', { reference: 'r', virtualAccountId: 'a' }, ['/virtualAccountId']],
    ['/customers/{id}/transactions', 'transaction', { transaction_id: 't', amount: 1 }, ['/transaction_id']],
    ['/customers/{id}/virtual-accounts', 'account', { id: 'i', account_id: 'a', account_number: '0' }, undefined],
  ])('prefers the id of a record below a customer to another field: %s', async (path, kind, fields, id) => {
    expect((await read(path, [fields])).rows[`${kind}.id`]).toEqual(id);
  });

  it('takes the word of the path for that of the record', async () => {
    const get = { operationId: 'listCustomerTransactions' };
    const { rows } = await read('/clients/{id}/movements', [{ movement_id: 'm', amount: 1 }], get);
    expect(rows).toMatchObject({ 'transaction.id': ['/movement_id'] });
  });

  it.each([
    [
      '/customers/{customer_code}',
      { id: 7, customer_code: 'C', first_name: 'A', last_name: 'B' },
      'customer.id: # unsure: paths name the identifier customer_code',
    ],
    [
      '/customers/{id}/virtual-accounts',
      [{ code: 'c', account_id: 'a' }],
      'account.id: # unsure: /account_id, or /code',
    ],
  ])('leaves two candidates to a person: %s', async (path, data, line) => {
    const { rows, comments } = await read(path, data);
    expect(Object.keys(rows).filter((id) => id.endsWith('.id'))).toEqual([]);
    expect(comments).toContainEqual(expect.stringContaining(line));
  });
});

describe('contract import, of amounts and account numbers', () => {
  it.each([
    [{ balance: 10, available: 9, ledger: 11 }, {}, ['balance.available: [/available]', 'balance.ledger: [/ledger]']],
    [
      { available: 9, ledger_balance: 11 },
      {},
      [
        'balance.value: # to decide: [/available], or the amount that the service calls the balance: /ledger_balance',
        'balance.ledger: [/ledger_balance]',
      ],
    ],
    [
      { available_kobo: 9, ledger_kobo: 11 },
      { 'balance.valueMinor': ['/available_kobo'] },
      ['balance.ledgerMinor: [/ledger_kobo]'],
    ],
    [
      { balance: 1, available: '1,500.00' },
      {},
      ['balance.available: [/available]  # unsure: its sample is no amount that the gateway can read'],
    ],
  ])('proposes further balances: %o', async (data, expected, proposed) => {
    const { rows, comments } = await read('/customers/{id}/balance', data);
    expect(rows).toEqual(expected);
    expect(comments.filter((line) => /^balance\.|^extra\./.test(line))).toEqual(proposed);
  });

  it.each([
    ['an account number', { nuban: { type: 'integer' } }, 'accountNumber.digits'],
    [
      'a bank code inside its bank',
      { id: { type: 'string' }, bank: { properties: { code: { type: 'integer' } } } },
      'bankCode.digits',
    ],
  ])('takes no number of digits from %s that is a JSON number', async (_, properties, row) => {
    const schema = { properties: { success: { type: 'boolean' }, data: { items: { properties } } } };
    const { rows, comments } = await openApi({
      '/customers/{id}/virtual-accounts': { get: { responses: { 200: json({ schema }) } } },
    });
    expect(rows).not.toHaveProperty([row]);
    expect(comments).toContainEqual(expect.stringMatching(new RegExp(`^${row}: # to decide`)));
  });

  it('offers fields that the graph lacks for each kind of account', async () => {
    const { comments } = await read('/customers/{id}/virtual-accounts', [{ id: 'a', account_number: '0', tier: 2 }]);
    expect(comments).toContain('extra.VirtualAccount.tier: { type: Decimal, at: [/tier] }');
  });

  it('offers an amount in an object with its currency as money', async () => {
    const [amount, fee] = ['5.00', '0.10'].map((value) => ({ value, currency: 'EUR' }));
    const { comments } = await read('/customers/{id}/transactions', [{ id: 't1', amount, fee }]);
    expect(comments).toContain('extra.CustomerTransaction.fee: { type: Money, at: [/fee/value] }');
    expect(comments.join()).not.toMatch(/extra\.CustomerTransaction\.(?!fee)/);
  });
});

describe('contract import, of a balance that is called otherwise', () => {
  it.each([
    [{ availableBalance: '4.00', currentBalance: '5.00' }, true],
    [{ availableBalance: '4.00', hold: '5.00' }, false],
  ])('asks which of several amounts it is: %j', async (amounts, isAsked) => {
    const { rows, comments } = await read('/customers/{id}/balance', amounts);
    expect(rows['balance.value']).toEqual(['/availableBalance']);
    const question =
      'balance.value: # to decide: [/availableBalance], or the amount that the service calls the balance: /currentBalance';
    expect(comments.includes(question)).toBe(isAsked);
  });

  it('asks which of several amounts with their currency it is', async () => {
    const amounts = { booked: { value: '5.00', currency: 'EUR' }, available: { value: '4.00', currency: 'EUR' } };
    const { rows, comments } = await read('/customers/{id}/balance', amounts);
    expect(rows['balance.value']).toEqual(['/available/value']);
    expect(comments).toEqual(
      expect.arrayContaining([
        'balance.value: # to decide: [/available/value], or the amount that the service calls the balance: /booked/value',
        'extra.Balance.booked: { type: Money, at: [/booked/value] }',
      ]),
    );
  });
});

it.each([
  [
    'a list by currency',
    [
      { currency: 'NGN', balance: 5 },
      { currency: 'USD', balance: 7 },
    ],
    ['getCustomerBalance'],
  ],
  ['an amount in another currency', { currency: 'USD', balance: '5.00' }, []],
  ['an amount in kobo', { balance_kobo: 500 }, []],
])(
  'contract import says whether the file’s own balance can be read while its unit is undecided: %s',
  async (_, data, expected) => {
    const { unreadable, comments } = await read('/customers/{id}/balance', data);
    expect(unreadable).toEqual(expected);
    expect(comments.filter((line) => line.includes('row balance.value'))).toHaveLength(expected.length);
  },
);

describe('contract import, of filters', () => {
  const transactions = (names: readonly string[], record: object) =>
    read('/customers/{id}/transactions', [{ id: 't', amount: 1, ...record }], {
      parameters: names.map((name) => ({ in: 'query', name })),
    });

  it.each([
    ['direction', { direction: 'credit' }],
    ['txnType', { txn_type: 'credit' }],
    ['type', { type: 'credit' }],
  ])('takes the parameter with the name of the transactions’ type: %s', async (name, record) => {
    const { rows, comments } = await transactions(['page', name], record);
    expect(rows['listCustomerTransactions.type']).toBe(name);
    expect(comments.filter((line) => line.startsWith('extra.'))).toEqual([]);
  });

  it('takes none whose name no field of a transaction has', async () => {
    const { rows, comments, notes } = await transactions(['type', 'category'], { direction: 'credit' });
    expect(rows).not.toHaveProperty('listCustomerTransactions.type');
    expect(comments).toContain('extra.Customer.transactions.category: { wire: category, matches: none }');
    expect(notes).toContainEqual(
      expect.objectContaining({ why: expect.stringMatching(/^extra\.Customer\.transactions\.type cannot be added/) }),
    );
  });

  it('matches an added filter by the field that records carry, and offers no credential as one', async () => {
    const { comments, notes } = await transactions(['from', 'channel', 'api_key'], { channel: 'web' });
    expect(comments.filter((line) => line.startsWith('extra.Customer.transactions'))).toEqual([
      'extra.Customer.transactions.from: { wire: from, matches: none }',
      'extra.Customer.transactions.channel: { wire: channel, matches: /channel }',
    ]);
    expect(notes).toContainEqual(
      expect.objectContaining({ why: 'a credential in the parameter api_key; the gateway sends none there' }),
    );
  });
});

describe('contract import, of rows that add to the graph', () => {
  const number = { type: 'integer' };
  const record = {
    id: 'c1',
    first_name: 'Ada',
    nin: '0',
    tax_id: '0',
    'full-name': 'A',
    full_name: 'A',
    nin_verified: true,
  };

  it('proposes only such as the contract allows, each name once, and notes the others', async () => {
    const list = { parameters: ['cursor', 'page', 'true'].map((name) => ({ in: 'query', name })) };
    const { rows, comments, notes, yaml } = await openApi({
      '/settlement-banks/{id}': { patch: post({ name: text, id: number, null: number, tier: number }) },
      '/customers': { get: { ...list, responses: answers({ success: true, data: [record] }) } },
    });
    const proposed = comments.filter((line) => line.startsWith('extra.'));
    expect(proposed).toEqual([
      'extra.UpdateSettlementBankInput.null: { type: Int, wire: "null" }',
      'extra.UpdateSettlementBankInput.tier: { type: Int, wire: tier }',
      'extra.Customer.fullName: { type: String, at: [/full-name] }',
      'extra.Customer.ninVerified: { type: Boolean, at: [/nin_verified] }',
      'extra.Query.customers.true: { wire: "true", matches: none }',
    ]);
    const { overrides, faults } = parseOverrides(yaml.replaceAll('  # extra.', '  extra.'), 'written.yaml');
    expect([faults, createContract(overrides).extras.length]).toEqual([[], proposed.length]);
    expect(createContract(rows).extras).toEqual([]);
    const told = notes.map(({ why }) => why).filter((why) => /extra|filter/.test(why));
    expect(told).toEqual([
      expect.stringMatching(/^extra\.UpdateSettlementBankInput\.id cannot be added; allowed: another name/),
      expect.stringMatching(
        /^extra\.Customer\.nin cannot be added; allowed: nothing that is named as an identity number/,
      ),
      expect.stringMatching(/^extra\.Customer\.taxId cannot be added/),
      expect.stringMatching(
        /^extra\.Customer\.fullName is proposed once, as .*full-name\] \}, not as .*full_name\] \}$/,
      ),
      'the parameter page is no filter: a row of this list has its name',
    ]);
  });
});

it.each([
  ['anyOf', { anyOf: [text, { type: 'null' }] }],
  ['oneOf', { oneOf: [{ type: 'null' }, text] }],
  ['types', { type: ['null', 'string'] }],
  ['null alone', { type: 'null' }],
  ['null as the only type', { type: ['null'] }],
])('contract import needs no note for a value that may be null: %s', async (_, email) => {
  const properties = { id: text, first_name: text, last_name: text, email };
  const schema = { properties: { success: { type: 'boolean' }, data: { properties } } };
  const { notes, unreadable } = await openApi({
    '/customers/{id}': { get: { responses: { 200: json({ schema }) } } },
  });
  expect([notes, unreadable]).toEqual([[], []]);
});

describe('contract import, of the only amount beside a currency', () => {
  const money = { amount: 150, currency: 'NGN' };

  it.each([
    ['transactions', 'transaction.amount', { transfer_money: money }, ['/transfer_money/amount']],
    ['transactions', 'transaction.amount', { sum: 9000, fee: money }, undefined],
    ['transactions', 'transaction.amount', { sum: 9000, balance_after: money }, undefined],
    ['transactions', 'transaction.amount', { sum: 9000, fee: { amount: money } }, undefined],
    ['transactions', 'transaction.amount', { attributes: { sum: 9000, balance: 1, currency: 'NGN' } }, undefined],
    ['transactions', 'transaction.amount', { amount_details: money }, ['/amount_details/amount']],
    ['transactions', 'transaction.amount', { principal: money }, ['/principal/amount']],
    ['balance', 'balance.value', { balances: { current: money } }, ['/balances/current/amount']],
    ['balance', 'balance.value', { total_funds: money }, ['/total_funds/amount']],
    ['balance', 'balance.value', { settled: 9000, pending: money }, undefined],
  ])('takes no other amount for that of the record: %s, %s, %j', async (path, row, fields, expected) => {
    const record = { id: 'r1', ...fields };
    const { rows, unreadable, comments } = await read(
      `/customers/{id}/${path}`,
      path === 'balance' ? record : [record],
    );
    expect(rows[row]).toEqual(expected);
    expect(comments.some((each) => each.startsWith(`${row}: # to decide`))).toBe(expected === undefined);
    expect(unreadable).toHaveLength(expected === undefined ? 1 : 0);
  });
});

it('reads the id of an account that has one, by which a create without a flag proves itself', async () => {
  const account = { uuid: 'a1', account_number: '0000000000', account_holder_name: 'Ada' };
  const { rows, unreadable } = await openApi({
    '/customers/{id}/virtual-accounts': { post: { responses: answers(account) } },
  });
  expect(rows).toMatchObject({ 'account.id': ['/uuid'], 'account.accountName': ['/account_holder_name'] });
  expect(unreadable).toEqual([]);
});

it('reads a record that lists wrap and single answers do not, at both places', async () => {
  const record = { id: 'c1', firstName: 'Ada', createdAt: '2026-01-31T09:30:00Z' };
  const edges = [{ cursor: 'x', node: record }];
  const { rows, unreadable } = await openApi({
    '/customers': { get: { responses: answers({ data: { edges, pageInfo: { endCursor: 'x' } } }) } },
    '/customers/{id}': { get: { responses: answers({ data: record }) } },
  });
  expect(rows).toMatchObject({
    'customer.id': ['/id', '/node/id'],
    'customer.firstName': ['/node/firstName', '/firstName'],
    'customer.createdAt': ['/node/createdAt', '/createdAt'],
  });
  expect(unreadable).toEqual([]);
});

it('takes nothing from the metadata of a customer without an email for that of the others', async () => {
  const { rows } = await read('/customers', [
    { id: 'c1', email: 'ada@example.com' },
    { id: 'c2', metadata: { email: 'order@example.com' } },
  ]);
  expect(rows).not.toHaveProperty(['customer.email']);
});

describe('contract import, of bodies whose fields stand below a type, as in JSON:API', () => {
  const bodyOf = (type: string, attributes: object, fields: object = {}) => {
    const data = { required: ['type', 'id'], properties: { type: { const: type }, ...fields, attributes } };
    return { requestBody: json({ schema: { required: ['data'], properties: { data } } }) };
  };
  const names = { properties: { first_name: text, last_name: text } };

  it('sends the identifier of an update in its body, and none of a create', async () => {
    const { rows, comments } = await openApi({
      '/customers': { post: bodyOf('customers', names, { id: text }) },
      '/customers/{id}': { patch: bodyOf('customers', names, { id: text }) },
    });
    expect(rows).toMatchObject({
      'updateCustomer.idInBody': '/data/id',
      'updateCustomer.constants': { '/data/type': 'customers' },
    });
    expect(comments.filter((line) => line.includes('/data/id'))).toEqual([
      'createCustomer.constants: # unsure: { /data/id: … } beside its fields, or added inputs with such a wire',
    ]);
  });

  it("sends no customer's identifier as that of the shop round it", async () => {
    const shop = { properties: { id: text, customer: names } };
    const { rows, comments } = await openApi({ '/customers/{id}': { put: post({ shop }) } });
    expect(rows).toHaveProperty(['updateCustomer.wrapper'], '/shop/customer');
    expect(rows).not.toHaveProperty(['updateCustomer.idInBody']);
    expect(comments).toContain(
      'updateCustomer.constants: # unsure: { /shop/id: … } beside its fields, or added inputs with such a wire',
    );
  });

  it('sends the type of an account that is opened without fields', async () => {
    const post = bodyOf('accounts', { properties: { bank: text } });
    const { rows } = await openApi({ '/customers/{id}/virtual-accounts': { post } });
    expect(rows).toMatchObject({ 'createCustomerVirtualAccount.constants': { '/data/type': 'accounts' } });
  });
});

describe('contract import, of the answer to a create', () => {
  it.each([
    ['DD/MM/YYYY', '17/03/1990', '01/01/2000'],
    ['MM/DD/YYYY', '03/17/1990', '01/01/2000'],
    ['DD-MM-YYYY', '17-03-1990', '01-01-2000'],
  ])('reads it, and makes a case of it, where dates of birth are sent as %s', async (form, birthDate, fake) => {
    const sent = { firstName: 'Ada', birthDate };
    const { rows, comments, unreadable, starter } = await openApi({
      '/customers': {
        post: {
          requestBody: json({ example: sent }),
          responses: answers({ success: true, data: { id: 'c1', ...sent } }),
        },
      },
    });
    expect(rows).toMatchObject({ 'dates.form': form, 'customer.dateOfBirth': ['/birthDate'] });
    expect(comments.join('\n')).not.toContain('cannot read');
    expect(unreadable).toEqual([]);
    const cases = parse(await starter()) as { readonly cases: readonly object[] };
    expect(cases.cases).toMatchObject([
      {
        operation: 'createCustomer',
        input: { dateOfBirth: '2000-01-01' },
        body: { data: { birthDate: fake } },
        expect: { outcome: 'done', record: { dateOfBirth: '2000-01-01' } },
      },
    ]);
  });

  it('takes nothing for another record because the answer is shown by its schema alone', async () => {
    const properties = { first_name: text, email: text, reference: text };
    const requestBody = json({ example: { first_name: 'Erika', email: 'erika@example.com', reference: 'KD-9' } });
    const responses = { 201: json({ schema: { properties: { id: text, ...properties } } }) };
    const { unreadable, starter } = await openApi({ '/customers': { post: { requestBody, responses } } });
    expect(unreadable).toEqual([]);
    expect(await starter()).toContain('createCustomer, HTTP 201, done');
  });

  const address = { properties: { address: text, type: text } };
  const referred = { properties: { reference: text }, required: ['reference'] };

  it.each([
    ['/settlement-banks', 'storeSettlementBank', { schema: { properties: { id: text, name: text, iban: text } } }],
    ['/customers', 'createCustomer', { schema: { properties: { id: text, first_name: text, email: address } } }],
    ['/customers', 'createCustomer', { schema: referred, example: { id: 'c1', reference: 'string', email: 'string' } }],
  ])('sends no made text that the gateway would refuse: %s, %s %j', async (path, operation, media) => {
    const { unreadable, starter } = await openApi({
      [path]: { post: { requestBody: json(media), responses: { 201: json(media) } } },
    });
    expect(unreadable).toEqual([]);
    expect(await starter()).toContain(`${operation}, HTTP 201, done`);
  });

  const bank = { id: 'b1', 'account-number': '0123456789', 'bank-code': '058' };

  it.each([
    ['of its schema', { 'account-number': text, 'bank-code': text }, []],
    ['that only names a type', { 'account-number': { example: 'string' }, 'bank-code': { example: '<string>' } }, []],
    ['of another record', { 'account-number': { example: '9876543210' } }, ['storeSettlementBank']],
  ])('takes nothing for another record because of a request %s', async (_, properties, expected) => {
    const { unreadable, starter } = await openApi({
      '/settlement-banks': { post: { ...post(properties), responses: { 201: json({ example: bank }) } } },
    });
    expect(unreadable).toEqual(expected);
    expect(await starter()).toContain(expected.length === 0 ? 'outcome: done' : 'OUTCOME_UNKNOWN');
  });
});

it('tells that the records of a list whose pages are undecided cannot be read', async () => {
  const get = { parameters: [{ name: 'cursor', in: 'query' }] };
  const { rows, unreadable } = await read('/customers/{id}/transactions', [{ id: 't1', sum: 1 }], get);
  expect(rows).toMatchObject({ 'listCustomerTransactions.pageStyle': 'undecided' });
  expect(unreadable).toEqual(['listCustomerTransactions']);
});

it('takes no id of the wallet round accounts for that of an account', async () => {
  const accounts = [1, 2].map((index) => ({ account_id: 'wallet1', account_number: `000000000${index}` }));
  const { rows } = await read('/customers/{id}/virtual-accounts', accounts);
  expect(rows).not.toHaveProperty(['account.id']);
});

it.each(['fee', 'minimum_balance'])('sends no amount as that of the %s', async (name) => {
  const money = { type: 'object', properties: { value: text, currency: text } };
  const { rows, comments } = await openApi({ '/customers/{id}/one-time-accounts': { post: post({ [name]: money }) } });
  expect(rows).not.toHaveProperty(['createCustomerOneTimeAccount.body']);
  expect(comments).toContain('createCustomerOneTimeAccount.body: # unsure: no property looks like amount');
});

it('sends an amount where its object has it, beside the currency', async () => {
  const money = { type: 'object', required: ['value', 'currency'], properties: { value: text, currency: text } };
  const { rows, comments, unreadable } = await openApi({
    '/customers/{id}/one-time-accounts': {
      post: { ...post({ amount: money }, { required: ['amount'] }), responses: answers({ id: 'a1', nuban: '12345' }) },
    },
  });
  expect(rows).toMatchObject({
    'createCustomerOneTimeAccount.wrapper': 'amount',
    'createCustomerOneTimeAccount.body': { amount: 'value' },
    'createCustomerOneTimeAccount.required': ['amount'],
  });
  expect(comments).toContain(
    'extra.CreateOneTimeAccountInput.currency: { type: String, wire: currency, required: true }',
  );
  expect(unreadable).toEqual([]);
});

it.each(['wallet', 'identity', 'contact'])('takes no state of a %s for that of its customer', async (part) => {
  const state = { reference: 'r', type: 't', status: 'open', created_at: '2026-01-31T09:30:00Z' };
  const audit = { created_at: '2026-01-01T09:30:00Z', updatedAt: '2026-01-01T09:30:00Z' };
  const { rows } = await read('/customers/{id}', {
    id: 'c1',
    [part]: { ...state, email: 'a@b.c' },
    active: 'no',
    audit,
  });
  expect(Object.fromEntries(Object.entries(rows).filter(([id]) => id.startsWith('customer.')))).toEqual({
    'customer.status': ['/active'],
    'customer.createdAt': ['/audit/created_at'],
    'customer.updatedAt': ['/audit/updatedAt'],
    'customer.email': [`/${part}/email`],
  });
});

it.each([
  ['Error_404 customer absent', 404],
  ['404', 404],
  ['404: gone', 404],
  ['Status 503 - closed', 503],
  ['500 Internal Server Error', 500],
  ['Error 422: duplicate reference', 409],
  ['500 naira transfer', 200],
  ['404 page', 200],
  ['Create customer 422 Main St', 200],
])('takes a sample of 200 named %s for one of %i', (name, meaning) => expect(meaningOf(200, name)).toBe(meaning));

it('takes the status that a sample of a failure inside 200 has in its name, which no transactions named 500 have', async () => {
  const sample = (code: string, result: unknown) => ({ value: { code, message: 'm', result } });
  const examples = (failures: object, result: unknown) => ({
    200: json({ examples: { ok: sample('00', result), ...failures } }),
  });
  const { rows } = await openApi({
    '/customers/{id}': {
      get: { responses: examples({ 'Error 404': sample('25', null) }, { id: 'c1', first_name: 'A' }) },
    },
    '/customers/{id}/transactions': { get: { responses: examples({ 'List 500': sample('00', []) }, [{ id: 't1' }]) } },
  });
  expect(rows).toMatchObject({ 'envelope.successValues': ['00'], 'errors.statuses': { 25: 404 } });
});
