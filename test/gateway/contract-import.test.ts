import { isDeepStrictEqual } from 'node:util';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { importCommand, isComplete, printImport, type Import } from '../../src/commands/contract-import/import.ts';
import { testCases } from '../../src/commands/contract-cases/test-cases.ts';
import { parseCases } from '../../src/commands/contract-cases/case-file.ts';
import { createContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { startDialectFive } from '../support/dialects/five.ts';
import { startDialectFour } from '../support/dialects/four.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { startDialectThree } from '../support/dialects/three.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { temporaryFolder } from '../support/folder.ts';
import { capture } from '../support/stdout.ts';
import { startUpstream, success } from '../support/upstream.ts';
import { type documentService, importService, importText, toOpenApi, toPostman } from '../support/vendor-file.ts';

const rowsOf = (name: string) =>
  parseOverrides(readFileSync(new URL(`../support/dialects/${name}.yaml`, import.meta.url), 'utf8'), name).overrides;

const services = {
  bank: [() => startBank({ port: 0, database: ':memory:' }), embeddedContract],
  one: [startDialectOne, rowsOf('one')],
  two: [startDialectTwo, rowsOf('two')],
} as const;
type Start = Parameters<typeof importService>[0];
type Rows = Readonly<Record<string, unknown>>;
type Documented = Awaited<ReturnType<typeof documentService>>;
const files = {
  'a Postman collection': toPostman,
  'OpenAPI with samples': (documented: Documented) => toOpenApi(documented, 'samples'),
  'OpenAPI with schemas': (documented: Documented) => toOpenApi(documented, 'schemas'),
} as const;

/** Money is decided by a person; of the statuses only those are there that a sample shows. */
const isTold = ([id]: readonly [string, unknown]): boolean => !/^money\.|^errors\.statuses$/.test(id);
const envelopeRows = ['envelope.success', 'envelope.successValues'];

/** The rows of a dialect, those that its vendor's file becomes, and which of them differ. */
async function importDialect(start: Start, name: string, kind: keyof typeof files) {
  const planted: Rows = { ...createContract(rowsOf(name)) };
  const { rows, comments } = await importService(start, rowsOf(name), files[kind]);
  const imported: Rows = { ...createContract(rows) };
  const differing = Object.keys(planted).filter((id) => !isDeepStrictEqual(imported[id], planted[id]));
  return { planted, imported, rows, comments, differing };
}

describe('contract import', () => {
  it.each([
    ['bank', 'a Postman collection', []],
    ['bank', 'OpenAPI with samples', []],
    ['bank', 'OpenAPI with schemas', []],
    ['one', 'a Postman collection', []],
    ['two', 'a Postman collection', []],
    ['two', 'OpenAPI with schemas', envelopeRows],
  ] as const)('finds every row of %s in %s, and no other', async (service, kind, unsure) => {
    const [start, overrides] = services[service];
    const result = await importService(start, overrides, files[kind]);
    const told = Object.entries(overrides).filter(
      (row) =>
        isTold(row) &&
        !(unsure as readonly string[]).includes(row[0]) &&
        // A Postman collection cannot say which property is required.
        !(kind === 'a Postman collection' && row[0].endsWith('.required')),
    );
    // Equal to what is read by default: the code of a failure is its `code`.
    const { 'envelope.code': _, 'errors.statuses': statuses = {}, 'times.zone': zone, ...rows } = result.rows;
    expect(zone).toBe(service === 'two' && kind !== 'OpenAPI with schemas' ? 'undecided' : undefined);
    expect(rows).toEqual(Object.fromEntries(told));
    expect({ ...(overrides as Record<string, object>)['errors.statuses'], ...(statuses as object) }).toEqual(
      (overrides as Record<string, object>)['errors.statuses'] ?? {},
    );
    expect(result.comments.some((line) => line.startsWith('envelope.success: # unsure'))).toBe(
      kind === 'OpenAPI with schemas',
    );
    expect(result.operations.filter(({ certainty }) => certainty === 'sure').length).toBe(service === 'two' ? 12 : 13);
    expect(result.privateKeyHeader).toBe('SVCPRIVATEKEY');
    const written = parseOverrides(result.yaml, 'written.yaml');
    expect(written.faults).toEqual([]);
    expect(written.overrides).toEqual(result.rows);
  });

  const decisions = [
    'money.unit',
    'money.currency',
    'status.words',
    'accountNumber.digits',
    'bankCode.digits',
    'transaction.creditWords',
    'transaction.debitWords',
    'balance.value',
  ];
  const ofFailures = [
    'envelope.code',
    'errors.message',
    'errors.fields',
    'errors.refusalStatuses',
    'errors.duplicateCodes',
  ];

  it.each([
    ['a Postman collection', decisions],
    ['OpenAPI with samples', decisions],
    ['OpenAPI with schemas', [...decisions, 'times.numbers', 'account.expiresAt', ...ofFailures]],
  ] as const)(
    'finds no wrong row of dialect three in %s, and leaves to a person what it does not say',
    async (kind, open) => {
      const { rows, differing } = await importDialect(startDialectThree, 'three', kind);
      expect(new Set(differing)).toEqual(new Set(open));
      expect(Object.keys(rows).filter((id) => differing.includes(id))).toEqual([]);
    },
  );

  /** What the titles and paths of dialect four do not say, and reads by POST, which nothing is taken for. */
  const openInFour =
    /^(?:listSettlementBanks|getSettlementBank|getCustomerBalance)\.|^(?:balance\.value|listCustomerTransactions\.type|updateCustomer\.emptySuccess|lists\.maxPageSize|errors\.duplicateCodes)$/;

  it.each([
    ['a Postman collection', ['service.contentType']],
    ['OpenAPI with samples', []],
  ] as const)(
    'finds no wrong row of dialect four in %s, and leaves to a person what it does not say',
    async (kind, open) => {
      const { rows, differing } = await importDialect(startDialectFour, 'four', kind);
      const { 'errors.statuses': statuses, ...others } = rows;
      const words = ['transaction.creditWords', 'transaction.debitWords'];
      expect(Object.keys(others).filter((id) => differing.includes(id))).toEqual(['times.zone', ...words]);
      expect(words.map((id) => others[id])).toEqual([expect.arrayContaining(['cr']), expect.arrayContaining(['dr'])]);
      expect(statuses).toEqual({ 'F-NONE': 404, 'F-TWICE': 409, 'F-FIELDS': 422 });
      const decided = ['money.unit', 'money.currency', 'status.words', 'times.zone', 'errors.statuses'];
      expect(new Set(differing.filter((id) => !openInFour.test(id)))).toEqual(new Set([...decided, ...words, ...open]));
    },
  );

  it.each(['a Postman collection', 'OpenAPI with samples'] as const)(
    'finds no wrong row of dialect five, whose fields stand two objects deep, in %s',
    async (kind) => {
      const { planted, imported, rows, comments, differing } = await importDialect(startDialectFive, 'five', kind);
      const bodies = ['createCustomer.body', 'updateCustomer.body'];
      const words = ['transaction.creditWords', 'transaction.debitWords'];
      expect(Object.keys(rows).filter((id) => differing.includes(id))).toEqual([...bodies, ...words]);
      expect(words.map((id) => imported[id])).toEqual([
        expect.arrayContaining(['inflow']),
        expect.arrayContaining(['outflow']),
      ]);
      expect(comments).toContain('createCustomer.body: # unsure: no property looks like reference, type');
      expect({ ...(imported[bodies[0] ?? ''] as object), reference: 'customer_code', type: 'segment' }).toEqual(
        planted[bodies[0] ?? ''],
      );
      expect(comments).toContain(
        'createCustomer.constants: # unsure: { /data/type: … } beside its fields, or added inputs with such a wire',
      );
    },
  );

  it.each(Object.keys(services) as (keyof typeof services)[])(
    'writes cases of the samples of %s that pass under its rows and hold no value of them, and extra rows that are rows',
    async (service) => {
      const [start, overrides] = services[service];
      const { rows, comments, starter } = await importService(start, overrides, toPostman);
      const money = Object.fromEntries(Object.entries(overrides).filter(([id]) => id.startsWith('money.')));
      const text = await starter();
      const cases = parseCases(text, 'cases.yaml', createContract());
      const results = await testCases(createContract({ ...rows, ...money }), cases);
      expect(results.filter(({ passed }) => !passed)).toEqual([]);
      expect(new Set(results.map(({ operation }) => operation)).size).toBeGreaterThanOrEqual(9);
      expect(text).not.toMatch(/ada-import|import-1|wal_0001|0123456788/);
      const extras = comments.filter((line) => line.startsWith('extra.'));
      const file = `version: 1\nrows:\n${extras.map((line) => `  ${line}\n`).join('')}`;
      expect(parseOverrides(extras.length === 0 ? 'version: 1' : file, 'extras.yaml').faults).toEqual([]);
    },
  );

  it('prints no example value, be it of an address, a header, a body, a parameter or an answer', async () => {
    const secret = 'planted-7';
    const result = await importRequests(
      request('Fetch Single Customer', 'GET', `/customers/${secret}`, {
        header: [{ key: 'SVCPRIVATEKEY', value: secret }],
        response: saved({ data: { id: secret, first_name: secret, shopCode: secret, [secret]: 1 } }),
      }),
      request('Create Customer', 'POST', '/customers/', {
        body: { mode: 'raw', raw: JSON.stringify({ first_name: secret, tier: secret, [secret]: 1 }) },
      }),
    );
    expect(result.operations.find(({ operation }) => operation === 'getCustomer')).toMatchObject({
      certainty: 'likely',
      path: '/customers/{id}',
    });
    expect(result.comments).toContain('extra.Customer.shopCode: { type: String, at: [/shopCode] }');
    expect(result.comments).toContain('extra.CreateCustomerInput.tier: { type: String, wire: tier }');
    expect(JSON.stringify(result) + printImport(result)).not.toMatch(/planted/);
  });

  it('reads a file as vendors write it: YAML, a circle, a wrong type, two servers, no samples, other names', async () => {
    const result = await importText(vendorYaml);
    expect(result.rows).toEqual({
      'service.prefix': '/v2',
      'createCustomer.path': '/clients',
      'createCustomer.body': expect.objectContaining({ firstName: 'givenName', phone: 'msisdn', email: 'email' }),
      'createCustomer.required': ['email', 'firstName'],
      'createCustomer.constants': { channel: 'api' },
      'updateCustomer.body': expect.objectContaining({ firstName: 'givenName', phone: 'msisdn', email: 'email' }),
      'listCustomers.path': '/clients',
      'lists.page': 'page_number',
      'lists.firstPage': 0,
      'lists.perPage': 'size',
      'lists.maxPageSize': 50,
      'listCustomers.search': 'q',
      'createCustomerOneTimeAccount.path': '/clients/{id}/one-time-accounts',
      'createCustomerOneTimeAccount.amountAs': 'number',
      'lists.records': ['/result/rows'],
      'customer.firstName': ['/givenName'],
    });
  });

  it('says of an extra field that holds its own record that its type is a guess', async () => {
    const { comments } = await importText(vendorYaml);
    expect(comments).toContain(
      'extra.Customer.parent: { type: String, at: [/parent] }  # unsure: the file shows no value of it',
    );
  });

  it.each([
    ['currencyCode', {}, 'carried by: balance'],
    ['currency', {}, 'carried by: balance'],
    ['exchange', {}, 'no record carries one'],
  ])(
    'finds the currency of an amount, here at %s, and leaves the service’s to a person',
    async (name, row, carried) => {
      const schema = { properties: { availableBalance: { type: 'number' }, [name]: { type: 'string' } } };
      const responses = { 200: { content: { 'application/json': { schema } } } };
      const { rows, comments } = await importOpenApi({ paths: { '/customers/{id}/balance': { get: { responses } } } });
      expect(rows).toEqual({ 'balance.value': ['/availableBalance'], ...row });
      expect(comments).toContain(`money.currency: # to decide: a three-letter ISO 4217 code; ${carried}`);
    },
  );

  it('reads the forms of samples: times and accounts as numbers, a status without words, a wallet inside, a wrapped body', async () => {
    const record = {
      id: 'c1',
      first_name: 'Ada',
      last_name: 'Example',
      status: true,
      created_at: 1_767_225_600,
      wallet: { balance: 5000, currency: 'NGN' },
    };
    const account = { id: 'a1', account_number: 123_456_789, bank_code: 58, bank_name: 'Demo' };
    const answer = (data: unknown) => ({ response: saved({ success: true, data }) });
    const raw = JSON.stringify({ customer: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' } });
    const { rows, comments, yaml } = await importRequests(
      request('Fetch Single Customer', 'GET', '/customers/:id', answer(record)),
      request('Create Customer', 'POST', '/customers/', { body: { mode: 'raw', raw } }),
      request('Customer Virtual Accounts', 'GET', '/customers/:id/virtual-accounts', answer([account])),
    );
    expect(rows).toEqual({
      'times.numbers': 'seconds',
      'createCustomer.wrapper': 'customer',
      'customer.balance': ['/wallet'],
    });
    for (const row of ['accountNumber.digits', 'bankCode.digits', 'status.words', 'money.unit'])
      expect(comments.filter((line) => line.startsWith(`${row}: # to decide`))).toHaveLength(1);
    expect(comments).toContain(
      'money.unit: # to decide: major or minor; amounts are of type number, none with decimals',
    );
    expect(parseOverrides(yaml, 'written.yaml').faults).toEqual([]);
  });

  it('leaves open what two operations claim, what its path and its name say differently, and what no row can say', async () => {
    const { operations, rows } = await importRequests(
      request('Fetch Balance', 'GET', '/customers/:id/balance'),
      request('Fetch Balance of a wallet', 'GET', '/customers/:id/wallets/balance'),
      request('Create Customer Virtual Account', 'POST', '/customers/:id/one-time-accounts'),
      request('Fetch Customer Transactions', 'GET', '/merchants/:merchant/customers/:id/transactions'),
      request('Block Customer', 'POST', '/customers/:id/block'),
    );
    const of = (name: string) => operations.find(({ operation }) => operation === name)?.certainty;
    const open = ['getCustomerBalance', 'createCustomerOneTimeAccount', 'listCustomerTransactions', 'updateCustomer'];
    expect(open.map(of)).toEqual(['unsure', 'unsure', 'unsure', 'missing']);
    expect(Object.keys(rows)).toEqual([]);
  });

  it.each([
    ['GET', '/settlements', 'List settlements'],
    ['GET', '/customer-groups', 'List customer groups'],
    ['GET', '/customers/:id/transaction-limits', 'Limits'],
    ['GET', '/customers/:id/login-history', 'Login history'],
    ['GET', '/customers/:id/loan/balance', 'Balance of a loan'],
    ['GET', '/transactions/:id', 'Get transaction'],
    ['GET', '/wallets/:id/balance', 'Get balance'],
    ['POST', '/dedicated_account', 'Create dedicated virtual account'],
  ])('takes no operation for one of the thirteen that only sounds so: %s %s', async (method, path, name) => {
    const { operations, rows } = await importRequests(request(name, method, path, {}, ''));
    expect(operations.filter(({ path: found }) => found !== undefined)).toEqual([]);
    expect(rows).toEqual({});
  });

  it('finds the settlement bank in two segments, beside what only sounds so', async () => {
    const paths = ['banks/settlement', 'banks/settlement/:id', 'settlements', 'wallets/:id/balance'];
    const { rows } = await importRequests(...paths.map((path) => request('Read', 'GET', `/v2/${path}`, {}, '')));
    expect(rows).toEqual({
      'service.prefix': '/v2',
      'listSettlementBanks.path': '/banks/settlement',
      'getSettlementBank.path': '/banks/settlement/{id}',
    });
  });

  it('reads a media type, a flag, pages from 0 and names with the record’s own in front', async () => {
    const answer = (body: unknown) => ({ 200: { content: { 'application/json': { example: body } } } });
    const properties = { firstName: { type: 'string' }, customerEmail: { type: 'string' } };
    const record = { id: 'c1', firstName: 'Ada', customerEmail: 'ada@example.com', points: 12 };
    const post = {
      requestBody: { content: { 'application/vnd.api+json; charset=utf-8': { schema: { properties } } } },
      responses: answer({ requestSuccessful: true, data: record }),
    };
    const page = { content: [record], totalElements: 1, pageable: { pageNumber: 0 } };
    const get = {
      parameters: [{ in: 'query', name: 'page' }],
      responses: answer({ requestSuccessful: true, data: page }),
    };
    const { rows, comments } = await importOpenApi({ paths: { '/customers/': { get, post } } });
    expect(rows).toEqual({
      'service.contentType': 'application/vnd.api+json',
      'createCustomer.body': expect.objectContaining({ email: 'customerEmail', firstName: 'firstName' }),
      'updateCustomer.body': expect.objectContaining({ email: 'customerEmail', firstName: 'firstName' }),
      'envelope.success': ['/requestSuccessful'],
      'lists.records': ['/data/content'],
      'lists.currentPage': ['/data/pageable/pageNumber'],
      'lists.firstPage': 0,
      'customer.firstName': ['/firstName'],
      'customer.email': ['/customerEmail'],
    });
    expect(comments).toContain('extra.Customer.points: { type: Decimal, at: [/points] }');
  });

  it('reads the parameters of an address that is one text, and names a field that may tell the direction', async () => {
    const record = { id: 't1', type: 'transfer', amount: '1', entry_type: 'credit' };
    const response = saved({ success: true, data: [record] });
    const url = '{{base_url}}/api/v1/customers/:id/transactions?page=1&size=20&from=planted';
    const { rows, comments } = await importRequests({
      name: 'Transactions',
      request: { method: 'GET', url },
      response,
    });
    expect(rows).toEqual({ 'lists.perPage': 'size' });
    expect(comments).toContain(
      'transaction.direction: # unsure: [/entry_type], perhaps, if transaction.creditWords and transaction.debitWords have its words',
    );
    expect(comments).toContainEqual(expect.stringMatching(/^extra\.Customer\.transactions\.from: /));
    expect(comments.join()).not.toMatch(/planted/);
  });

  it.each([
    ['a text', '{{base_url}}/api/v1/customers?page=0&size=5'],
    ['parts', { path: ['api', 'v1', 'customers'], query: [{ key: 'page', value: '0' }, { key: 'size' }] }],
  ])('counts pages from 0 where an address asks for that page: %s', async (_, url) => {
    const { rows } = await importRequests({ name: 'List customers', request: { url } });
    expect(rows).toMatchObject({ 'lists.perPage': 'size', 'lists.firstPage': 0 });
  });

  it('takes the index of a page for its number, and for no filter', async () => {
    const url = '{{base_url}}/api/v1/customers?PageIndex=0&PageSize=5';
    const { rows, comments } = await importRequests({ name: 'List customers', request: { url } });
    expect(rows).toEqual({
      'listCustomers.path': '/customers',
      'lists.page': 'PageIndex',
      'lists.perPage': 'PageSize',
      'lists.firstPage': 0,
    });
    expect(comments.join()).not.toContain('PageIndex');
  });

  const isUnsure =
    'identifiers.inBody: # unsure: number, perhaps: some in the file are texts, variables without quotes, or numbers of more than 15 digits';

  it.each([
    ['42', '43', 'number', false],
    ['"42"', '"43"', undefined, false],
    ['"{{customer}}"', '"{{bank}}"', undefined, false],
    ['42', '"43"', undefined, true],
    ['42', '9007199254740992', undefined, true],
    ['{{customer}}', '{{bank}}', undefined, true],
  ])('reads whether identifiers in bodies are numbers: %s and %s', async (customer_id, bank_id, form, isAsked) => {
    const writes = [
      ['Update Customer', '/customers/update', `{"customer_id":${customer_id},"first_name":"Ada"}`],
      ['Update Settlement Bank', '/settlement-banks/update', `{"bank_id":${bank_id},"name":"Main"}`],
    ] as const;
    const items = writes.map(([name, path, raw]) => request(name, 'POST', path, { body: { mode: 'raw', raw } }));
    const { rows, comments } = await importRequests(...items);
    expect(rows).toMatchObject({
      'updateCustomer.idInBody': 'customer_id',
      'updateSettlementBank.idInBody': 'bank_id',
    });
    expect(rows['identifiers.inBody']).toBe(form);
    expect(comments.includes(isUnsure)).toBe(isAsked);
  });

  it.each(['Idempotency-Key', 'X-Idempotent-Key'])(
    'takes %s for the key of each write, and for no credential',
    async (name) => {
      const parameters = [{ in: 'header', name, required: true }];
      const paths = { '/api/v1/customers/': { post: { parameters } } };
      const openApi = await importOpenApi({ paths });
      const header = [{ key: name, value: '{{$guid}}' }];
      const postman = await importRequests(request('Create Customer', 'POST', '/customers/', { header }));
      for (const { rows, privateKeyHeader } of [openApi, postman])
        expect([rows, privateKeyHeader]).toEqual([{ 'writes.idempotencyHeader': name }, undefined]);
    },
  );

  it('lists a header and a parameter that are required and never sent, and takes the servers of a path', async () => {
    const parameters = [
      { in: 'header', name: 'X-Merchant', required: true },
      { in: 'query', name: 'currency', required: true },
    ];
    const paths = {
      '/customers/{id}/balance': { servers: [{ url: 'https://api.example.com/v7' }], get: { parameters } },
    };
    const { rows, notes } = await importOpenApi({ servers: [{ url: '/v1' }], paths });
    expect(rows).toEqual({ 'service.prefix': '/v7' });
    expect(notes.map(({ why }) => why)).toEqual(
      expect.arrayContaining([
        'requires a header that the gateway does not send',
        'requires a parameter that the gateway does not send',
      ]),
    );
  });

  it('takes no list of errors for the records, nor an empty list beside one with records', async () => {
    const response = saved({ success: true, errors: [], notes: [], result: [{ id: 'c1', first_name: 'Ada' }] });
    const { rows } = await importRequests(request('List Customers', 'GET', '/customers/', { response }));
    expect(rows).toMatchObject({ 'lists.records': ['/result'] });
  });

  it('takes no field of another record inside a record', async () => {
    const client = { id: 'c2', email: 'ada@example.com', external_reference: 'r' };
    const data = { id: 'c1', first_name: 'Ada', last_name: 'Example', guardian: client, profile: { mobile: '0' } };
    const response = saved({ success: true, data });
    const item = request('Fetch Single Customer', 'GET', '/customers/:id', { response });
    const { rows, comments } = await importRequests(item);
    expect(rows).toEqual({ 'customer.phone': ['/profile/mobile'] });
    expect(comments).toContainEqual(expect.stringMatching(/^customer\.\w+: # unsure: no field .*reference, .*email/));
  });

  it('ends on bodies whose quotes and comments never close', async () => {
    for (const part of ['/*', '"', '"\\', '// ', '{{', ',  ']) {
      const body = { mode: 'raw', raw: `{${part.repeat(200_000)}` };
      const item = request('Create Customer', 'POST', '/customers', { body });
      await expect(importRequests(item)).resolves.toBeDefined();
    }
  });

  const hostile: readonly [name: string, text: string, outcome: RegExp][] = [
    ['nothing', '', /found an empty file; allowed: OpenAPI/],
    ['OpenAPI 2.0', '{"swagger": "2.0", "paths": {}}', /allowed: OpenAPI 3\.0 or 3\.1/],
    [
      'blocks of depth 1,000 in YAML',
      Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      /at most 100 levels/,
    ],
    ['7 MB of YAML', `openapi: 3.1.0\n${'# padding\n'.repeat(700_000)}`, /at most \d+ bytes of YAML/],
    [
      'objects of depth 50,000 in JSON',
      JSON.stringify(openApi('deep')).replace('"deep"', () => `${'{"items":'.repeat(50_000)}{}${'}'.repeat(50_000)}`),
      /and 1000 levels/,
    ],
    ['21 MB', ' '.repeat(21 * 1024 * 1024), /at most 20971520 bytes/],
  ];
  it.each(hostile)('refuses %s with a clear fault', async (_, text, outcome) => {
    await expect(importText(text)).rejects.toThrow(outcome);
  });

  it('ends on a reference of 10 MB that thousands of operations share', async () => {
    const get = { responses: { 200: { $ref: '#/components/responses/long' } } };
    const paths = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`/customers/{id}/${index}`, { get }]),
    );
    const responses = { long: { $ref: `#${'/a'.repeat(5_000_000)}` } };
    const { notes } = await importOpenApi({ paths, components: { responses } });
    expect(notes).toContainEqual(expect.objectContaining({ why: '$ref leads to nothing' }));
  });

  it('reads nothing outside the file that a reference names', async () => {
    const asked: string[] = [];
    const { url, close } = await startUpstream(({ path }) => {
      asked.push(path);
      return success({ type: 'string' });
    });
    onTestFinished(close);
    const outside = join(await temporaryFolder(), 'outside.json');
    writeFileSync(outside, '{"enum": ["planted"]}');
    const references = [`${url}/a.json`, `file://${outside}`, outside, `${outside}#/enum`];
    const schema = { properties: Object.fromEntries(references.map(($ref, index) => [`field${index}`, { $ref }])) };
    const { notes, ...result } = await importOpenApi(openApi(schema));
    expect(notes).toContainEqual(expect.objectContaining({ why: '$ref leads out of the file; it is not followed' }));
    expect([asked, JSON.stringify(result)]).toEqual([[], expect.not.stringContaining('planted')]);
  });

  const odd: readonly [name: string, document: object, notes: RegExp][] = [
    ['references that lead away', openApi({ $ref: 'http://127.0.0.1:9/x.json' }), /leads out of the file/],
    ['references to other files', openApi({ $ref: '../../etc/passwd' }), /leads out of the file/],
    ['a reference to itself', openApi({ $ref: '#/components/schemas/Loop' }), /leads in a circle/],
    ['a record that holds itself', openApi({ $ref: '#/components/schemas/Node' }), /no list of records/],
    ['a type that there is not', openApi({ type: 'strng' }), /does not know/],
    ['numbers for objects', { paths: { '/customers': 7, '/a': { get: 7 } }, servers: 7 }, /no path item/],
    ['schemas of depth 400', openApi(nested(400)), /./],
  ];
  it.each(odd)('lists %s by place', async (_, document, notes) => {
    const result = await importOpenApi(document);
    expect(result.notes.map(({ place, why }) => `${place}: ${why}`).join('\n')).toMatch(notes);
  });

  it('lets no name of a file end a comment of the written one', async () => {
    const name = 'x\n  money.unit: minor\n  # ';
    const header = { type: 'apiKey', in: 'header', name };
    const operation = { security: [{ key: [] }], parameters: [{ in: 'query', name }], responses: {} };
    const paths = {
      '/customers': { get: operation },
      [`/customers/{id}/balance`]: { get: {} },
      [`/${name}/customers/{id}/balance`]: { get: {} },
    };
    const { yaml } = await importOpenApi({ paths, components: { securitySchemes: { key: header } } });
    expect(yaml).toContain('money.unit: minor');
    const { overrides, faults } = parseOverrides(yaml, 'written.yaml');
    expect(faults).toEqual([]);
    expect(overrides).not.toHaveProperty('money.unit');
  });

  it('takes no prototype from a file', async () => {
    await importText(
      '{"openapi":"3.1.0","__proto__":{"planted":1},"paths":{"__proto__":{"get":{}},"/customers":{"get":{"parameters":[{"in":"query","name":"__proto__"}],"responses":{"__proto__":{},"200":{"content":{"application/json":{"example":{"data":[{"__proto__":{"planted":1},"constructor":1}]}}}}}}}}}',
    );
    expect(({} as Record<string, unknown>)['planted']).toBeUndefined();
  });

  it('reads 5 MB of thousands of operations, and 5 MB of one record', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`/things-${index}/{id}`, { get: { summary: 'x'.repeat(200) } }]),
    );
    const wide = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`field${index}`, { type: 'string', description: 'x'.repeat(80) }]),
    );
    expect(isComplete(await importOpenApi({ paths }))).toBe(false);
    expect(isComplete(await importOpenApi(openApi({ properties: wide })))).toBe(false);
  });

  it('ends with 1 where something is missing, writes what it prints, and fails where the file cannot be read', async () => {
    const folder = await temporaryFolder();
    const [file, written] = [join(folder, 'api.json'), join(folder, 'contract.yaml')];
    writeFileSync(file, JSON.stringify(collection([request('Customers List', 'GET', '/clients')])));
    const [code, out] = await capture(() => importCommand([file, '--json', '--write', written]));
    const { rows } = JSON.parse(out) as Import;
    expect([code, rows]).toEqual([1, parseOverrides(readFileSync(written, 'utf8'), written).overrides]);
    await expect(importCommand([join(folder, 'absent.json')])).rejects.toThrow(
      /absent\.json: cannot be read \(ENOENT\)/,
    );
  });
});

