import { describe, expect, it } from 'vitest';
import { createContract, type OperationName } from '../../src/contract/contract.ts';
import { isSuccess, type Sample } from '../../src/contract-tools/sample.ts';
import { proposeRows } from '../../src/contract-tools/propose.ts';
import { parseBody } from '../../src/upstream/index.ts';

const money = { 'money.unit': 'major', 'money.currency': 'NGN' };

const sampleOf = (operation: OperationName, body: unknown, more: Partial<Sample> = {}): Sample => ({
  operation,
  status: 200,
  headers: {},
  body: parseBody(Buffer.from(JSON.stringify(body))),
  ...more,
});

/** The rows that are proposed for samples, and the rows that are asked. */
function propose(samples: readonly Sample[], rows: Readonly<Record<string, unknown>> = {}) {
  const proposals = proposeRows(samples, createContract({ ...money, ...rows }));
  const taken = proposals.flatMap((proposal) => ('value' in proposal ? [[proposal.row, proposal.value]] : []));
  const asked = proposals.flatMap((proposal) => ('question' in proposal ? [[proposal.row, proposal.question]] : []));
  return { rows: Object.fromEntries(taken) as object, asked: Object.fromEntries(asked) as Record<string, string> };
}

const customer = (fields: object) => sampleOf('getCustomer', { data: { id: 'c1', ...fields } });
const transactions = (...records: readonly object[]) => sampleOf('listCustomerTransactions', { data: records });
const accounts = (...records: readonly object[]) => sampleOf('listCustomerVirtualAccounts', { data: records });
const refusal = (body: unknown, status: number, meaning = status) => sampleOf('getCustomer', body, { status, meaning });

describe('the fields of records', () => {
  it.each<readonly [string, Sample, object]>([
    [
      'under other usual names',
      customer({ givenName: 'Ada', ext_ref: 'r' }),
      { reference: '/ext_ref', firstName: '/givenName' },
    ],
    [
      'in parts of the record',
      customer({ profile: { surname: 'Obi' }, contact: { email: 'a@b.co' } }),
      { lastName: '/profile/surname', email: '/contact/email' },
    ],
    [
      'in attributes, whose kind is no type',
      sampleOf('getCustomer', { data: { type: 'customers', id: 'c1', attributes: { kind: 'x' } } }),
      { type: '/attributes/kind' },
    ],
    [
      'in a wrapper',
      sampleOf('listCustomers', { data: [{ customer: { id: 'c1', first_name: 'Ada' } }] }),
      { id: '/customer/id', firstName: '/customer/first_name' },
    ],
    ['with the name of their kind', customer({ client_reference: 'r' }), { reference: '/client_reference' }],
    ['not of a wallet, which has a state of its own', customer({ wallet: { state: 'open', code: 'w' } }), {}],
    ['not under another name where their own is null', customer({ reference: null, ref: 'r', status: 'x' }), {}],
    ['not of a guardian', customer({ guardian: { surname: 'Obi', mobile: '+2340' } }), {}],
  ])('are found %s', (_, sample, places) => {
    const expected = Object.entries(places).map(([field, place]) => [`customer.${field}`, [place]]);
    expect(propose([sample]).rows).toEqual(Object.fromEntries(expected));
  });

  it('keep a place that reads other records', () => {
    const listed = sampleOf('listCustomers', { data: [{ id: 'c1', givenName: 'Ada' }] });
    expect(propose([listed, customer({ first_name: 'Ada' })]).rows).toEqual({});
    expect(propose([customer({ first_name: 7 }), listed]).rows).toEqual({ 'customer.firstName': ['/givenName'] });
  });

  it('are asked for where two places fit as well', () => {
    const { rows, asked } = propose([customer({ profile: { email: 'a@b.co' }, contact: { email: 'c@d.co' } })]);
    expect([rows, asked]).toEqual([
      {},
      { 'customer.email': 'a pointer, if one of these is meant: /profile/email, /contact/email' },
    ]);
  });

  it('are no wallet of the customer in place of the one that it is tied to', () => {
    const { rows, asked } = propose([customer({ walletId: 'w1' })]);
    expect([rows, asked['customer.collectionWalletId']]).toEqual([{}, expect.stringContaining('/walletId')]);
  });

  it.each(['uuid', 'account_id', 'virtual_account_id'])('have %s as their id before a number', (name) => {
    const records = ['a1', 'a2'].map((id) => ({ [name]: id, account_number: '0000000000' }));
    expect(propose([accounts(...records)]).rows).toEqual({ 'account.id': [`/${name}`] });
  });

  it.each(['05', '0000'])('have no code of the answer as their id: %s', (code) => {
    const { rows, asked } = propose([sampleOf('listCustomers', { data: [{ code, handle: 'x7' }] })]);
    expect([rows, asked['customer.id']]).toEqual([{}, expect.stringContaining('/handle')]);
  });

  it('are told apart from no explicit empty row', () => {
    const told = [
      sampleOf('getCustomer', { ok: true, data: { id: 'c1', phoneNumber: '+2340' } }),
      refusal({ ok: false, message: 'no' }, 404),
    ];
    expect(propose(told, { 'customer.phone': [], 'envelope.success': [] }).rows).toEqual({});
  });
});

