import { expect, it, onTestFinished, vi } from 'vitest';
import { main } from '../../src/commands/main.ts';
import { writeTemporary } from '../support/manifest.ts';
import { capture } from '../support/stdout.ts';
import { countIn } from '../support/upstream/paging.ts';
import { pageOf, startUpstream, success, type SeenRequest } from '../support/upstream/upstream.ts';

const statement = `query Statement($id: ID!, $after: String) {
  customer(id: $id) {
    transactions(first: 3, after: $after) { nodes { id narration amount { amount } } }
  }
}`;

/** Runs an export of customer c1's transactions, with a key of its own at a service, or the demo's at the embedded bank. */
async function runExport(upstream: string, options: readonly string[] = [], document = statement) {
  vi.stubEnv('UPSTREAM_URL', upstream);
  vi.stubEnv('UPSTREAM_MONEY_UNIT', upstream === '' ? '' : 'major');
  vi.stubEnv('UPSTREAM_CURRENCY', upstream === '' ? '' : 'NGN');
  vi.stubEnv('CHECK_PRIVATE_KEY', upstream === '' ? '' : 'test-key');
  const error = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    error.mockRestore();
    process.exitCode = undefined;
  });
  const file = await writeTemporary('statement.graphql', document);
  const id = upstream === '' ? 'cus_0001' : 'c1';
  const fixed = ['export', file, '--field', 'customer.transactions', '--variables', JSON.stringify({ id })];
  const [, out] = await capture(() => main([...fixed, ...options]));
  const told = error.mock.calls.map(([line]) => String(line)).join('\n');
  error.mockRestore();
  return { code: process.exitCode, out, told, after: /Continue with --after (\S+)/.exec(told)?.[1] ?? '' };
}

const records = ['Salary', '=1+1', ' @SUM(A1)', 'a "b", c', null, '-5.00', '-x'].map((narration, index) => ({
  id: `t${index}`,
  narration,
  amount: '1.00',
}));

async function startService(onPage: (request: SeenRequest) => readonly object[]) {
  const upstream = await startUpstream((request) =>
    request.path.includes('/transactions') ? pageOf(onPage(request), request.path) : success({ id: 'c1' }),
  );
  onTestFinished(upstream.close);
  return upstream;
}

it('writes each record of all pages at the embedded bank, as the demo merchant', async () => {
  const { code, out, told } = await runExport('');
  const lines = out.trimEnd().split('\n');
  expect([code, told, lines.length, new Set(lines).size]).toEqual([0, '', 130, 130]);
  const newest = { id: 'txn_0130', narration: 'Refund', amount: { amount: '40778.05' } };
  expect(JSON.parse(lines[0] ?? '')).toEqual(newest);
});

it('writes CSV in which no cell begins a formula, with the key of a check', async () => {
  const { url, requests } = await startService(() => records);
  const { code, out } = await runExport(url, ['--format', 'csv']);
  expect(code).toBe(0);
  expect(out.split('\r\n')).toEqual([
    '"id","narration","amount.amount"',
    '"t0","Salary","1.00"',
    '"t1","\'=1+1","1.00"',
    '"t2","\' @SUM(A1)","1.00"',
    '"t3","a ""b"", c","1.00"',
    '"t4","","1.00"',
    '"t5","-5.00","1.00"',
    '"t6","\'-x","1.00"',
    '',
  ]);
  expect(new Set(requests.flatMap(({ headers }) => headers['svcprivatekey']))).toEqual(new Set(['test-key']));
});

it('stops at the first record that cannot be read, names its row, and goes on from there', async () => {
  let isBroken = true;
  const { url } = await startService(() =>
    records.map((record, index) => (isBroken && index === 4 ? { id: 't4' } : record)),
  );
  const first = await runExport(url, ['--format', 'csv']);
  expect(first.code).toBe(1);
  expect(first.told).toMatch(
    /^UPSTREAM_INVALID_RESPONSE at customer\.transactions\.nodes\.1.*\(row transaction\.amount\)\nContinue with --after /,
  );
  isBroken = false;
  const rest = await runExport(url, ['--format', 'csv', '--after', first.after]);
  const idsIn = (out: string) => [...out.matchAll(/^"(t\d)"/gm)].map(([, id]) => id);
  expect([idsIn(first.out), idsIn(rest.out), rest.code]).toEqual([['t0', 't1', 't2', 't3'], ['t4', 't5', 't6'], 0]);
  expect(rest.out).not.toContain('narration');
});

it('ends at an interruption behind a whole page, and says where to continue', async () => {
  const { url } = await startService(({ path }) => {
    process.emit(countIn(path, 'page') === 2 ? 'SIGINT' : ('none' as 'SIGINT'));
    return records;
  });
  const first = await runExport(url);
  const rest = await runExport(url, ['--after', first.after]);
  expect([first.code, rest.code]).toEqual([130, 0]);
  expect(`${first.out}${rest.out}`.match(/"t\d"/g)).toEqual(records.map(({ id }) => `"${id}"`));
});

it.each([
  [
    'a record that there is not',
    statement.replace('$id: ID!, ', '').replace('$id', '"none"'),
    /there is no such record/,
  ],
  ['no connection of the query', '{ customer(id: "c1") { id } }', /^--field: allowed: /],
  ['a mutation', 'mutation { customer { transactions { nodes { id } } } }', /^--field: allowed: /],
  ['a document that the graph refuses', statement.replace('narration', 'nothing'), /Cannot query field/],
])('writes nothing of %s, and ends with exit code 1', async (_, document, reason) => {
  const { code, out, told } = await runExport('', [], document);
  expect([code, out]).toEqual([1, '']);
  expect(told).toMatch(reason);
});
