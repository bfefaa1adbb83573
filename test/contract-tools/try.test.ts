import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { testCommand, tryCommand } from '../../src/commands/contract-answers.ts';
import { readCommandLine } from '../../src/commands/usage.ts';
import { parseAnswer } from '../../src/contract-tools/cases/saved-answer.ts';
import { starterCases } from '../../src/contract-tools/cases/starter-cases.ts';
import { parseCases, printResults, testCases } from '../../src/contract-tools/cases/test-cases.ts';
import { printTrial, tryAnswer, type Trial } from '../../src/contract-tools/cases/try-answer.ts';
import type { Input } from '../../src/contract-tools/operation-kinds.ts';
import { parseBody } from '../../src/upstream/index.ts';
import { rowsInForce } from '../../src/commands/contract-overrides.ts';
import { readConfig } from '../../src/config/config.ts';
import { createContract, type Contract, type OperationName } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { runCheck } from './service.ts';
import { startDialectFour } from '../support/dialects/four.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { onPaper, readPlanted } from '../support/dialects/planted.ts';
import { startDialectThree } from '../support/dialects/three.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { codes, query, startScripted } from '../support/gateway.ts';
import { writeTemporary } from '../support/manifest.ts';
import { capture } from '../support/stdout.ts';
import { success, type Reply } from '../support/upstream/upstream.ts';
import { create, update, writeOf, type WriteCase } from '../support/upstream/write-cases.ts';

const root = new URL('../..', import.meta.url).pathname;
const decided = { 'money.unit': 'major', 'money.currency': 'NGN' };

/** `settlement-graph contract …` to its end: `[exit code, standard output, standard error]`. */
const run = (args: readonly string[], stdin: string) =>
  new Promise<readonly [code: number, out: string, err: string]>((resolve) => {
    const child = execFile(process.execPath, ['src/cli.ts', 'contract', ...args], { cwd: root }, (_, out, err) =>
      resolve([child.exitCode ?? -1, out, err]),
    );
    child.stdin?.on('error', () => {}); // a command that reads no more closes it
    child.stdin?.end(stdin);
  });

const commands = { try: tryCommand, test: testCommand };

/** The same in this process, for what does not hang on the process: `[exit code, standard output]`. */
const runHere = (
  word: keyof typeof commands,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) => capture(() => commands[word](readCommandLine(['contract', word, ...args]), () => readConfig(environment)));

/** What `contract try` says of a reply, as a service would send it. */
function trial(
  operation: OperationName,
  { status, json, text = '', headers = {} }: Reply,
  { input, overrides = decided }: { readonly input?: Input; readonly overrides?: object } = {},
): Promise<Trial> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const body = json === undefined ? text : JSON.stringify(json);
  const answer = parseAnswer(Buffer.from(`HTTP/1.1 ${status ?? 200} Any\r\n${lines.join('')}\r\n${body.toString()}`));
  const read = { operation, ...answer, body: parseBody(answer.body), bytes: answer.body };
  return tryAnswer({ ...overrides }, input === undefined ? read : { ...read, input }, false);
}

const stateOf = ({ fields }: Trial, row: string) => fields.find((field) => field.row === row)?.state;
const rowsOf = ({ contradicted }: Trial) => contradicted.map((fault) => (fault as { readonly row: string }).row);

const customer = { id: 'c1', first_name: 'Ada', email: 'ada@example.com', created_at: '2026-01-01 00:00:00' };

