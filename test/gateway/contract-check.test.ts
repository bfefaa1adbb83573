import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { createCorrectionsFile } from '../../src/commands/contract-check/report.ts';
import { createContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import {
  byPage,
  checkRoutes,
  checkService,
  contradicted,
  customers,
  findingOf,
  list,
  singleCustomer,
  written,
} from '../support/check.ts';
import { startDialectFive } from '../support/dialects/five.ts';
import { startDialectFour } from '../support/dialects/four.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { decide, knownOf, leftToDecide, readPlanted } from '../support/dialects/planted.ts';
import { startDialectThree } from '../support/dialects/three.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { query, startGateway } from '../support/gateway.ts';
import { startUpstream, success, type Reply } from '../support/upstream.ts';

/** What no read can show: when a one-time account expires. */
const unobservable = /\.expiresAt$/;

/** No read returns a one-time account: a check adds the name that is spelt like that of the creation. */
const spelt = (pointer: string) => ({ 'account.expiresAt': ['/expires_at', '/expiry_date', pointer] });

/** Each with the rows that its file has otherwise than the planted ones. */
const dialects = [
  ['one', startDialectOne, { ...spelt('/expiresAt'), 'lists.maxPageSize': 50 }],
  ['two', startDialectTwo, { 'lists.maxPageSize': 25 }],
  ['three', startDialectThree, {}],
  ['four', startDialectFour, {}],
  ['five', startDialectFive, {}],
] as const;

async function startEmbedded() {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  return bank;
}

describe('contract check', () => {
  it('finds the path of every read at the embedded bank, contradicts nothing, and prints the counts on its last line', async () => {
    const { url } = await startEmbedded();
    const result = await checkService(url, embeddedContract);
    expect(contradicted(result)).toEqual([]);
    const paths = result.rows.filter(({ id }) => /^(?:get|list)\w+\.path$/.test(id));
    expect(paths.filter(({ state }) => state !== 'confirmed')).toEqual([]);
    expect(result.rows.filter(({ state }) => state === 'confirmed').length).toBeGreaterThan(60);
    expect(result.calls.findLastIndex((line) => line.includes(' GET '))).toBeLessThan(
      result.calls.findIndex((line) => line.includes(' OPTIONS ')),
    );
    expect(result.printed.trimEnd().split('\n').at(-1)).toMatch(/^\d+ confirmed, 0 contradicted, \d+ not observable$/);
  });

  it.each(dialects)(
    'finds what dialect %s plants and nothing else, by at most 60 reads: its file leaves no contradiction',
    async (name, start, differences) => {
      const known = knownOf(name);
      const service = await start();
      onTestFinished(service.close);
      const first = await checkService(service.url, known);
      const { faults } = parseOverrides(first.file, 'written.yaml');
      const { overrides: rows } = readPlanted(name);
      const overrides = decide(first.file, rows);
      const second = await checkService(service.url, overrides);
      const planted = Object.keys(rows).filter((id) => !unobservable.test(id) && !Object.hasOwn(known, id));
      const printed = first.printed.split('\n').slice(0, first.rows.length);
      expect(printed.slice(-contradicted(first).length).every((line) => line.includes(' contradicted '))).toBe(true);
      const found = new Set([...contradicted(first), ...leftToDecide(first.file)]);
      expect(planted.filter((id) => !found.has(id))).toEqual([]);
      expect(contradicted(first).filter((id) => !planted.includes(id) && id !== 'lists.maxPageSize')).toEqual([]);
      expect(first.calls.length).toBeLessThanOrEqual(60);
      const isRead = /^\d+ (?:GET|OPTIONS|POST \S+\/(?:search|balance-enquiries)$)/;
      expect(first.calls.filter((line) => !isRead.test(line))).toEqual([]);
      expect(faults).toEqual([]);
      expect(contradicted(second)).toEqual([]);
      expect(parseOverrides(second.file, 'again.yaml').overrides).toEqual(overrides);
      expect(createContract(overrides)).toEqual({ ...createContract(rows), ...differences });
    },
  );

  it('names no row of dialect four but those that differ where its addresses are not known', async () => {
    const service = await startDialectFour();
    onTestFinished(service.close);
    const result = await checkService(service.url);
    const planted = Object.keys(readPlanted('four').overrides);
    expect(contradicted(result).filter((id) => !planted.includes(id))).toEqual([]);
    expect(contradicted(result)).toContain('getCustomer.path');
    expect(leftToDecide(result.file)).toEqual(
      expect.arrayContaining(['getCustomer.path', 'getCustomerBalance.path', 'listCustomerTransactions.path']),
    );
    expect(result.file).toMatch(
      /^ {2}# service\.contentType: {2}# to decide: \{ value: application\/vnd\.core\+json, /m,
    );
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('writes rows of its own for a list whose parameters and records differ from those of the others', async () => {
    const records = customers.slice(0, 9).map((each) => ({ ...each, amount: '1.00' }));
    const ofCustomers = (data: object) => ({ success: true, data: { data, total: 9 } });
    const ofTransactions = (entries: object) => ({ success: true, data: { entries, total: 9 } });
    const result = await checkRoutes([
      list(/customers\/(?:\?|$)/, records, byPage('page'), 'per_page', ofCustomers, 10),
      list(/transactions/, records, byPage('p'), 'limit', ofTransactions, 10),
      singleCustomer,
    ]);
    const overrides = written(result);
    expect(overrides).toMatchObject({
      'listCustomerTransactions.page': 'p',
      'listCustomerTransactions.perPage': 'limit',
      'listCustomerTransactions.records': ['/data/entries'],
    });
    expect(Object.keys(overrides).filter((id) => id.startsWith('lists.'))).toEqual([]);
    const second = contradicted(await result.again());
    expect(second.filter((id) => id.startsWith('list') && !id.endsWith('.path'))).toEqual([]);
  });

  it('leaves a read that only POST reaches to a person, and reads by POST where a row says so', async () => {
    const upstream = await startUpstream(({ method, path, body }): Reply => {
      const [, id, tail] = /^\/api\/v1\/customers\/(\w*)(?:\?.*|(\/?.*))$/.exec(path) ?? [];
      if (tail === '' && id === 'c1') return success({ id });
      if (id === '') return success([{ id: 'c1' }]);
      if (id !== 'balance' && tail !== '/balance') return { status: 404, json: { success: false, message: 'none' } };
      if (method === 'OPTIONS') return { status: 204, headers: { allow: 'POST, OPTIONS' } };
      if (method !== 'POST') return { status: 405, json: { success: false, message: 'not allowed' } };
      return body === '{"customer_id":"c1"}' ? success({ balance: '1.00' }) : { status: 400, json: { success: false } };
    });
    onTestFinished(upstream.close);
    const first = await checkService(upstream.url);
    expect(first.file).toMatch(/^ {2}# getCustomerBalance\.method: {2}# to decide: POST, if it only reads/m);
    expect(upstream.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    const rows = {
      'getCustomerBalance.method': 'POST',
      'getCustomerBalance.path': '/customers/balance',
      'getCustomerBalance.idInBody': 'customer_id',
    };
    const second = await checkService(upstream.url, rows);
    expect(findingOf(second, 'getCustomerBalance.path').state).toBe('confirmed');
  });

  it('writes values that are one object without aliases, which no file of rows may hold', () => {
    const shared = ['/id'];
    const rows = { 'customer.id': shared, 'account.id': shared };
    const file = createCorrectionsFile(rows, new Map(), new Map());
    expect(parseOverrides(file, 'written.yaml')).toEqual({ overrides: rows, faults: [] });
  });

  it('leaves money to a person: as comments, with what the amounts look like', async () => {
    const { url } = await startEmbedded();
    const { file } = await checkService(url);
    expect(file).toMatch(/^ {2}# money\.unit: .*major/m);
    expect(file).toMatch(/^ {2}# money\.currency: /m);
    expect(parseOverrides(file, 'written.yaml').overrides).not.toHaveProperty('money.unit');
  });

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
    const decided = await checkService(service.url, { ...overrides, 'times.zone': 'UTC' });
    expect(parseOverrides(decided.file, 'decided.yaml').overrides['times.zone']).toBe('UTC');
    expect(decided.file).not.toContain('# times.zone');
  });

  it('repeats a read that had no answer once, and contradicts nothing by a list that never answers', async () => {
    const paths: string[] = [];
    const upstream = await startUpstream(({ path }) => {
      paths.push(path);
      return /[?&]page=2/.test(path) || paths.length === 1
        ? { cut: true }
        : success({ data: [{ id: 'c1' }, { id: 'c2' }], total: 7 });
    });
    onTestFinished(upstream.close);
    const result = await checkService(upstream.url);
    expect(paths[1]).toBe(paths[0]);
    expect(findingOf(result, 'listCustomers.pageStyle')).toMatchObject({ state: 'not observable', why: 'no answer' });
    expect(result.calls.length).toBeLessThanOrEqual(60);
  });

  it('prints and stores no value of a record', async () => {
    const record = {
      id: 'planted-id-7',
      first_name: 'PlantedName',
      email: 'planted@example.com',
      '09012345678': 'planted-key',
      nested: { secret_name: 'PlantedNested', 'planted@example.com': 1 },
      created_at: 'planted-time',
    };
    const upstream = await startUpstream(() => success({ data: [record], total: 1, ...record }));
    onTestFinished(upstream.close);
    const { printed, file, calls } = await checkService(upstream.url);
    const all = [printed, file, ...calls].join('\n');
    expect(all).not.toMatch(/planted|09012345678/i);
  });

  const hostile: readonly [name: string, reply: Reply][] = [
    ['HTML', { text: '<html></html>' }],
    ['nothing', { text: '' }],
    ['a cut socket', { cut: true }],
    ['no answer at all', { hang: true }],
    ['JSON of depth 10,000', { text: `{"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }],
    ['a record of depth 10,000', { text: `{"data":[${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},{"id":1}]}` }],
    ['a prototype', { text: '{"data":[{"__proto__":{"id":"x"},"constructor":1}]}' }],
    ['50,000 names', { json: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`n${index}`, index])) }],
    ['5 MiB', { text: Buffer.alloc(5 * 1024 * 1024, 32) }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['numbers beyond floats', { text: '{"data":[{"id":1e400}],"total":1e400}' }],
    [
      'an id and a cursor that cannot be sent',
      { text: '{"data":[{"id":"\\ud800"},{"id":"b"}],"meta":{"next_cursor":"\\ud800"}}' },
    ],
    ['a total of another type', { json: { data: [{ id: 1 }], total: {}, meta: { next_cursor: [] } } }],
  ];
  it.each(hostile)('survives %s', async (_, reply) => {
    const upstream = await startUpstream(() => reply);
    onTestFinished(upstream.close);
    const { rows, calls } = await checkService(upstream.url, {}, reply.hang === true ? 50 : undefined);
    expect(rows.length).toBeGreaterThan(100);
    expect(calls.length).toBeLessThanOrEqual(60);
    expect(({} as Record<string, unknown>)['id']).toBeUndefined();
  });
});