describe('money', () => {
  it('is an amount, or an object of an amount and its currency, under a usual name', () => {
    const nested = transactions({
      id: 't1',
      money: { amount: 5, currency: 'NGN' },
      amount: { value: 5, currency: 'NGN' },
    });
    expect(propose([nested]).rows).toEqual({ 'transaction.amount': ['/amount/value'] });
  });

  it('is no fee, and no currency is an object', () => {
    const { rows, asked } = propose([
      transactions({ id: 't1', sum: 9, fee: { amount: 1, currency: { code: 'NGN' } } }),
    ]);
    expect([rows, asked]).toEqual([{}, {}]);
  });

  it('in a list by currency is asked for', () => {
    const balance = sampleOf('getCustomerBalance', { available: [{ amount: 5, currency: 'NGN' }] });
    expect(propose([balance]).asked['balance.value']).toContain("['/available/[currency=NGN]/amount']");
  });

  it.each([
    ['major, perhaps: amounts have decimals', '5.50', '7.00'],
    ['minor, perhaps: every amount seen is a whole number', 550, 700],
    [
      'balance.unit major, perhaps: amounts have decimals; transaction.unit minor, perhaps: every amount seen is a whole number',
      '5.50',
      700,
    ],
  ])('is left to a person: %s', (question, balance, amount) => {
    const samples = [sampleOf('getCustomerBalance', { balance }), transactions({ id: 't1', amount })];
    const { asked } = propose(samples, { 'money.unit': null, 'money.currency': null });
    expect([asked['money.unit'], asked['money.currency']]).toEqual([question, 'an ISO 4217 code such as NGN']);
  });

  it('is asked about where amounts have commas, surplus zeros or both signs', () => {
    const samples = [transactions({ id: 't1', amount: '1,057.60' }, { id: 't2', amount: '-5.0000' })];
    const { asked } = propose(samples);
    expect(asked).toMatchObject({ 'money.texts': 'add zeros, if amounts are meant so' });
    expect(asked).toHaveProperty(['transaction.sign']);
    const rows = { 'money.texts': ['thousands', 'zeros'], 'transaction.sign': 'both' };
    expect(Object.keys(propose(samples, rows).asked)).not.toEqual(expect.arrayContaining(['money.texts']));
  });

  it('is what stands in columns of the contract’s words, where there is one for each direction', () => {
    const of = (fields: object) => propose([transactions({ id: 't1', ...fields })]).rows;
    expect(of({ credit: 0, debit: '5.00' })).toEqual({ 'transaction.amount': ['/debit', '/credit'] });
    expect(of({ sums: { Debit: null, Credit: 5 } })).toEqual({ 'transaction.amount': ['/sums/Debit', '/sums/Credit'] });
    expect([of({ debit: '5.00' }), of({ debit: 5, credit: 0, amount: 5 })]).toEqual([{}, {}]);
  });

  it.each<[what: string, fields: object, rows: object]>([
    ['flags', { debit: true, credit: false }, {}],
    ['flags beside an amount', { debit: 1, credit: 0, txn_amount: 500 }, { 'transaction.amount': ['/txn_amount'] }],
    ['account numbers', { debit: '0123456789', credit: null }, {}],
    ['both sides of an entry', { debit: 1234, credit: 4321 }, {}],
    ['the sides as objects', { debit: { id: 'a1' }, credit: { id: 'a2' } }, {}],
  ])('is not what stands there as %s', (_, fields, rows) => {
    expect(propose([transactions({ id: 't1', ...fields })]).rows).toEqual(rows);
  });

  it('in the minor unit of a currency that has none is asked for its decimals', () => {
    const rows = { 'money.unit': 'minor', 'money.currency': 'XOF' };
    const samples = [transactions({ id: 't1', amount: 50000 })];
    expect(propose(samples, rows).asked['money.minorDigits']).toContain('every amount seen ends in 00');
    expect(propose(samples, { ...rows, 'money.minorDigits': 2 }).asked).toEqual({});
  });

  it('inside a customer is named, and taken where its own read is not there', () => {
    const holder = customer({ wallet: { balance: '5.00' }, virtual_accounts: [{ id: 'a1' }] });
    const missing = sampleOf('getCustomerBalance', {}, { status: 404 });
    expect(propose([holder]).asked).toMatchObject({ 'customer.balance': expect.stringContaining('/wallet') });
    expect(propose([holder, missing]).rows).toEqual({ 'customer.balance': ['/wallet'] });
    expect(propose([holder]).asked).toHaveProperty(['customer.virtualAccounts']);
  });
});