describe('contract try, on reads', () => {
  it('reads every field of what the embedded bank answers, and finds no row contradicted', async () => {
    const bank = await startBank({ port: 0, database: ':memory:' });
    onTestFinished(bank.close);
    const headers = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
    const read = async (operation: OperationName, path: string): Promise<readonly [OperationName, Trial]> => {
      const response = await fetch(`${bank.url}/api/v1${path}`, { headers });
      const reply = { status: response.status, text: await response.text() };
      return [operation, await trial(operation, reply, { overrides: embeddedContract })];
    };
    const trials = [
      await read('listSettlementBanks', '/settlement-banks/?per_page=2'),
      await read('listCustomers', '/customers/?page=2&per_page=5'),
      await read('getCustomer', '/customers/cus_0001'),
      await read('getCustomerBalance', '/customers/cus_0001/balance'),
      await read('listCustomerTransactions', '/customers/cus_0001/transactions'),
      await read('listCustomerVirtualAccounts', '/customers/cus_0001/virtual-accounts'),
    ];
    const found = trials.map(([name, { exitCode, fields, rows }]) => {
      const missing = fields.filter(({ state }) => state !== 'read').map(({ row }) => row);
      return [name, exitCode, missing, rows];
    });
    expect(found).toEqual(trials.map(([name]) => [name, 0, [], {}]));
  });

  it('shows a record that stands beside its flag', async () => {
    const shown = await trial('getCustomer', { json: { ...customer, success: true } });
    expect([shown.records, stateOf(shown, 'customer.firstName')]).toEqual([1, 'read']);
    expect(printTrial(shown, 'a file')).toContain('A client gets: the record');
  });

  it('tells what stands at each pointer by its form, and by its value only where that is asked for', async () => {
    const file = await writeTemporary(
      'answer.json',
      JSON.stringify({ success: true, data: { ...customer, phone: '+2340000000001' } }),
    );
    const [code, out] = await runHere('try', [file, '--operation', 'getCustomer']);
    expect(code).toBe(0);
    expect(out).toMatch(/^customer\.firstName +\/first_name +"xxx"$/m);
    expect(out).toMatch(/^customer\.createdAt +\/created_at +"0000-00-00 00:00:00"$/m);
    expect(out).toMatch(/^customer\.lastName +\/last_name +nothing there$/m);
    expect(out).not.toMatch(/Ada|ada@|234|2026/);
    const [, shown] = await runHere('try', [file, '--operation', 'getCustomer', '--values']);
    expect(shown).toMatch(/^customer\.firstName .* "Ada"$/m);
  });

  it('proposes the rows under which the operation reads what stands elsewhere', async () => {
    const record = { uuid: 'c1', givenName: 'Ada', profile: { surname: 'Obi' }, createdAt: 1_767_225_600 };
    const first = await trial('getCustomer', { json: { ok: true, result: record } });
    expect(first.exitCode).toBe(1);
    expect(first.rows).toEqual({
      'envelope.success': ['/ok'],
      'envelope.data': ['/result'],
      'customer.id': ['/uuid'],
      'customer.firstName': ['/givenName'],
      'customer.lastName': ['/profile/surname'],
      'customer.createdAt': ['/createdAt'],
      'times.numbers': 'seconds',
    });
    const second = await trial('getCustomer', { json: { ok: true, result: record } }, { overrides: first.rows });
    expect([second.exitCode, second.rows]).toEqual([0, {}]);
    const zoneless = success({ id: 'c1', createdOn: '2026-01-31 09:30:00' });
    expect((await trial('getCustomer', zoneless)).rows).toEqual({ 'customer.createdAt': ['/createdOn'] });
  });

  it('proposes no field out of an error, and no form of a number that is no time', async () => {
    expect((await trial('getCustomer', { json: { code: '44', message: 'x' } })).rows).toEqual({});
    const never = { text: '{"id":"c1","created_at":1234567890123456789012345}' };
    expect((await trial('getCustomer', never)).rows).toEqual({});
  });

  it.each<readonly [string, object, object, readonly string[]]>([
    ['a time as a text of digits', { created_at: '1700000000' }, { 'times.numbers': 'seconds' }, []],
    ['a date with its month in front', { dob: '01/31/1990' }, { 'dates.form': 'MM/DD/YYYY' }, []],
    ['a date with hyphens', { dob: '10-01-1990' }, { 'dates.form': 'DD-MM-YYYY' }, []],
    ['a date in two forms, which a person decides', { dob: '10/01/1990' }, {}, ['dates.form']],
    ['a date in none', { dob: '1990.01.10' }, {}, []],
  ])('proposes the form of %s', async (_, fields, rows, undecided) => {
    const found = await trial('getCustomer', success({ id: 'c1', ...fields }));
    expect([found.exitCode, found.rows, found.undecided]).toEqual([1, rows, undecided]);
    const printed = printTrial(found, 'any').split('more of it:')[1] ?? '';
    const { overrides, faults } = parseOverrides(`version: 1\nrows:\n${printed}`, 'any');
    expect([overrides, faults]).toEqual([rows, []]);
  });

  it('names the row of one bad value, and leaves the others read', async () => {
    const records = [
      { id: 't1', amount: '5.00' },
      { id: 't2', amount: 'five' },
    ];
    const found = await trial('listCustomerTransactions', success(records));
    expect([found.exitCode, found.error, rowsOf(found)]).toEqual([1, undefined, ['transaction.amount']]);
    expect(stateOf(found, 'transaction.amount')).toBe('contradicted');
    expect(stateOf(found, 'transaction.id')).toBe('read');
  });

  it('says of a list that repeats a record that the service does not page as its row says', async () => {
    const { error } = await trial('listCustomers', { json: { data: [customer, customer] } });
    expect(error).toMatchObject({ error: 'UPSTREAM_INVALID_RESPONSE', row: 'listCustomers.pageStyle' });
  });

  it('prints every line of its page', async () => {
    const found = await trial('getCustomer', {
      json: { data: { id: 'cus_0001', givenName: 'Ada', created_at: 1_767_225_600 } },
    });
    const lines = (text: string) => text.split('\n').map((line) => line.replaceAll(/(?<=\S) +/g, ' '));
    const page = readFileSync(`${root}docs/contract-cases.md`, 'utf8');
    const shown = lines(/```\n(getCustomer, .*?)```/s.exec(page)?.[1] ?? '');
    expect(shown.length).toBeGreaterThan(10);
    expect(lines(printTrial(found, 'contract.yaml'))).toEqual(expect.arrayContaining(shown));
  });

  it('leaves money to a person', async () => {
    const found = await trial('getCustomerBalance', { json: { data: { balance: 5 } } }, { overrides: {} });
    expect([found.exitCode, found.undecided, found.rows]).toEqual([1, ['money.unit'], {}]);
  });
});

