import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import type { Reply } from '../support/upstream.ts';

const balanceOf = '{ customer(id: "c1") { balance { value { amount } } } }';
const transactionsOf = '{ customer(id: "c1") { transactions { nodes { id } pageInfo { hasNextPage } } } }';

/** A customer, below which every read has this answer. */
async function ask(document: string, json: unknown, contract: Readonly<Record<string, unknown>> = {}) {
  const below: Reply = { json };
  const { gateway } = await startScripted(
    ({ path }) => (path.endsWith('/c1') ? { json: { success: true, result: '00', data: { id: 'c1' } } } : below),
    {
      contract,
    },
  );
  return query(gateway, document);
}

describe('the answer to a read', () => {
  const data = { balance: 0 };
  const byResult = { 'envelope.success': ['/result'], 'envelope.successValues': ['00'] };
  it.each<[name: string, body: unknown, contract?: Readonly<Record<string, unknown>>]>([
    ['an error flag', { error: true, message: 'Ledger down.', data }],
    ['an error flag beside a bare record', { error: true, ...data }],
    ['an error flag beside a bare record with an id', { id: 'request-1', error: true, ...data }],
    ['a negative flag in its data', { success: true, data: { success: false, ...data } }],
    ['a negative flag in its data, and none beside it', { data: { success: false, ...data } }],
    ['an error flag of a name of its own', { has_error: true, data }, { 'envelope.failure': ['/has_error'] }],
    ['two flags that contradict each other', { success: true, status: 'error', data }],
    ['a code of failure beside a positive flag', { success: true, code: 503, data }],
    ['errors beside its data', { errors: [{ message: 'Ledger down.' }], data }],
    ['an error named beside a positive flag', { success: true, error: 'Ledger down.', data }],
    ['errors equal to its message', { success: true, message: 'Down.', errors: 'Down.', data }],
    ['an error named beside a bare record', { error: 'Ledger down.', ...data }],
    ['a code of failure beside a bare record', { code: 503, ...data }],
    ['a currency that is an object', { success: true, data: { ...data, currencyCode: { iso: 'USD' } } }],
    ['an error named beside a value of success', { result: '00', error: 'Ledger down.', data }, byResult],
    [
      'entries of errors at the pointer of the message',
      { success: true, fault: [{ message: 'Down.' }], data },
      { 'errors.fields': ['/fault'], 'errors.message': ['/fault'] },
    ],
    ['an error of which one member says something', { success: true, error: { code: null, text: 'Down.' }, data }],
    ['errors beside a bare record', { errors: [{ message: 'Ledger down.' }], ...data }],
    ['a code and a message beside a bare record', { code: 503, message: 'Ledger down.', ...data }],
    ['errors beside a value of success', { result: '00', errors: [{ message: 'Ledger down.' }], data }, byResult],
    ['a value that is none of success', { result: '09', data }, byResult],
    ['a code of failure beside a value of success', { result: '00', code: 503, data }, byResult],
    ['errors beside a positive flag', { success: true, errors: { ledger: ['Down.'] }, data }],
    ['a second code of failure beside a positive flag', { success: true, code: 0, status_code: 503, data }],
    [
      'a negative flag beside a value of success',
      { result: '00', success: false, data },
      { 'envelope.success': ['/result', '/success'], 'envelope.successValues': ['00'] },
    ],
  ])('is no balance with %s', async (_, body, contract) => {
    const answer = await ask(balanceOf, body, contract);
    expect(answer.data.customer.balance).toBeNull();
    expect(codes(answer)).toHaveLength(1);
  });

  it.each<readonly [Record<string, unknown>, Record<string, unknown>]>([
    [{ status: 'failed' }, { 'envelope.success': ['/result', '/status'] }],
    [{ code: '401' }, { 'envelope.success': ['/result'], 'envelope.code': ['/result', '/code'] }],
  ])('is a bare record beside a value of success, whatever its own members: %j', async (own, contract) => {
    const rows = { ...contract, 'envelope.successValues': ['00'] };
    const answer = await ask('{ customer(id: "c2") { type } }', { result: '00', id: 'c2', type: 'w', ...own }, rows);
    expect(answer.data.customer).toEqual({ type: 'w' });
  });

  it.each<readonly [name: string, body: unknown]>([
    ['an error flag', { error: true, message: 'Down.', data: [] }],
    ...['unauthorized', 'Declined', 'processor_error', 'session-expired'].map((status): [string, unknown] => [
      `a flag of ${status}`,
      { status, message: 'No.', data: [] },
    ]),
    ['a success that is neither true nor false', { success: 'N', data: [] }],
    ['errors', { errors: [{ message: 'Down.' }], data: [] }],
  ])('is no empty list with %s', async (_, body) => {
    const answer = await ask(transactionsOf, body);
    expect(answer.data.customer.transactions).toBeNull();
    expect(codes(answer)).toHaveLength(1);
  });

  it.each([
    ['a status of 0', { success: true, status: 0, data: { balance: '1.00' } }],
    ['an error that is none', { success: true, error: 'None', data: { balance: '1.00' } }],
    ['an error of empty members', { success: true, error: { code: null, message: '' }, data: { balance: '1.00' } }],
    ['errors that are none by their text', { success: true, errors: 'null', data: { balance: '1.00' } }],
    ['empty errors', { success: true, error: null, errors: [], data: { balance: '1.00' } }],
    ['a spelling of its currency', { success: true, data: { balance: '1.00', currencyCode: 'ngn ' } }],
    ['a currency with a code', { success: true, data: { balance: '1.00', currencyCode: { code: 'NGN' } } }],
    ['a negative error flag', { error: false, data: { balance: '1.00' } }],
    ['a flag that is a yes', { success: 'Yes', data: { balance: '1.00' } }],
    ['a flag that is a Y', { success: 'Y', data: { balance: '1.00' } }],
    ['a flag that says neither', { status: 'pending', data: { balance: '1.00' } }],
    ['a sentence where its errors would be', { success: true, message: 'Here.', data: { balance: '1.00' } }],
  ])('is read beside %s', async (_, body) => {
    const answer = await ask(balanceOf, body, { 'errors.fields': ['/errors', '/message'] });
    expect([answer.data.customer.balance, answer.errors]).toEqual([{ value: { amount: '1.00' } }, []]);
  });
});