describe('the customer that records name', () => {
  const of = (operation: OperationName, record: object) =>
    sampleOf(operation, { data: [record] }, { id: 'customer-1' });

  it('is taken from transactions, and asked for accounts, since one-time accounts need not name it', () => {
    const entry = of('listCustomerTransactions', { id: 't1', amount: '1.00', owner: 'customer-1' });
    const account = of('listCustomerVirtualAccounts', { id: 'a1', owner: 'customer-1' });
    const { rows, asked } = propose([entry, account]);
    expect(rows).toEqual({ 'transaction.customerId': ['/owner'] });
    expect(asked['account.customerId']).toBe('[/owner], if one-time accounts have it, too');
  });
});

describe('the form of values', () => {
  it.each<readonly [string, object, object, readonly string[]]>([
    ['seconds', { created_at: 1_767_225_600 }, { 'times.numbers': 'seconds' }, []],
    ['a time without a zone', { created_at: '2026-01-31 09:30:00' }, {}, ['times.zone']],
    ['a time with its day in front', { created_at: '31/01/2026 09:30:00Z' }, { 'times.form': 'DD/MM/YYYY' }, []],
    ['a time whose day may be a month', { created_at: '10/01/2026 09:30:00Z' }, {}, ['times.form']],
    ['a time in words', { created_at: 'Sat, 31 Jan 2026 09:30:00 GMT', updated_at: '2026-01-31T09:30Z' }, {}, []],
    ['a zero', { created_at: '0001-01-01T00:00:00' }, { 'times.none': ['0001-01-01T00:00:00'] }, ['times.zone']],
    ['a date in one form', { dob: '31/01/1990' }, { 'dates.form': 'DD/MM/YYYY' }, []],
    ['a date in two forms', { dob: '10/01/1990' }, {}, ['dates.form']],
    ['a status of 0 and 1', { status: 1 }, {}, ['status.words']],
    ['a flag as the status', { status: true }, {}, ['status.words']],
    ['a number in place of a text', { reference: 42 }, {}, ['texts.numbers']],
    ['a mark of deletion', { deleted_at: null }, {}, ['customer.deleted']],
    ['a flag of deletion', { deleted: false }, {}, ['customer.deleted']],
    ['a flag in place of the status', { is_active: true }, {}, ['customer.status', 'status.words']],
  ])('is a row, or a question: %s', (_, fields, rows, asked) => {
    const found = propose([customer(fields)]);
    expect([found.rows, Object.keys(found.asked)]).toEqual([rows, asked]);
  });

  it('asks how many digits a number has, and which words mean a direction', () => {
    const { rows, asked } = propose([
      accounts({ id: 'a1', account_number: 123_456_789, bank: { code: 58 } }),
      transactions({ id: 't1', amount: 1, type: 'inflow' }),
    ]);
    const words = ['transaction.creditWords', 'transaction.debitWords'];
    expect(rows).toEqual({ 'account.bankCode': ['/bank/code'] });
    expect(Object.keys(asked)).toEqual(['accountNumber.digits', 'bankCode.digits', ...words]);
  });

  it('offers the names of records for bodies', () => {
    const { asked } = propose([customer({ givenName: 'Ada' })]);
    expect(asked['createCustomer.body']).toBe('{ firstName: givenName }, if bodies are named as records are');
  });
});

