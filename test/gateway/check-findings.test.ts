import { describe, expect, it, onTestFinished } from 'vitest';
import { writeOverrides } from '../../src/commands/contract-check/report.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import {
  byRecord,
  checkRoutes,
  checkService,
  contradicted,
  customerPages,
  customers,
  findingOf,
  list,
  notThere,
  singleCustomer,
  written,
  type Route,
  pages,
} from '../support/check.ts';
import { pageOf, startUpstream, success, type Reply } from '../support/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

describe('a check of a write whose path names fields of its input', () => {
  it.each([
    ['createCustomerVirtualAccount', '/customers/{id}/wallets/{walletId}/accounts', 'CreateVirtualAccountInput'],
    ['createCustomerOneTimeAccount', '/wallets/{walletId}/accounts?of={id}', 'CreateOneTimeAccountInput'],
    ['createCustomer', '/wallets/{walletId}/customers/', 'CreateCustomerInput'],
  ])('leaves %s alone and sends nothing for it', async (name, path, input) => {
    const result = await checkRoutes([customerPages, singleCustomer], {
      [`${name}.path`]: path,
      [`extra.${input}.walletId`]: { type: 'ID', required: true },
    });
    expect(findingOf(result, `${name}.path`)).toMatchObject({
      state: 'not observable',
      why: 'its path needs a value of the input',
    });
    expect(result.calls.filter((line) => line.includes('{walletId}'))).toEqual([]);
  });
});

describe('a check of the message of a failure', () => {
  const problem = { title: 'Not found', status: 404 };
  const error = { error: { message: 'Not found' } };

  it.each([
    ['that the failure lacks in front of it', problem, ['/detail'], ['/detail', '/title']],
    ['where the failure has no text behind it', error, ['/error'], ['/error/message', '/error']],
    ['behind one without a text once', error, ['/error', '/error/message'], ['/error/message', '/error']],
  ])('keeps a pointer %s', async (_, json, stated, expected) => {
    const failing: Route = [/./, () => ({ status: 404, json })];
    const whole: Route = [/\/customers\/$/, () => success(customers)];
    const result = await checkRoutes([whole, customerPages, singleCustomer, failing], { 'errors.message': stated });
    expect(written(result)).toMatchObject({ 'errors.message': expected });
    expect(findingOf(await result.again(), 'errors.message').state).toBe('confirmed');
  });
});

describe('a check of a balance by currency', () => {
  it('chooses the entry of the decided currency as the service spells it', async () => {
    const balances = {
      available: [
        { amount: '2.00', currency: 'eur' },
        { amount: '1.00', currency: 'usd' },
      ],
    };
    const rows = { 'money.currency': 'USD', 'money.unit': 'major' };
    const result = await checkRoutes([customerPages, singleCustomer, [/\/balance$/, () => success(balances)]], rows);
    expect(written(result)).toMatchObject({ 'balance.value': ['/available/[currency=usd]/amount'] });
    expect(findingOf(await result.again(), 'balance.value').state).toBe('confirmed');
  });
});