describe('a record beside its flag, without a wrapper', () => {
  const document = '{ customer(id: "c1") { firstName status balance { value { amount } } } }';
  const read = async (json: unknown) => {
    const { gateway } = await startScripted(() => ({ json }));
    const { data, errors } = await query(gateway, document);
    return { customer: data.customer, errors: errors.map(({ extensions }) => extensions) };
  };
  const own = { id: 'c1', first_name: 'Ada', balance: '5.00' };

  it.each([
    [{ success: true, message: 'OK', ...own, status: 'active' }, 'active'],
    [{ status: true, message: 'OK', ...own }, null],
  ])('is read as any other, and its flag is not its status: %j', async (json, status) => {
    const customer = { firstName: 'Ada', status, balance: { value: { amount: '5.00' } } };
    expect(await read(json)).toEqual({ customer, errors: [] });
  });

  it.each([
    ['envelope.data', { success: true, message: 'None.' }],
    ['envelope.data', { success: true, customer: own }],
    ['envelope.data', { success: true, data: null, ...own }],
    ['envelope.success', { success: true, code: 503, ...own }],
    ['envelope.success', { success: false, ...own }],
    ['customer.identifiedBy', { success: true, ...own, id: 'c2' }],
  ])('names %s where there is none, another one, or a failure: %j', async (row, json) => {
    const { customer, errors } = await read(json);
    expect(customer).toBeNull();
    expect(errors).toMatchObject([{ code: 'UPSTREAM_INVALID_RESPONSE', row }]);
  });

  it('is a balance without an id, too, and none where only the message is there', async () => {
    const balance = await ask(balanceOf, { status: 'success', message: 'OK', balance: '5.00' });
    expect(balance.data.customer.balance).toEqual({ value: { amount: '5.00' } });
    const none = await ask(balanceOf, { status: 'success', message: 'OK' });
    expect(none.errors).toMatchObject([{ extensions: { row: 'envelope.data' } }]);
  });
});