function collection(item: readonly unknown[]): unknown {
  return { info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' }, item };
}

const importRequests = (...items: readonly unknown[]) => importText(JSON.stringify(collection(items)));

const importOpenApi = (document: object) => importText(JSON.stringify({ openapi: '3.1.0', ...document }));

function request(
  name: string,
  method: string,
  path: string,
  { response = [], ...rest }: { readonly response?: readonly unknown[]; readonly [key: string]: unknown } = {},
  prefix = '/api/v1',
): unknown {
  return { name, request: { method, url: { raw: `{{base_url}}${prefix}${path}` }, ...rest }, response };
}

/** A saved response of HTTP 200. */
function saved(body: unknown): readonly unknown[] {
  return [{ name: 'Done', code: 200, body: JSON.stringify(body) }];
}

/** A list of customers whose answer has this schema. */
function openApi(schema: unknown): object {
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const node = {
    properties: { child: { $ref: '#/components/schemas/Node' }, other: { $ref: '#/components/schemas/Node' } },
  };
  return {
    openapi: '3.0.3',
    paths: { '/customers': { get: { responses } } },
    components: { schemas: { Loop: { $ref: '#/components/schemas/Loop' }, Node: node } },
  };
}

function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => ({ properties: { data: inner } }), {});
}

const vendorYaml = `
openapi: 3.0.3
servers: [{ url: 'https://api.example.com/v2' }, { url: 'https://sandbox.example.com/v2' }]
security: [{ key: [] }]
paths:
  /clients:
    get:
      summary: All clients
      parameters:
        - { in: query, name: page_number, schema: { type: integer, minimum: 0 } }
        - { in: query, name: size, schema: { type: integer, maximum: 50 } }
        - { in: query, name: q, schema: { type: string } }
      responses:
        '200':
          content:
            application/json:
              schema:
                type: object
                properties:
                  result: { properties: { rows: { type: array, items: { $ref: '#/components/schemas/Client' } } } }
    post:
      summary: Register client
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [givenName, email, channel]
              properties:
                givenName: { type: string }
                email: { type: strng }
                msisdn: { type: string }
                channel: { type: string, enum: [api] }
                tier: { type: string }
      responses: { '201': { description: no sample } }
  /clients/{clientId}/one-time-accounts:
    post:
      summary: Create One-Time Account
      requestBody: { content: { application/json: { schema: { properties: { amount: { type: number } } } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: SVCPRIVATEKEY } }
  schemas:
    Client:
      properties:
        id: { type: string }
        givenName: { type: string }
        parent: { $ref: '#/components/schemas/Client' }
`;