describe('contract try, on what is no answer', () => {
  it.each([
    ['no file', ['nowhere.json', '--operation', 'getCustomer'], /nowhere\.json: cannot be read \(ENOENT\)/],
    ['a folder', ['.', '--operation', 'getCustomer'], /EISDIR/],
    ['an endless file', ['/dev/zero', '--operation', 'getCustomer'], /found more than 4259840 bytes/],
    ['no operation', ['-'], /--operation NAME, one of: .*listCustomers/],
    ['an unknown operation', ['-', '--operation', 'getCustmer'], /no operation getCustmer; did you mean getCustomer\?/],
    ['a status', ['-', '--operation', 'getCustomer', '--status', 'no'], /--status: found "no"; allowed: .* 200 to 599/],
    [
      'an input of a read',
      ['-', '--operation', 'getCustomer', '--input', '{}'],
      /--input: getCustomer: allowed: nothing, since getCustomer is no write\./,
    ],
    [
      'an unknown input',
      ['-', '--operation', 'createCustomer', '--input', '{"nam":""}'],
      /--input: nam: allowed: only the fields firstName/,
    ],
  ])('says plainly what is wrong: %s', async (_, args, hint) => {
    const run = async () => tryCommand(readCommandLine(['contract', 'try', ...args]), () => readConfig({}));
    await expect(run()).rejects.toThrow(hint);
  });

  it('takes the last of the answers that curl saves, and ends on a head that is none', () => {
    const saved = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/2 429 \r\nRetry-After: 3\r\ncontent-encoding: gzip\r\n\r\n{}\n';
    const { status, headers, body } = parseAnswer(Buffer.from(saved));
    expect([status, headers, body.toString()]).toEqual([429, { 'retry-after': '3' }, '{}\n']);
    expect(parseAnswer(Buffer.from('\uFEFF{}'), 422)).toEqual({ status: 422, headers: {}, body: Buffer.from('{}') });
    const endless = Buffer.from(`HTTP/1.1 200 OK\n${'a'.repeat(65_000)}`);
    expect(parseAnswer(endless).body.length).toBe(65_000);
  });

  it('ends with exit code 2 on 50 MB, of which it reads no more than the gateway would', async () => {
    const [code, out, err] = await run(['try', '-', '--operation', 'getCustomer'], 'x'.repeat(5e7));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^standard input: found more than 4259840 bytes/);
  });

  it('ends on deep nesting, half a character, a part and a body over the limit as the gateway does, and names the last two', async () => {
    const deep = await trial('getCustomer', { text: '{"a":'.repeat(2e5) + '1' + '}'.repeat(2e5) });
    const large = await trial('getCustomer', { text: JSON.stringify({ id: 'c1', a: 'x'.repeat(4 * 1024 * 1024) }) });
    const half = await trial('getCustomer', { text: '{"id":"c1","first_name":"\\ud800"}' });
    const part = await trial('updateCustomer', { status: 206, json: { success: true, data: { id: 'c1' } } });
    for (const refused of [large, part])
      expect(printTrial(refused, 'any')).toContain('\nThe gateway reads neither a part');
    const errors = [deep, large].map(({ error }) => (error as { error: string }).error);
    expect(errors).toEqual(['UPSTREAM_INVALID_RESPONSE', 'UPSTREAM_INVALID_RESPONSE']);
    expect(rowsOf(half)).toEqual(['customer.firstName']);
  });
});