describe('what stands round a record', () => {
  it.each<readonly [string, readonly Sample[], object]>([
    [
      'the record in an object',
      [sampleOf('getCustomer', { result: { id: 'c1', email: 'a@b.co' } })],
      { 'envelope.data': ['/result'] },
    ],
    [
      'the record in an object of its kind',
      [sampleOf('getCustomer', { data: { customer: { id: 'c1', email: 'a@b.co' } } })],
      { 'envelope.data': ['/data/customer', '/data'] },
    ],
    [
      'a flag beside its failure',
      [
        sampleOf('getCustomer', { status: 'success', data: { id: 'c1' } }),
        refusal({ status: 'error', message: 'no' }, 404),
      ],
      { 'envelope.success': ['/status'] },
    ],
    ['no flag: the status of a bare record', [sampleOf('getCustomer', { id: 'c1', status: 'ok' })], {}],
    [
      'a code inside HTTP 200',
      [sampleOf('getCustomer', { code: '00', data: { id: 'c1' } }), refusal({ code: '44', message: 'no' }, 200, 404)],
      { 'envelope.success': ['/code'], 'envelope.successValues': ['00'], 'errors.statuses': { 44: 404 } },
    ],
    [
      'a failure told by what is there',
      [sampleOf('getCustomer', { data: { id: 'c1' } }), refusal({ fault: { code: 'F1', text: 'no' } }, 200, 404)],
      {
        'envelope.code': ['/fault/code'],
        'errors.statuses': { F1: 404 },
        'envelope.failureKeys': ['/fault'],
        'errors.message': ['/fault/text'],
      },
    ],
    [
      'a sentence in a list of errors',
      [refusal({ errors: [{ code: 'none', detail: 'no' }] }, 404)],
      { 'envelope.code': ['/errors/0/code'], 'errors.message': ['/errors/0/detail'] },
    ],
    [
      'no sentence where a success has its record',
      [sampleOf('getCustomer', { detail: { id: 'c1', email: 'a@b.co' } }), refusal({ detail: 'no' }, 404)],
      { 'envelope.data': ['/detail'] },
    ],
    ['no code: a repetition of the HTTP status', [refusal({ status: 404, message: 'no' }, 404)], {}],
  ])('is found: %s', (_, samples, rows) => {
    expect(propose(samples).rows).toEqual(rows);
  });

  it('is asked for where a success differs in nothing that was seen from a failure', () => {
    const of = (more: object) => [
      sampleOf('getCustomer', { ...more, data: { id: 'c1' } }),
      sampleOf('getCustomerBalance', { ...more, data: { balance: '1.00' } }),
    ];
    expect(propose(of({ responseCode: 'APPROVED' }))).toEqual({
      rows: {},
      asked: { 'envelope.successValues': "add 'approved', if it means success: every success has it" },
    });
    expect(propose(of({ code: '00' })).asked).toHaveProperty(['envelope.success']);
    expect(propose(of({ requestSuccessful: true, statusCode: 200 }))).toEqual({ rows: {}, asked: {} });
  });

  it('is no failure by a flag of success', () => {
    const answered = refusal({ success: true, data: { id: '' } }, 200, 404);
    expect(propose([sampleOf('getCustomer', { success: true, data: { id: 'c1' } }), answered]).rows).toEqual({});
  });

  it('is asked for where one code stands for failures of several kinds', () => {
    const failures = [refusal({ code: 'E', message: 'no' }, 200, 404), refusal({ code: 'E', message: 'no' }, 200, 401)];
    expect(failures.some(isSuccess)).toBe(false);
    expect(propose(failures).asked).toHaveProperty(['errors.statuses']);
  });
});