describe('a list of another customer', () => {
  it.each([
    ['transactions', 'transaction.customerId', 'listCustomerTransactions.records'],
    ['virtualAccounts', 'account.customerId', 'listCustomerVirtualAccounts.records'],
  ])('is refused where its records have a place of their own: %s', async (field, row, records) => {
    const contract = { [row]: ['/customer_id'], [records]: ['/data/own'] };
    const body = (customer: string) => ({ success: true, data: { own: [{ id: 'x1', customer_id: customer }] } });
    const document = `{ customer(id: "c1") { list: ${field} { nodes { id } } } }`;
    const own = await ask(document, body('c1'), contract);
    expect(own.data.customer.list.nodes).toEqual([{ id: 'x1' }]);
    const foreign = await ask(document, body('c2'), contract);
    expect(foreign.data.customer.list).toBeNull();
    expect(foreign.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row } }]);
  });
});

it.each([401, 404, 429, 503])(
  'a code %i beside a positive flag says nothing of the record or the credential',
  async (code) => {
    const { gateway } = await startScripted(() => ({ json: { success: true, code, data: { id: 'c1' } } }));
    const { data, errors } = await query(gateway, '{ customer(id: "c1") { id } }');
    expect(data.customer).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'envelope.success' } }]);
  },
);

it.each<readonly [status: number, code: string | undefined]>([
  [401, 'UNAUTHENTICATED'],
  [403, 'FORBIDDEN'],
  [404, undefined],
  [429, 'RATE_LIMITED'],
  [503, 'UPSTREAM_UNAVAILABLE'],
])('a flag of %i inside HTTP 200 means what it means as the status: %s', async (status, code) => {
  const { gateway } = await startScripted(() => ({ json: { status, message: 'No.' } }));
  const { data, errors } = await query(gateway, '{ customer(id: "c1") { id } }');
  expect([data.customer, errors.map(({ extensions }) => extensions['code'])]).toEqual([null, code ? [code] : []]);
});

it('a record flat beside its flag keeps a code and a status of its own, which beside empty data are the answer’s', async () => {
  const flat = { success: true, id: 'c1', code: '401', status: 'failed' };
  const { gateway } = await startScripted(
    ({ path }) => ({ json: path.endsWith('c1') ? flat : { data: null, code: '404' } }),
    { contract: { 'envelope.data': ['/data', ''] } },
  );
  const { data, errors } = await query(gateway, '{ a: customer(id: "c1") { id status } b: customer(id: "c2") { id } }');
  expect([data, errors]).toEqual([{ a: { id: 'c1', status: 'failed' }, b: null }, []]);
});

it('a link of several relations is a sign of further pages', async () => {
  const body = { success: true, data: [{ id: 't1' }], links: [{ rel: ['next'], href: '/next' }] };
  const { errors } = await ask(transactionsOf, body, { 'listCustomerTransactions.pageStyle': 'none' });
  expect(errors).toMatchObject([{ extensions: { row: 'listCustomerTransactions.pageStyle' } }]);
});

it('a link whose relation is no text is no sign of further pages', async () => {
  const links = [{ rel: { toString: 1, valueOf: 1 }, href: '/next' }];
  const { data, errors } = await ask(transactionsOf, { success: true, data: [], links });
  expect([data.customer.transactions.nodes, errors]).toEqual([[], []]);
});