/** The same answer, once read by `contract try` and once by the gateway over HTTP. */
async function compare(one: WriteCase, operation: OperationName, reply: Reply) {
  const text = /input: (\{.*?\})\)/.exec(one.document)?.[1] ?? '{}';
  const input = JSON.parse(text.replaceAll(/(\w+):/g, '"$1":')) as Input;
  const { write, error } = await trial(operation, reply, { input });
  const { gateway } = await startScripted(() => reply);
  const answer = await query(gateway, one.document);
  const userErrors = answer.data[one.field]?.userErrors ?? [];
  return {
    said: [(error as { error?: string } | undefined)?.error, write?.userErrors.map(({ code }) => code)],
    done: [codes(answer)[0], userErrors.map(({ code }: { code: string }) => code)],
    outcome: write?.outcome,
  };
}

describe('contract try, on writes', () => {
  const oneTime = writeOf('createOneTimeAccount');
  it.each<[string, string, WriteCase, OperationName, Reply]>([
    ['done', 'a flag and a record', create, 'createCustomer', success(create.proven)],
    ['done', 'a record that proves itself', update, 'updateCustomer', { json: update.proven }],
    ['done', 'an account number', oneTime, 'createCustomerOneTimeAccount', { json: oneTime.proven }],
    ['refused', 'HTTP 422', create, 'createCustomer', { status: 422, json: { message: 'No.' } }],
    ['refused', 'a failure in HTTP 200', create, 'createCustomer', { json: { success: false, message: 'No.' } }],
    ['refused', 'HTTP 404', update, 'updateCustomer', { status: 404, json: { message: 'No.' } }],
    ['refused', 'HTTP 403', create, 'createCustomer', { status: 403 }],
    ['refused', 'HTTP 429', create, 'createCustomer', { status: 429, headers: { 'retry-after': '3' } }],
    ['unknown', 'an id alone', create, 'createCustomer', { json: { id: 'c1' } }],
    ['unknown', 'another record', create, 'createCustomer', success({ id: 'c1', reference: 'x' })],
    ['unknown', 'both flags', update, 'updateCustomer', { json: { success: true, error: true, data: update.proven } }],
    ['unknown', 'HTML', oneTime, 'createCustomerOneTimeAccount', { text: '<html>' }],
    ['unknown', 'nothing', update, 'updateCustomer', {}],
    ['unknown', 'HTTP 303', create, 'createCustomer', { status: 303 }],
    ['unknown', 'HTTP 206', create, 'createCustomer', { status: 206, json: { success: true, data: create.proven } }],
    ['unknown', 'a refusal by HTTP 206', update, 'updateCustomer', { status: 206, json: { success: false } }],
    ['unknown', 'HTTP 502', create, 'createCustomer', { status: 502, text: '<html>' }],
  ])('%s by %s, as the gateway over HTTP', async (outcome, _, one, operation, reply) => {
    const result = await compare(one, operation, reply);
    expect(result.said).toEqual(result.done);
    expect(result.outcome).toBe(outcome);
  });

  it.each([
    ['another one than the update was addressed to', { id: 'c2', first_name: 'Ada' }, 'foreign'],
    ['one without an identifier', { first_name: 'Ada' }, 'unproven'],
  ])('unknown by a record that is %s, which proves nothing', async (_, data, evidence) => {
    const result = await trial(
      'updateCustomer',
      { json: { success: true, data } },
      { input: { id: 'c1', firstName: 'Ada' } },
    );
    expect(result.write).toMatchObject({ outcome: 'unknown', evidence });
    expect(printTrial(result, 'the defaults')).not.toContain('proves itself');
  });

  it.each([
    ['unknown', 'shows what was sent', 'Ada'],
    ['refused', 'does not', 'Obi'],
  ])('%s by a negative flag beside another record that %s', async (outcome, _, name) => {
    const json = { success: false, message: 'No.', data: { id: 'c2', first_name: name } };
    const result = await trial('updateCustomer', { json }, { input: { id: 'c1', firstName: 'Ada' } });
    expect(result.write).toMatchObject({ outcome, evidence: 'foreign' });
  });

  it('judges a saved refusal without knowing what was sent', async () => {
    const overrides = { ...decided, 'createCustomer.required': ['nin'] };
    const { write } = await trial('createCustomer', { status: 422, json: { message: 'no' } }, { overrides });
    expect(write?.outcome).toBe('refused');
  });

  it('not sent, where a decision is open or the input has a fault', async () => {
    const reply = success(oneTime.proven);
    const open = await trial('createCustomerOneTimeAccount', reply, { input: { amount: '5' }, overrides: {} });
    const faulty = await trial('createCustomer', reply, { input: { phone: 'x' } });
    expect([open.write?.outcome, open.undecided]).toEqual(['not sent', ['money.unit']]);
    expect([faulty.write?.outcome, faulty.write?.userErrors[0]?.code]).toEqual(['not sent', 'INVALID']);
  });

  it.each<[string, Reply]>([
    ['a record', success(customer)],
    ['an unknown record', { status: 404, json: { success: false, message: 'No.' } }],
    ['a proxy’s 404', { status: 404, text: '<html>' }],
    ['HTML', { text: '<html>' }],
    ['nothing', {}],
    ['HTTP 401', { status: 401 }],
    ['HTTP 429', { status: 429, headers: { 'retry-after': '60' } }],
    ['HTTP 503', { status: 503, headers: { 'retry-after': '60' } }],
    ['a failure in HTTP 200', { json: { success: false, code: 403 } }],
    ['a list', { json: [customer] }],
  ])('says of a read by %s what the gateway over HTTP answers', async (_, reply) => {
    const { gateway } = await startScripted(() => reply);
    const answer = await query(gateway, '{ customer(id: "c1") { id firstName } }');
    const { error } = await trial('getCustomer', reply);
    const { code, row, retryAfterSeconds } = answer.errors[0]?.extensions ?? {};
    const said = (error ?? {}) as Readonly<Record<string, unknown>>;
    expect([said['error'], said['row'], said['retryAfterSeconds']]).toEqual([code, row, retryAfterSeconds]);
  });
});

