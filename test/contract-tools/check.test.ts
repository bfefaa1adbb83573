import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { contractCommand } from '../../src/commands/contract.ts';
import { readCommandLine } from '../../src/commands/usage.ts';
import { readConfig } from '../../src/config/config.ts';
import { createCorrectionsFile, writeOverrides } from '../../src/contract-tools/report.ts';
import { createContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { startDialectFive } from '../support/dialects/five.ts';
import { startDialectFour } from '../support/dialects/four.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { decide, knownOf, leftToDecide, readPlanted } from '../support/dialects/planted.ts';
import { startDialectThree } from '../support/dialects/three.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { query, startGateway } from '../support/gateway.ts';
import { capture, watchErrors } from '../support/stdout.ts';
import { failure, startUpstream, success, type Reply } from '../support/upstream/upstream.ts';
import {
  checkRoutes,
  checkService,
  contradicted,
  customerPages,
  customers,
  findingOf,
  notThere,
  pages,
  singleCustomer,
  startService,
  written,
  type Route,
} from './service.ts';

/** Each with the rows that its file has otherwise than the planted ones: the largest page, where no row plants it. */
const dialects = [
  ['one', startDialectOne, { 'lists.maxPageSize': 50 }],
  ['two', startDialectTwo, { 'lists.maxPageSize': 25 }],
  ['three', startDialectThree, {}],
  ['four', startDialectFour, {}],
  ['five', startDialectFive, {}],
] as const;
/** What no read shows, and what a further row decides: a number of digits, a zone. */
const besides = /^(?:lists\.maxPageSize|times\.zone|settlementBank\.bankCode)$/;

async function startEmbedded() {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  return bank;
}

describe('contract check', () => {
  it('finds the path of every read at the embedded bank, contradicts nothing, and fits one screen', async () => {
    const { url } = await startEmbedded();
    const result = await checkService(url, embeddedContract);
    expect(contradicted(result)).toEqual([]);
    const paths = result.rows.filter(({ id }) => /^(?:get|list)\w+\.path$/.test(id));
    expect(paths.filter(({ state }) => state !== 'confirmed')).toEqual([]);
    expect(result.rows.filter(({ state }) => state === 'confirmed').length).toBeGreaterThan(60);
    expect(result.printed.trimEnd().split('\n').at(-1)).toMatch(/^\d+ confirmed, 0 contradicted, \d+ not observable$/);
    expect(result.printed.split('\n').length).toBeLessThan(25);
  });

  it.each(dialects)(
    'finds what dialect %s plants and nothing else, by at most 30 reads: a second check contradicts no row of its file',
    async (name, start, differences) => {
      const known = knownOf(name);
      const service = await start();
      onTestFinished(service.close);
      const first = await checkService(service.url, known);
      const { overrides: rows } = readPlanted(name);
      const overrides = decide(first.file, rows);
      const planted = Object.keys(rows).filter((id) => !Object.hasOwn(known, id));
      const found = new Set([...contradicted(first), ...leftToDecide(first.file)]);
      expect(planted.filter((id) => !found.has(id))).toEqual([]);
      expect(contradicted(first).filter((id) => !planted.includes(id) && !besides.test(id))).toEqual([]);
      expect(first.calls.length).toBeLessThanOrEqual(30);
      expect(first.calls.filter((line) => !/^\d+ (?:GET|POST \S+\/(?:search|balance-enquiries)$)/.test(line))).toEqual(
        [],
      );
      const second = await checkService(service.url, overrides);
      expect(contradicted(second)).toEqual([]);
      expect(parseOverrides(second.file, 'again.yaml')).toEqual({ overrides, faults: [] });
      expect(createContract(overrides)).toEqual({ ...createContract(rows), ...differences });
    },
  );

  it('leaves the zone of times to a person: until then such a time is CONTRACT_UNDECIDED in its own field', async () => {
    const service = await startDialectTwo();
    onTestFinished(service.close);
    const { file } = await checkService(service.url);
    const { overrides } = parseOverrides(file, 'written.yaml');
    expect(file).toMatch(/^ {2}times\.zone: undecided # to decide: UTC or an offset/m);
    const gateway = await startGateway({ upstream: service.url, contract: overrides });
    const { data, errors } = await query(gateway, '{ customers(first: 1) { nodes { firstName createdAt } } }', {
      headers: { svcprivatekey: 'demo-key' },
    });
    expect(data.customers.nodes).toEqual([{ firstName: expect.any(String), createdAt: null }]);
    expect(errors.map(({ path, extensions }) => [path?.at(-1), extensions['code'], extensions['row']])).toEqual([
      ['createdAt', 'CONTRACT_UNDECIDED', 'times.zone'],
    ]);
  });

  it('repeats a read that had no answer once, and contradicts nothing by a list that never answers', async () => {
    const { requests, ...result } = await checkRoutes([[/./, () => ({ cut: true })]]);
    expect(requests[1]?.path).toBe(requests[0]?.path);
    expect(contradicted(result)).toEqual([]);
  });

  it('prints and stores no value of a record', async () => {
    const record = {
      id: 'planted-id-7',
      first_name: 'PlantedName',
      email: 'planted@example.com',
      '09012345678': 'planted-key',
      nested: { secret_name: 'PlantedNested', 'planted@example.com': 1 },
      created_at: 'planted-time',
      status: 'planted-status',
    };
    const { printed, file, calls } = await checkRoutes([[/./, () => success({ data: [record], total: 1, ...record })]]);
    expect([printed, file, ...calls].join('\n')).not.toMatch(/planted|09012345678/i);
  });

  const hostile: readonly [name: string, reply: Reply][] = [
    ['HTML', { text: '<html></html>' }],
    ['nothing', { text: '' }],
    ['no answer at all', { hang: true }],
    ['JSON of depth 10,000', { text: `{"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }],
    ['a record of depth 10,000', { text: `{"data":[${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},{"id":1}]}` }],
    ['a prototype', { text: '{"data":[{"__proto__":{"id":"x"},"constructor":1}]}' }],
    ['50,000 names', { json: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`n${index}`, index])) }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['numbers beyond floats', { text: '{"data":[{"id":1e400}],"total":1e400}' }],
    ['an id that cannot be sent', { text: '{"data":[{"id":"\\ud800"},{"id":"b"}],"meta":{"next_cursor":"\\ud800"}}' }],
    ['a total of another type', { json: { data: [{ id: 1 }], total: {}, meta: { next_cursor: [] } } }],
  ];
  it.each(hostile)('survives %s', async (_, reply) => {
    const upstream = await startUpstream(() => reply);
    onTestFinished(upstream.close);
    const { rows, calls } = await checkService(upstream.url, {}, reply.hang === true ? 50 : undefined);
    expect(rows.length).toBeGreaterThan(100);
    expect(calls.length).toBeLessThanOrEqual(30);
    expect(({} as Record<string, unknown>)['id']).toBeUndefined();
  });
});

describe('what a check asks', () => {
  it('reads records below a list that the file places elsewhere', async () => {
    const list = pages(/\/clients\?/, customers);
    const single: Route = [/\/clients\/c\d+$/, ({ path }) => success({ id: path.split('/').at(-1) })];
    const result = await checkRoutes([list, single], { 'listCustomers.path': '/clients' });
    expect(written(result)).toMatchObject({ 'getCustomer.path': '/clients/{id}' });
  });

  it('leaves a path that no read finds to a person', async () => {
    const result = await checkRoutes([customerPages]);
    expect(contradicted(result)).toContain('getCustomer.path');
    expect(leftToDecide(result.file)).toEqual(expect.arrayContaining(['getCustomer.path', 'listSettlementBanks.path']));
    expect(Object.keys(written(result)).filter((id) => id.endsWith('.path'))).toEqual([]);
  });

  it('reads the second customer where the first one is deleted, and what is below it', async () => {
    const deleted: Route = [/\/c1(?:\/|$)/, () => notThere];
    const result = await checkRoutes([deleted, customerPages, singleCustomer, pages(/transactions/, [])]);
    expect(findingOf(result, 'getCustomer.path').state).toBe('confirmed');
    expect(findingOf(result, 'listCustomerTransactions.path').state).toBe('confirmed');
  });

  it('asks what identifies a record that does not carry what it was read by, and reads none until then', async () => {
    const other: Route = [/\/customers\/c\d+$/, () => success({ id: 'another' })];
    const result = await checkRoutes([customerPages, other]);
    expect(result.file).toMatch(/^ {2}customer\.identifiedBy: undecided # to decide: pointers to the identifier/m);
  });

  it('leaves characters of identifiers that divide a path to a person', async () => {
    const result = await checkRoutes([pages(/customers\/\?/, [{ id: 'CUS/1' }])]);
    expect(result.file).toMatch(/^ {2}# identifiers\.allow: {2}# to decide: \['\/'\]/m);
    expect(result.file + result.printed).not.toContain('CUS');
  });

  it.each([
    ['ignores its name', '/transactions?customer={id}', 'contradicted'],
    ['answers none', '/transactions?holder={id}', 'confirmed'],
  ])('asks for records of nobody where the identifier stands in the query: the service %s', async (_, path, state) => {
    const entries = pages(/transactions\?(?:customer|holder=c1&)/, [{ id: 't1', amount: '1.00' }]);
    const none = pages(/transactions\?holder/, []);
    const rows = { 'listCustomerTransactions.path': path, 'money.unit': 'major', 'money.currency': 'NGN' };
    const result = await checkRoutes([customerPages, singleCustomer, entries, none], rows);
    expect(findingOf(result, 'listCustomerTransactions.path').state).toBe(state);
  });

  it('says which row would explain the answers for an unknown record and to a wrong credential', async () => {
    const [path, page] = customerPages;
    const refuse = (code: string): Reply => ({ status: 400, json: { error: code, code } });
    const unknown: Route = [/check-unknown/, () => refuse('E_NONE')];
    const denied: Route = [
      path,
      (each) => (each.headers['svcprivatekey']?.[0] === 'demo-key' ? page(each) : refuse('E_KEY')),
    ];
    const explained = await checkRoutes([unknown, denied, singleCustomer]);
    expect(written(explained)).toMatchObject({ 'errors.statuses': { E_NONE: 404, E_KEY: 401 } });
    const bare: Route = [/check-unknown/, () => ({ status: 404, text: '<html>' })];
    const result = await checkRoutes([bare, customerPages, singleCustomer]);
    expect(findingOf(result, 'getCustomer.path').seen).toContain('the answer for an unknown record (HTTP 404)');
  });
});

it('says that no answer showed a row only where none did', async () => {
  const owner = pages(/customers\/\?/, [{ id: 'c1', walletId: 'w1' }]);
  const denied: Route = [/settlement-banks/, () => failure(401, 'Who is there?')];
  const result = await checkRoutes([owner, denied]);
  const whys = ['customer.dateOfBirth', 'customer.collectionWalletId', 'listSettlementBanks.credentials'].map(
    (row) => findingOf(result, row).why,
  );
  expect(whys).toEqual(['no answer showed it', 'you decide', expect.stringMatching(/^HTTP 401: are the credentials/)]);
});

describe('a written file of rows', () => {
  const rows = { 'customer.id': ['/id'], 'times.zone': 'undecided' };

  it('keeps the questions of the file that it replaces, while their rows are open', () => {
    const before = writeOverrides(
      {},
      ['customer.phone: # unsure: which one?', 'customer.id: # to decide: where?'],
      'contract import',
    );
    const file = createCorrectionsFile({}, new Map([['customer.id', ['/uuid']]]), new Map(), before);
    expect(file).toContain('  # customer.phone: # unsure: which one?\n');
    expect(file).not.toContain('where?');
  });

  it('says beside a row in force what is seen elsewhere, and does not replace it', async () => {
    const renamed = pages(/customers\/\?/, [{ id: 'c1', givenName: 'Ada' }]);
    const stated = { 'customer.firstName': ['/forename'] };
    const result = await checkRoutes([renamed, singleCustomer], stated);
    expect([written(result), contradicted(result)]).toEqual([stated, expect.arrayContaining(['customer.firstName'])]);
  });

  it('has questions inside a row that it has, and holds no alias', () => {
    const shared = ['/id'];
    const file = writeOverrides(
      { ...rows, 'customer.id': shared, 'account.id': shared },
      ['times.zone:  # to decide: UTC'],
      'contract check',
    );
    expect(parseOverrides(file, 'written.yaml').faults).toEqual([]);
    expect(file).toContain('times.zone: undecided # to decide: UTC');
    const commented = file.replace('times.zone: undecided', 'times.zone: UTC');
    expect(parseOverrides(commented, 'written.yaml').overrides).toMatchObject({ 'times.zone': 'UTC' });
  });
});

it('ends in exit code 2 where every answer refuses the credentials, though refusals show rows, and shows its calls on a terminal', async () => {
  const { url } = await startService([/./, () => failure(401, 'Who is there?')]);
  const config = readConfig({ UPSTREAM_URL: url, CHECK_BEARER: 'wrong-token', CHECK_PRIVATE_KEY: 'wrong-key' });
  const errors = watchErrors(true);
  expect(await capture(() => contractCommand(readCommandLine(['contract', 'check']), () => config))).toEqual([2, '']);
  expect(errors.lines()).toContain('PRIVATE_KEY_HEADER');
  expect(errors.progress()).toContain('1 of 30 calls: GET /api/v1/customers/');
});