describe('a check of further balances', () => {
  it('leaves them to a person, and asks no more once a row has them', async () => {
    const balance = { balance: '5.00', available_balance: '4.00', ledger: { ledger_balance: '5.00' } };
    const rows = { 'money.currency': 'NGN', 'money.unit': 'major' };
    const result = await checkRoutes([customerPages, singleCustomer, [/\/balance$/, () => success(balance)]], rows);
    expect(result.file).toMatch(/# balance\.available: .*\[\/available_balance\]/);
    expect(result.file).toMatch(/# balance\.ledger: .*\[\/ledger\/ledger_balance\]/);
    const mapped = { 'balance.available': ['/available_balance'], 'balance.ledger': ['/ledger/ledger_balance'] };
    expect(findingOf(await result.again({ ...rows, ...mapped }), 'balance.ledger').state).toBe('confirmed');
  });
});

describe('a check of where the records of a list stand', () => {
  const answerAt = (pathOf: (records: readonly unknown[]) => Rows, records: readonly unknown[] = customers): Route => [
    /\/customers\/(?:\?|$)/,
    () => ({ json: pathOf(records) }),
  ];
  const banksAt = (pathOf: (records: readonly unknown[]) => Rows): Route => [
    /\/settlement-banks\/(?:\?|$)/,
    () => ({ json: pathOf([{ id: 'b1' }, { id: 'b2' }]) }),
  ];
  const besideEmpty = (result: readonly unknown[]): Rows => ({ success: true, errors: [], messages: [], result });
  const besideObjects = (result: readonly unknown[]): Rows => ({
    success: true,
    messages: [{ text: 'Hello.' }],
    links: [{ url: '/' }],
    result,
  });

  it.each([
    ['empty arrays', {}, besideEmpty],
    ['the row that an empty array once was taken for', { 'lists.records': ['/errors'] }, besideEmpty],
    ['arrays of other objects', {}, besideObjects],
  ])('finds them beside %s', async (_, rows, pathOf) => {
    const result = await checkRoutes([singleCustomer, answerAt(pathOf), banksAt(pathOf)], rows);
    expect(findingOf(result, 'lists.records')).toMatchObject({ state: 'contradicted', seen: 'they stand at /result' });
    expect(written(result)).toMatchObject({ 'lists.records': ['/result'] });
    expect(findingOf(await result.again(), 'lists.records').state).toBe('confirmed');
  });

  it.each([
    ['at another place', {}, besideEmpty],
    ['at the place of the row', {}, (data: readonly unknown[]) => ({ success: true, errors: [], data })],
    ['at the place of a row that faults stand at', { 'lists.records': ['/errors'] }, besideEmpty],
    ['beside other objects', {}, besideObjects],
  ])('leaves the row alone where every list is empty, %s', async (_, rows, pathOf) => {
    const result = await checkRoutes([answerAt(pathOf, [])], rows);
    expect(findingOf(result, 'lists.records')).toMatchObject({ state: 'not observable', why: 'no record there' });
    expect(written(result)).toEqual(rows);
  });

  it.each([
    ['all lists, which the other one has empty', besideEmpty, 'lists.records'],
    [
      'one list, where the other has none there',
      (items: readonly unknown[]) => ({ items }),
      'listSettlementBanks.records',
    ],
  ])('takes the records of a second list for those of %s', async (_, pathOf, row) => {
    const result = written(await checkRoutes([answerAt(besideEmpty, []), banksAt(pathOf)]));
    expect(Object.keys(result).filter((id) => id.endsWith('.records'))).toEqual([row]);
  });

  it('confirms the own row of a list, and not the one of all lists', async () => {
    const result = await checkRoutes([singleCustomer, answerAt(besideEmpty)], { 'listCustomers.records': ['/result'] });
    expect(findingOf(result, 'listCustomers.records').state).toBe('confirmed');
    expect(findingOf(result, 'lists.records').state).toBe('not observable');
  });

  it.each([
    ['alone', {}],
    ['beside an empty list', { data: [] }],
  ])('never takes faults %s for records, and reads a list without parameters that are refused', async (_, others) => {
    const refusal: Reply = { json: { faults: [{ code: 'E7', text: 'Unknown parameter.' }], ...others } };
    const result = await checkRoutes([
      [/\?/, () => refusal],
      [/\/customers\/$/, () => ({ json: { faults: [], data: customers } })],
      [/\/customers\/c\d+$/, ({ path }) => ({ json: { faults: [], data: { id: path.split('/').at(-1) } } })],
      [/./, () => ({ json: { faults: [{ code: 'E8', text: 'There is none.' }] } })],
    ]);
    expect(written(result)).toMatchObject({ 'envelope.failureKeys': ['/faults'] });
    expect(findingOf(result, 'lists.records').state).toBe('confirmed');
    expect(findingOf(result, 'customer.id').state).toBe('confirmed');
    expect(written(result)).not.toHaveProperty('listCustomers.search');
  });
});

describe('a check of what one list shows of its pages', () => {
  type Sign = (page: readonly { readonly id: string }[], hasMore: boolean) => Rows;
  const flag: Sign = (_, hasMore) => ({ has_more: hasMore });
  const token: Sign = (page, hasMore) => ({ meta: { next_cursor: hasMore ? page.at(-1)?.id : null } });
  const nothing: Sign = () => ({});

  /** A list that is read by cursors, which are ids of its records. */
  const cursorPages = (target: RegExp, prefix: string, signs: Sign, largest: number): Route => {
    const all = Array.from({ length: 120 }, (_, index) => ({ id: `${prefix}${index + 1}` }));
    const answer = (page: readonly { readonly id: string }[], end: number, size: number) => {
      const data = page.slice(0, largest);
      return { success: true, data, ...signs(data, end - size + data.length < all.length) };
    };
    return list(target, all, byRecord('cursor'), 'limit', answer, 20);
  };
  const checkLists = (signsOfBanks: Sign, largestOfBanks: number, rows: Rows = {}) =>
    checkRoutes(
      [
        singleCustomer,
        cursorPages(/\/customers\/(?:\?|$)/, 'c', flag, 5),
        cursorPages(/\/settlement-banks\/(?:\?|$)/, 'b', signsOfBanks, largestOfBanks),
      ],
      rows,
    );
  const signRows = (rows: Rows): Rows =>
    Object.fromEntries(Object.entries(rows).filter(([id]) => /\.(?:cursorFrom|maxPageSize)$/.test(id)));
  const own = { 'listCustomers.cursorFrom': 'lastRecord', 'listCustomers.maxPageSize': 5 };

  it('leaves the own rows of a list as they are', async () => {
    const rows = { ...own, 'listCustomers.pageStyle': 'cursor', 'listSettlementBanks.pageStyle': 'cursor' };
    const result = await checkLists(token, 100, rows);
    expect(contradicted(result).filter((id) => /^list.*\.(?!path)/.test(id))).toEqual([]);
    expect(findingOf(result, 'listCustomers.maxPageSize').state).toBe('confirmed');
    expect(written(result)).toEqual(rows);
  });

  const byId = { 'lists.cursorFrom': 'lastRecord' };
  const byToken = { ...byId, 'listSettlementBanks.cursorFrom': 'answer' };

  it.each([
    ['the banks and the customers', 'a token', token, 100, { ...byToken, 'listCustomers.maxPageSize': 5 }],
    ['the banks', 'nothing', nothing, 100, { ...byId, 'listCustomers.maxPageSize': 5 }],
    ['all lists', 'the same', flag, 5, { ...byId, 'lists.maxPageSize': 5 }],
  ])('writes rows for the list of %s where the banks show %s', async (_, __, signs, largest, expected) => {
    const result = await checkLists(signs, largest);
    expect(signRows(written(result))).toEqual(expected);
    expect(contradicted(await result.again()).filter((id) => /\.(?:cursorFrom|maxPageSize)$/.test(id))).toEqual([]);
  });

  it('keeps a row for all lists where the one with tokens has a row of its own', async () => {
    const result = await checkLists(token, 5, { 'listSettlementBanks.cursorFrom': 'answer' });
    expect(written(result)).toMatchObject(byId);
  });
});

describe('a check of amounts that are objects', () => {
  const withAmount = (amount: Rows): Route => pages(/\/transactions\?/, [{ id: 't1', amount }]);

  it.each([
    ['/amount/value', { value: '12.00', currency: 'NGN' }],
    ['/amount/amount', { amount: 1200, currency: { code: 'NGN' } }],
  ])('finds the amount at %s', async (pointer, amount) => {
    const result = await checkRoutes([customerPages, singleCustomer, withAmount(amount)]);
    expect(findingOf(result, 'transaction.amount').seen).toBe(`it stands at ${pointer}`);
    expect(written(result)).toMatchObject({ 'transaction.amount': [pointer] });
    expect(findingOf(await result.again(), 'transaction.amount').state).toBe('confirmed');
  });

  it.each([
    ['several', { gross: '13.00', net: '12.00' }],
    ['none', { text: 'NGN 12.00' }],
  ])('leaves the pointer to a person where %s of their members are amounts', async (_, amount) => {
    const result = await checkRoutes([customerPages, singleCustomer, withAmount(amount)]);
    expect(findingOf(result, 'transaction.amount').seen).toBe(
      'a value of type object stands at /amount; a pointer into it could be read',
    );
    expect(result.file).toMatch(/^ {2}# transaction\.amount: {2}# to decide: a pointer into the object at \/amount/m);
    expect(written(result)).not.toHaveProperty('transaction.amount');
  });
});

describe('a check of single records of another shape than listed ones', () => {
  const person = { id: 'customer-1', first_name: 'Ada', email: 'ada@example.com' };
  const checkShapes = (listed: unknown, single: unknown) =>
    checkRoutes([
      [/\/customers\/(?:\?|$)/, () => success([listed])],
      [/\/customers\/customer-1$/, () => success(single)],
    ]);

  it.each([
    ['wrapped in the list', { customer: person }, '/customer/id', '/id'],
    ['edges in the list', { cursor: 'x', node: person }, '/node/id', '/id'],
    ['named by customer_id in the list', { ...person, id: undefined, customer_id: person.id }, '/customer_id', '/id'],
    ['in camel case in the list', { id: person.id, firstName: 'Ada' }, '/firstName', '/first_name'],
  ])('finds both places of what is %s', async (_, listed, place, ofSingle) => {
    const result = await checkShapes(listed, person);
    expect(Object.values(written(result))).toContainEqual([place, ofSingle]);
    const second = await result.again();
    expect(contradicted(second).filter((id) => id.startsWith('customer.'))).toEqual([]);
    expect(written(second)).toEqual(written(result));
  });

  it('contradicts an identifier that the single record does not have', async () => {
    const result = await checkShapes(person, { first_name: 'Ada', customer_number: 'customer-1' });
    expect(findingOf(result, 'customer.id').seen).toBe('the single record does not have it');
    expect(result.file).toMatch(/^ {2}# customer\.id: .* stand at \/customer_number$/m);
  });

  it('finds the one entry of a list in place of the record', async () => {
    const result = await checkShapes(person, [person]);
    expect(written(result)).toMatchObject({ 'envelope.data': ['/data/0', '/data'] });
    expect(result.file).not.toContain('# customer.identifiedBy');
    expect(contradicted(await result.again())).not.toContain('envelope.data');
  });
});

describe('a check of an address that is not known', () => {
  it('leaves the path or the prefix to a person', async () => {
    const result = await checkRoutes([]);
    const sentence = "listCustomers.path or service.prefix must be given from the service's documentation";
    expect(findingOf(result, 'listCustomers.path').seen).toContain(sentence);
    expect(result.file).toContain(`  # listCustomers.path:  # to decide: the address: ${sentence}\n`);
    expect(written(result)).toEqual({});
  });

  it('names them beside the row where the file states a path that does not answer', async () => {
    const result = await checkRoutes([], { 'listCustomers.path': '/clients' });
    expect(findingOf(result, 'listCustomers.path').seen).toContain(
      'listCustomers.path or service.prefix must be given',
    );
    expect(result.file).not.toContain('# listCustomers.path');
  });
});

describe('a check of writes by OPTIONS', () => {
  const everyMethod: Reply = { status: 204, headers: { allow: 'GET, POST, PUT, PATCH, DELETE' } };
  const checkOptions = async (answer: (path: string) => Reply) => {
    const upstream = await startUpstream(({ method, path }) => {
      if (method === 'OPTIONS') return answer(path);
      if (/\/customers\/\?/.test(path)) return pageOf(customers, path);
      return /\/customers\/c\d+$/.test(path) ? success({ id: path.split('/').at(-1) }) : notThere;
    });
    onTestFinished(upstream.close);
    return { ...(await checkService(upstream.url)), requests: upstream.requests };
  };
  const isCustomer = (path: string): boolean => /\/customers\/\w*$/.test(path);

  it('takes no answer for evidence that comes for a path that cannot exist, too', async () => {
    const result = await checkOptions(() => everyMethod);
    for (const row of ['createCustomer.path', 'updateCustomer.method', 'storeSettlementBank.path'])
      expect(findingOf(result, row)).toMatchObject({
        state: 'not observable',
        why: 'OPTIONS answers alike everywhere',
      });
    const elsewhere = result.requests.filter(({ method, path }) => method === 'OPTIONS' && /-check-\w/.test(path));
    expect(elsewhere).toHaveLength(1);
    expect(result.calls.length).toBeLessThanOrEqual(60);
  });

  it.each([
    ['another status', { ...everyMethod, status: 200 }],
    ['other methods', { status: 204, headers: { allow: 'GET' } }],
    ['a failure', notThere],
  ])('confirms a write where %s comes for a path that cannot exist', async (_, elsewhere) => {
    const result = await checkOptions((path) => [elsewhere, everyMethod][Number(isCustomer(path))] ?? elsewhere);
    expect(findingOf(result, 'createCustomer.path').state).toBe('confirmed');
    expect(findingOf(result, 'updateCustomer.method').state).toBe('confirmed');
  });

  it('says of an update by PUT what it may empty', async () => {
    const allow = (path: string): Reply => ({ status: 204, headers: { allow: isCustomer(path) ? 'GET, PUT' : 'GET' } });
    const { file } = await checkOptions(allow);
    expect(file).toMatch(
      /updateCustomer\.method:\n\s*# to decide: whether PUT empties what is not sent.*\n\s*value: PUT/,
    );
  });
});

describe('a written file of rows', () => {
  const choices = ['money.unit:  # to decide: major or minor', 'extra.Customer.tier: { type: Int, at: [/tier] }'];
  const inside = [
    'times.zone: # to decide: UTC',
    'errors.statuses: # unsure: more',
    'errors.statuses: # to decide: E2',
  ];
  const rows = { 'times.zone': 'undecided', 'errors.statuses': { E1: 404 } };

  it.each([
    ['no row', {}, choices],
    ['rows', rows, choices],
    ['rows with a choice of their own', rows, [...choices, ...inside]],
  ])('stays readable with all choices as comments, and with each as a row: %s', (_, overrides, comments) => {
    const text = writeOverrides(overrides, comments, 'contract check');
    const lines = text.split('\n').filter((line) => line.startsWith('  # '));
    expect(lines).toEqual(choices.map((line) => `  # ${line}`));
    expect(parseOverrides(text, 'written.yaml')).toEqual({ overrides, faults: [] });
    for (const line of lines) {
      const { overrides: more, faults } = parseOverrides(text.replace(line, line.replace('# ', '')), 'written.yaml');
      expect([faults, Object.keys(more).length]).toEqual([[], Object.keys(overrides).length + 1]);
    }
  });

  it('has the choices of a row inside it', () => {
    const text = writeOverrides(rows, inside, 'contract check');
    expect(text).toContain('  times.zone: undecided # to decide: UTC\n');
    expect(text).toContain('  errors.statuses:\n    # unsure: more\n    # to decide: E2\n    E1: 404\n');
    expect(writeOverrides({}, [], 'contract check')).toMatch(/^rows: \{\}$/m);
  });

  it.each(['times.zone: UTC', '"times.zone": UTC'])(
    'is refused with the name of a row that it has twice: %s',
    (line) => {
      const { faults } = parseOverrides(`version: 1\nrows:\n  times.zone: UTC\n  ${line}\n`, 'written.yaml');
      const [name] = line.split(': ');
      expect(faults).toEqual([`written.yaml:4: ${name}: found it twice; allowed: each key once`]);
    },
  );
});