const passing = `cases:
  - name: a customer
    operation: getCustomer
    headers: { content-type: application/json }
    body: { success: true, data: { id: c1, first_name: Ada } }
    expect: { id: c1, firstName: Ada, lastName: null }
  - name: nobody
    operation: getCustomer
    status: 404
    body: { success: false, message: none }
    expect: null
  - name: transactions
    operation: listCustomerTransactions
    body: { data: { data: [{ id: t1, amount: '5.00', type: credit }, { id: t2, amount: x }], total: 9, per_page: 2, current_page: 2 } }
    expect:
      totalCount: 9
      hasNextPage: true
      nodes:
        - { direction: CREDIT, amount: { amount: '5.00', currency: NGN } }
        - { id: t2, amount: { error: UPSTREAM_INVALID_RESPONSE, row: transaction.amount } }
  - name: a refused update
    operation: updateCustomer
    input: { id: c1, firstName: Ada }
    request: { first_name: Ada }
    status: 422
    body: { success: false, message: no, errors: { first_name: [no] } }
    expect: { outcome: refused, userErrors: [{ field: [input, firstName] }] }
  - name: an update that proves itself
    operation: updateCustomer
    input: { id: c1, firstName: Ada }
    body: { id: c1, first_name: Ada }
    expect: { outcome: done, evidence: proven, record: { id: c1 } }
  - name: a compressed answer
    operation: updateCustomer
    headers: { Content-Encoding: gzip }
    body: { id: c1 }
    expect: { outcome: unknown, error: OUTCOME_UNKNOWN }
  - name: a proxy's page
    operation: listCustomers
    text: <html>
    expect: { error: UPSTREAM_INVALID_RESPONSE }
`;

