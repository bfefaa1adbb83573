import { describe, expect, it } from 'vitest';
import { createContract, describeContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';

describe('createContract', () => {
  it('tells all faults at once, each with its row', async () => {
    const faulty = {
      'service.prefix': '/api/v1?x=1',
      'getCustomer.path': '/customers/{key}',
      'getSettlementBank.path': 'https://evil.example/{id}',
      'listCustomers.path': '/customers#x',
      'getCustomer.method': 'DELETE',
      'getCustomer.credentials': [],
      'getSettlementBank.credentials': ['cookie'],
      'money.unit': 'kobo',
      'money.currency': 'ABC',
      'times.zone': 'Africa/Lagos',
      'customer.firstName': ['firstName'],
      'lists.maxPageSize': 0,
      'createCustomer.required': 'nin',
      'no.such.row': 1,
      toString: 1,
    };
    const read = async () => createContract(faulty);
    const faults = await read().then(
      () => [],
      (error: Error) => error.message.split('\n').slice(1),
    );
    const rows = faults.map((fault) => fault.split(':')[0]?.replace(/\.\d+$/, ''));
    expect(new Set(rows)).toEqual(new Set(Object.keys(faulty)));
    expect(faults.every((fault) => /: \S/.test(fault))).toBe(true);
  });

  it('takes every default, written out', () => {
    expect(
      createContract(Object.fromEntries(describeContract(createContract()).map((row) => [row.id, row.default]))),
    ).toEqual(createContract());
  });
});

describe('the faults of an override file', () => {
  const told = (row: string) => parseOverrides(`version: 1\nrows:\n  ${row}\n`, 'c.yaml').faults;

  it('stand in the order of their lines, and name the row that a misspelt one most likely means', () => {
    const rows = ['getCustomer.path: /clients', 'createCustomer.method: PUT', 'customer.firstNam: [/x]'];
    expect(told(rows.join('\n  '))).toEqual([
      expect.stringMatching(/^c\.yaml:3: rows\.getCustomer\.path: .*\{id\}/),
      expect.stringMatching(/^c\.yaml:4: rows\.createCustomer\.method: /),
      expect.stringMatching(/^c\.yaml:5: rows\.customer\.firstNam: .* such as customer\.firstName$/),
    ]);
  });

  it.each([
    ['getCustomer.method: { value: FETCH, acknowledge: true }', 'found "FETCH"; allowed: GET'],
    ['customer.firstName: /firstName', 'found "/firstName"; allowed: a list of JSON pointers, such as ["/first_name"]'],
    [
      'service.prefix: { value: 5, acknowledge: true }',
      'found 5; allowed: an empty text, or a text, such as "/api/v1"',
    ],
    ['customer.identifiedBy: 5', 'allowed: a list of JSON pointers, or none, undecided, such as ["/id",'],
    ['lists.maxPageSize: 0', 'found 0; allowed: a whole number from 1 to 1000'],
    ['money.unit: kobo', 'found "kobo"; allowed: major, minor, or null'],
    ['getCustomer.credentials: []', 'a list, not empty, of bearer, privateKey, such as ["privateKey"]'],
    ['updateCustomer.body: { nickname: x }', 'allowed: a map of firstName, lastName, nin,'],
  ])('say in words what is allowed: %s', (row, words) => {
    expect(told(row)).toEqual([expect.stringContaining(words)]);
  });

  it('ask for no acknowledgement of a fact as it is', () => {
    for (const row of [
      'createCustomer.method: POST',
      'createCustomer.body: { nin: nin, firstName: first_name }',
      "createCustomer.credentials: ['privateKey']",
    ]) {
      expect(told(row)).toEqual([]);
    }
    expect(told('createCustomer.body: { nin: nino }')).toEqual([expect.stringContaining('acknowledge: true')]);
  });
});

describe('describeContract', () => {
  const rowsOf = (overrides: Readonly<Record<string, unknown>> = {}) =>
    new Map(describeContract(createContract(overrides)).map((row) => [row.id, row]));

  it('tells kind, source, value and default of every row, and whether it is overridden or undecided', () => {
    const rows = rowsOf({ 'getCustomer.path': '/people/{id}', 'money.unit': 'minor', 'lists.page': 'page' });
    const fact = { kind: 'fact', source: 'section 4', value: '/customers/', state: 'default' };
    expect(rows.get('createCustomer.path')).toMatchObject(fact);
    const assumption = { kind: 'assumption', value: '/people/{id}', default: '/customers/{id}', state: 'overridden' };
    expect(rows.get('getCustomer.path')).toMatchObject(assumption);
    const decision = { kind: 'decision', value: 'minor', default: null, state: 'overridden' };
    expect(rows.get('money.unit')).toMatchObject(decision);
    expect(rows.get('money.currency')).toMatchObject({ kind: 'decision', value: null, state: 'undecided' });
    expect(rows.get('lists.page')?.state).toBe('default');
    expect([...rows.values()].every(({ source }) => source !== '')).toBe(true);
  });

  it.each(['times.zone', 'listCustomers.pageStyle', 'customer.identifiedBy'])(
    'tells %s to be undecided where the file says so: the warning at start names it',
    (id) => {
      expect(rowsOf().get(id)?.state).toBe('default');
      expect(rowsOf({ [id]: 'undecided' }).get(id)?.state).toBe('undecided');
    },
  );
});