describe('a status or a header', () => {
  const refused = (challenge: string, more: Partial<Sample> = {}) =>
    sampleOf('listSettlementBanks', null, { status: 401, headers: { 'www-authenticate': challenge }, ...more });

  it.each<[challenge: string, more: Partial<Sample>, scheme?: string]>([
    ['Basic realm="api"', {}, 'Basic'],
    ['Token', {}, 'Token'],
    ['Basic realm="api", Bearer', {}],
    ['Basic realm="api"', { meaning: 401 }],
    ['Basic realm="api"', { operation: 'listCustomers' }],
  ])('asks about the scheme of a bearer that was not provoked: %s, %j', (challenge, more, scheme = '') => {
    const { rows, asked } = propose([refused(challenge, more)]);
    expect(rows).toEqual({});
    expect(asked['service.bearerScheme'] ?? '').toMatch(RegExp(`^${scheme}`));
    expect('service.bearerScheme' in asked).toBe(scheme !== '');
  });

  it('is asked about where it may refine an answer', () => {
    const denied = refusal({ success: false, message: 'no' }, 403, 404);
    expect(propose([denied]).asked['errors.statuses']).toBe("{ '403': 404 }, if the status always means that");
    expect(propose([denied], { 'errors.statuses': { 403: 404 } }).asked).toEqual({});
    expect(propose([refusal({ code: 'E', message: 'no' }, 403, 404)]).asked['errors.statuses']).toContain(
      'other codes',
    );
    const accepted = sampleOf('createCustomer', { id: 'c1', status: 'pending' }, { status: 202 });
    expect(propose([accepted]).asked).toHaveProperty(['writes.acceptedStatuses']);
    expect(propose([accepted], { 'writes.acceptedStatuses': [202] }).asked).toEqual({});
  });

  const headers = { link: '</customers?page=2>; rel="next"', 'x-total-count': '31' };
  it.each<[what: string, body: unknown, rows: object]>([
    ['nothing', [{ id: 'c1' }], { 'lists.total': ['header:x-total-count'], 'lists.nextLink': ['header:link'] }],
    ['a total', { data: [{ id: 'c1' }], total: 31 }, { 'lists.nextLink': ['header:link'] }],
  ])('describes a list whose body says %s', (_, body, rows) => {
    const found = propose([sampleOf('listCustomers', body, { headers })]).rows;
    expect(found).toEqual(rows);
    expect(propose([sampleOf('listCustomers', body, { headers })], { ...found }).rows).toEqual({});
  });

  it.each([
    ['x-pagination-total-count', { 'lists.total': ['header:x-pagination-total-count'] }],
    ['x-pagination-count', {}],
    ['x-pagination', {}],
  ])('counts a list only by a name that says total, since a page has a count, too: %s', (name, rows) => {
    expect(propose([sampleOf('listCustomers', [{ id: 'c1' }], { headers: { [name]: '1' } })]).rows).toEqual(rows);
  });
});

describe('lists', () => {
  const listed = (body: unknown, operation: OperationName = 'listCustomers') => sampleOf(operation, body);
  const items = [{ id: 'c1' }, { id: 'c2' }];

  it.each<readonly [string, readonly Sample[], object]>([
    [
      'beside empty arrays and faults',
      [listed({ errors: [], messages: [{ text: 'x' }], result: items })],
      { 'lists.records': ['/result'] },
    ],
    [
      'under a name with a colon',
      [listed({ 'hydra:member': items, 'hydra:totalItems': 9 })],
      { 'lists.records': ['/hydra:member'], 'lists.total': ['/hydra:totalItems'] },
    ],
    [
      'in an answer that is a list with its total',
      [listed([items, 45])],
      { 'lists.records': ['/0'], 'lists.total': ['/1'] },
    ],
    [
      'of one list elsewhere than of the others',
      [listed({ data: items }), listed({ entries: [{ id: 't1', amount: 1 }] }, 'listCustomerTransactions')],
      { 'listCustomerTransactions.records': ['/entries'] },
    ],
    ['nowhere in an empty list', [listed({ errors: [], result: [] })], {}],
    [
      'with a flag under another name',
      [listed({ data: items, meta: { more: true } })],
      { 'lists.hasMore': ['/meta/more'] },
    ],
  ])('have their records %s', (_, samples, rows) => {
    expect(propose(samples).rows).toEqual(rows);
  });

  it.each<readonly [string, Partial<Sample> & { readonly body?: unknown }]>([
    ['unflagged', { body: { data: null } }],
    ['object', { body: { success: true, data: {} } }],
    ['noBody', { status: 204, body: undefined, bytes: Buffer.alloc(0) }],
    ['notFound', { status: 404, body: { success: false } }],
  ])('are asked about where none came: %s', (word, more) => {
    const { rows, asked } = propose([{ ...listed(null), ...more }]);
    expect([rows, asked['lists.empty']]).toEqual([{}, `add ${word}, if it means no record`]);
    const named = propose([{ ...listed(null), ...more }], { 'lists.empty': [word] });
    expect(named.asked).not.toHaveProperty(['lists.empty']);
  });

  it('are asked for where two arrays may be the records', () => {
    expect(propose([listed({ people: items, others: items })]).asked['lists.records']).toContain('/people, /others');
  });
});