describe('contract test', () => {
  it('passes cases of reads, lists and writes, as text and for programs', async () => {
    const file = await writeTemporary('cases.yaml', passing);
    const [code, out] = await runHere('test', [file]);
    expect(code).toBe(0);
    expect(out).toMatch(/^(?:ok {4}.+\n){7}\n7 passed, 0 failed, under /);
    const [, json] = await runHere('test', [file, '--json']);
    expect(JSON.parse(json)).toMatchObject({
      passed: 7,
      failed: 0,
      cases: [{ name: 'a customer', line: 2 }, {}, {}, {}, {}, {}, {}],
    });
  });

  it.each([
    ['a value', 'firstName: Ada, l', 'firstName: Eve, l', 'firstName: expected "Eve", found "Ada"'],
    [
      'a field that there is none of',
      'firstName: Ada, l',
      'firstNam: Ada, l',
      'firstNam: expected "Ada", found nothing',
    ],
    [
      'null where there is nothing',
      'expect: null',
      'expect: { id: c1 }',
      '(the answer): expected {"id":"c1"}, found null',
    ],
    [
      'one entry less',
      '        - { id: t2, amount: { error: UPSTREAM_INVALID_RESPONSE, row: transaction.amount } }\n',
      '',
      'nodes: expected [{',
    ],
    ['an outcome', 'outcome: refused', 'outcome: done', 'outcome: expected "done", found "refused"'],
    [
      'a body sent',
      'request: { first_name: Ada }',
      'request: { first_name: Ada, a: 1 }',
      'request: expected {"first_name":"Ada","a":1}, found {"first_name":"Ada"}',
    ],
    [
      'a record of another',
      'operation: getCustomer\n    headers',
      'operation: getCustomer\n    id: c2\n    headers',
      '"row":"customer.identifiedBy"',
    ],
  ])('fails on %s, with what was expected and found', async (_, from, to, difference) => {
    const cases = parseCases(passing.replace(from, to), 'cases.yaml', createContract());
    const out = printResults(await testCases(createContract(embeddedContract), cases), 'cases.yaml', 'any');
    expect(out).toMatch(/^FAIL {2}[a-z ]+ \(cases\.yaml:\d+\)$/m);
    expect(out).toContain(difference);
    expect(out).toMatch(/\n6 passed, 1 failed, /);
  });

  it('is run against the file that UPSTREAM_CONTRACT names, whose money decisions count without a service', async () => {
    const contract = await writeTemporary(
      'contract.yaml',
      'version: 1\nrows: { money.unit: minor, money.currency: NGN }',
    );
    const cases = await writeTemporary(
      'cases.yaml',
      'cases: [{ name: a, operation: getCustomerBalance, body: { balance: 500 }, expect: { value: { amount: "5.00" } } }]',
    );
    const result = await runHere('test', [cases], { UPSTREAM_CONTRACT: contract });
    expect(result).toEqual([0, `ok    a\n\n1 passed, 0 failed, under ${contract}\n`]);
    expect((await runHere('test', [cases]))[0]).toBe(1);
  });

  it('gives a write the inputs that the contract adds, each in its own type', async () => {
    const contract = createContract({
      ...embeddedContract,
      'createCustomerVirtualAccount.path': '/customers/{id}/wallets/{walletId}/accounts',
      'extra.CreateVirtualAccountInput.walletId': { type: 'ID', required: true },
      'extra.CreateVirtualAccountInput.isShared': { type: 'Boolean', wire: 'shared' },
      'extra.CreateVirtualAccountInput.size': { type: 'Int' },
    });
    const input = (more: string): string =>
      `cases:\n  - name: a\n    operation: createCustomerVirtualAccount\n    input: { customerId: c1, ${more} }\n` +
      `    body: { success: true, data: { id: v1, customer_id: c1, account_number: '0000000001' } }\n` +
      `    request: { shared: true, size: 3 }\n    expect: { outcome: done, record: { id: v1 } }\n`;
    const cases = parseCases(input('walletId: w1, isShared: true, size: 3'), 'cases.yaml', contract);
    expect(await testCases(contract, cases)).toMatchObject([{ passed: true, differences: [] }]);
    for (const [more, fault] of [
      ['walletId: 1', 'input.walletId: found 1; allowed: a text'],
      ['isShared: yes please', 'input.isShared: found "yes please"; allowed: true or false'],
      ['size: 1.5', 'input.size: found 1.5; allowed: a whole number'],
    ] as const)
      expect(() => parseCases(input(more), 'cases.yaml', contract)).toThrow(fault);
  });

  it.each([
    ['UPSTREAM_MONEY_UNIT', 'money.unit', 'minor', 'major'],
    ['UPSTREAM_CURRENCY', 'money.currency', 'NGN', 'USD'],
  ])('takes %s, and cannot run where the file decides otherwise', async (variable, row, own, other) => {
    const file = await writeTemporary('contract.yaml', `version: 1\nrows: { ${row}: ${own} }`);
    const config = (value: string) => readConfig({ UPSTREAM_CONTRACT: file, [variable]: value });
    expect((await rowsInForce(config(own))).overrides).toEqual({ [row]: own });
    expect((await rowsInForce(readConfig({ [variable]: own }))).overrides).toEqual({ [row]: own });
    await expect(rowsInForce(config(other))).rejects.toThrow(
      `${file}: rows.${row}: differs from the environment's decision`,
    );
  });

  it.each([
    ['nothing', '', /^cases\.yaml:1: .*; allowed: a map with `cases`$/],
    ['a list', '[]', /^cases\.yaml:1: .*; allowed: a map with `cases`$/],
    ['null', 'null', /^cases\.yaml:1: .*; allowed: a map with `cases`$/],
    ['no YAML', 'cases: [', /:1: .*flow/i],
    ['a case that is none', 'cases: [1]', /:1: cases\.0: found 1; allowed: a case, with name, operation/],
    ['two documents', 'cases: []\n---\ncases: []', /:2: found several documents; allowed: one document/],
    ['no cases', 'cases: []', /:1: cases: found \[\]; allowed: one case or more/],
    [
      'an unknown key',
      passing.replace('name: nobody', 'stats: 1'),
      /:7: cases\.1\.stats: found 1; allowed: name, operation/,
    ],
    [
      'an operation',
      passing.replace('listCustomers', 'listCustomer'),
      /allowed: an operation; did you mean listCustomers\?/,
    ],
    [
      'an input field',
      passing.replace('input: { id: c1, firstName', 'input: { firstNam'),
      /input.firstNam: found .*; allowed: only the fields id, firstName/,
    ],
    [
      'an expectation of nothing',
      passing.replace('expect: null', 'expect: {}'),
      /:11: cases\.1\.expect: found \{\}; allowed/,
    ],
    ['two bodies', passing.replace('text: <html>', 'text: a\n    body: 1'), /`body` or `text`, not both/],
    [
      '501 cases',
      `cases:\n${'  - { name: a, operation: getCustomer, expect: null }\n'.repeat(501)}`,
      /at most 500 cases/,
    ],
    ['an alias bomb', `a: &a [x,x]\nb: &b [*a,*a]\ncases: [*b,*b]`, /:2: allowed: plain YAML, without anchors/],
    ['deep nesting', `cases: ${'['.repeat(100_000)}`, /allowed: less deep nesting|too deep|flow/i],
  ])('cannot run on %s, and says where', (_, text, fault) => {
    expect(() => parseCases(text, 'cases.yaml', createContract())).toThrow(fault);
  });

  it('passes the cases of its page', async () => {
    const page = readFileSync(`${root}docs/contract-cases.md`, 'utf8');
    const cases = parseCases(/```yaml\n(.*?)```/s.exec(page)?.[1] ?? '', 'page', createContract());
    const results = await testCases(createContract(), cases);
    expect(results.map(({ passed }) => passed)).toEqual([true, true]);
  });
});

describe('contract check --cases', () => {
  it.each([
    ['the embedded bank', () => startBank({ port: 0, database: ':memory:' }), {}, []],
    [
      'dialect one',
      startDialectOne,
      onPaper(readPlanted('one').overrides),
      ['listCustomerVirtualAccounts, HTTP 200, CONTRACT_UNDECIDED'],
    ],
    ['dialect two', startDialectTwo, { 'times.zone': 'UTC' }, []],
    [
      'dialect three',
      startDialectThree,
      {
        ...onPaper(readPlanted('three').overrides),
        'status.words': { true: 'active' },
        'accountNumber.digits': 10,
        'bankCode.digits': 3,
        'balance.value': ['/available/[currency=NGN]/amount'],
      },
      ['listCustomerVirtualAccounts, HTTP 200, CONTRACT_UNDECIDED'],
    ],
    [
      'dialect four',
      startDialectFour,
      { ...onPaper(readPlanted('four').overrides), 'times.zone': 'UTC', 'status.words': { 1: 'active', 2: 'done' } },
      [],
    ],
  ])(
    'writes cases of %s that pass under what the check found, and hold no value of it',
    async (_, start, known, leftOut) => {
      const service = await start();
      onTestFinished(service.close);
      const { run: check, bodies } = await runCheck(service.url, { ...decided, ...known });
      const text = await starterCases(check.samples, check.contract());
      const cases = parseCases(text, 'starter.yaml', createContract());
      const results = await testCases(check.contract(), cases);
      expect(results.filter(({ passed }) => !passed)).toEqual([]);
      expect(new Set(results.map(({ operation }) => operation)).size).toBeGreaterThanOrEqual(6);
      expect(text.match(/Left out, .*: (.*)/g) ?? []).toEqual(leftOut.map((name) => expect.stringContaining(name)));
      const values = bodies.flatMap((body) =>
        [...body.matchAll(/"([^"]*\d[^"]*|[A-Z][a-z]+)"[,}\]]/g)].map(([, value]) => value),
      );
      expect(values.length).toBeGreaterThan(50);
      expect(values.filter((value = '') => text.includes(`${value}\n`) && !/^(?:\d{1,3}|[A-Z]+)$/.test(value))).toEqual(
        [],
      );
    },
  );

  it('leaves out an answer of success that the contract does not read, by its name', async () => {
    const samples = [sampleOf('getCustomer', 200, { data: { first_name: 'Ada' } })];
    const text = await starterCases(samples, createContract());
    expect(text).toMatch(/^# Left out, .*getCustomer, HTTP 200, UPSTREAM_INVALID_RESPONSE$/m);
    expect(parse(text)).toEqual({ cases: [] });
  });

  it('keeps words with a meaning at their places only, and no identifier, other word or unseen character', async () => {
    const contract = createContract({ 'customer.id': ['/code'], 'envelope.success': ['/status'] });
    const data = {
      code: 'CUS_okonjo',
      status: 'Chidinma Okonjo',
      type: 'secretword',
      email: 'x@example.org\u202e\u009b',
      first_name: '\uff21\u0665\u0666',
      currency: 'Secret',
    };
    const { text, kept } = await fakesOf(contract, { code: 200, status: 'success', data });
    expect(text).not.toMatch(/okonjo|chidinma|secret|example\.org|[\u0660-\u0669\u202e\u009b\uff21]/i);
    expect(kept).toMatchObject({ code: 200, status: 'success' });
    const plain = { code: 'c1', status: 'active', type: 'wallet', currency: 'NGN' };
    const { kept: words } = await fakesOf(contract, { status: 'success', data: plain });
    expect(words).toMatchObject({ data: { status: 'active', type: 'wallet', currency: 'NGN' } });
    expect(JSON.stringify(words)).not.toContain('c1');
  });

  it('leaves out what waits for a decision, and replaces what a write sent as it replaces what came back', async () => {
    const samples = [
      sampleOf('getCustomerBalance', 200, { balance: 5 }),
      {
        ...sampleOf('createCustomer', 201, { id: 'c7', email: 'eve@example.org' }),
        input: { email: 'eve@example.org' },
      },
    ];
    const text = await starterCases(samples, createContract());
    expect(text).toMatch(/^# Left out, .*getCustomerBalance/m);
    expect(text).toMatch(/input:\n {6}email: ada@example\.com/);
    expect(text).toMatch(/outcome: done\n {6}evidence: proven/);
    expect(text).not.toMatch(/eve@|c7/);
  });
});

const sampleOf = (operation: OperationName, status: number, body: unknown) => ({
  operation,
  status,
  headers: {},
  body,
});

/** The starter of one customer's answer, and the body of its case. */
async function fakesOf(contract: Contract, body: unknown) {
  const text = await starterCases([sampleOf('getCustomer', 200, body)], contract);
  const { cases } = parse(text) as { readonly cases: readonly { readonly body: unknown }[] };
  return { text, kept: cases[0]?.body };
}
