import { execFileSync } from 'node:child_process';
import { appendFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { postsOf } from '../../support/create.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { codes, query } from '../../support/gateway.ts';
import { startGatewayProcess } from '../gateway-process.ts';
import { createKeyed, creating, timed, timesWhile, toldOf } from './keyed.ts';
import { readSamples, valueOf } from '../../support/samples.ts';
import { startUpstream } from '../../support/upstream/upstream.ts';
import { record } from '../evidence.ts';

const lockMs = 3_000;
/** A create that cannot be recorded is refused within this time. */
const promisedMs = 500;
const secret = 'an obviously fake secret of text';

const maxOf = (values: readonly number[]): number => Math.round(Math.max(...values));

async function start(folder?: string) {
  const upstream = await startUpstream(creating);
  onTestFinished(upstream.close);
  const file = join(folder ?? (await temporaryFolder()), 'keys.sqlite');
  const environment = { IDEMPOTENCY_STORE: `sqlite:${file}`, FINGERPRINT_SECRET: secret };
  const gatewayOf = (options: readonly string[] = []) => startGatewayProcess(upstream.url, environment, options);
  return { upstream, file, gatewayOf };
}

it('refuses a create with a key in half a second while another process holds the lock, and stands still for nothing else', async () => {
  const { upstream, file, gatewayOf } = await start();
  const gateway = await gatewayOf();
  expect(toldOf(await createKeyed(gateway, 'ref-before'))).toBe('done');
  const holder = new DatabaseSync(file);
  holder.exec('BEGIN EXCLUSIVE');
  const startedAt = performance.now();
  const locked = (): boolean => performance.now() - startedAt < lockMs;
  const ends: Awaited<ReturnType<typeof timed>>[] = [];
  const creates = async (): Promise<void> => {
    while (locked()) ends.push(await timed(createKeyed(gateway, 'ref-0')));
  };
  const healthMs = await timesWhile(creates(), gateway.isReady);
  const tookMs = maxOf(ends.map((end) => end.tookMs));
  const sent = postsOf(upstream.requests).length;
  holder.exec('ROLLBACK');
  holder.close();
  await expect.poll(async () => toldOf(await createKeyed(gateway, 'ref-0'))).toBe('done');
  record(
    'Another process holds the lock of the SQLite file for 3 s',
    `health answered ${healthMs.length} times, at the latest within ${maxOf(healthMs)} ms; ${ends.length} creates with a key refused, within ${tookMs} ms, 0 sent`,
  );
  expect(new Set(ends.flatMap(({ told }) => told))).toEqual(new Set(['IDEMPOTENCY_STORE_UNAVAILABLE']));
  expect(ends.length).toBeGreaterThanOrEqual(5);
  expect(tookMs).toBeLessThan(promisedMs + 2 * maxOf(healthMs));
  expect(sent).toBe(1);
  // A thread that stands still answers nothing for as long as the lock is held.
  expect(healthMs.length).toBeGreaterThan(20);
  expect(maxOf(healthMs)).toBeLessThan(lockMs / 2);
  expect(postsOf(upstream.requests)).toHaveLength(2);
  expect(gateway.command.output()).toMatch(/"fault":"locked","msg":"the idempotency store fails"/);
  // The cause is named: a claim that waits behind another one does not end as `slow`, unless the machine is.
  const failures = readSamples(await gateway.metrics());
  const failedBy = (fault: string): number =>
    valueOf(failures, `settlement_graph_idempotency_store_failures_total{command="claim",fault="${fault}"}`);
  expect(failedBy('locked')).toBeGreaterThan(2 * failedBy('slow'));
}, 60_000);

/** Has every commit take a second for as long as the file exists: a disk that is slow. */
const slowWhile = (file: string): string => `
  import { existsSync } from 'node:fs';
  import { DatabaseSync } from 'node:sqlite';
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    if (sql === 'COMMIT' && existsSync(${JSON.stringify(file)}))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    return exec.call(this, sql);
  };`;

it('refuses a create with a key in half a second while the disk takes a second, and frees what it recorded late', async () => {
  const { upstream, file, gatewayOf } = await start();
  const mark = `${file}.slow`;
  const gateway = await gatewayOf(['--import', `data:text/javascript,${encodeURIComponent(slowWhile(mark))}`]);
  // The first create of a process loads and compiles its way.
  await createKeyed(gateway, 'ref-0');
  await writeFile(mark, '');
  const asked = Promise.all(Array.from({ length: 10 }, (_, index) => timed(createKeyed(gateway, `ref-${index + 1}`))));
  const lateMs = maxOf(await timesWhile(asked, () => query(gateway, '{ __typename }')));
  const ends = await asked;
  const tookMs = maxOf(ends.map((end) => end.tookMs));
  const sent = postsOf(upstream.requests).length;
  const metrics = await gateway.metrics();
  await rm(mark);
  const again = ends.map((_, index) => async () => toldOf(await createKeyed(gateway, `ref-${index + 1}`)));
  const toldAgain = () => Promise.all(again.map((ask) => ask()));
  await expect.poll(toldAgain, { timeout: 20_000 }).toEqual(ends.map(() => 'done'));
  record(
    'A disk that takes a second for each write',
    `10 creates with a key refused, within ${tookMs} ms, ${sent - 1} sent; all sent once when it is quick again`,
  );
  expect(new Set(ends.flatMap(({ told }) => told))).toEqual(new Set(['IDEMPOTENCY_STORE_UNAVAILABLE']));
  expect(tookMs).toBeLessThan(promisedMs + 2 * lateMs);
  expect(sent).toBe(1);
  expect(metrics).toMatch(/idempotency_store_failures_total\{command="claim",fault="slow"\} 10/);
  expect(postsOf(upstream.requests)).toHaveLength(11);
}, 60_000);

const mayMount = process.getuid?.() === 0;
if (!mayMount) process.stdout.write('skipped: a full disk is a small file system, which only root can mount\n');

/** A file system of 256 KiB. */
async function mountSmall(): Promise<string> {
  const folder = await temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return folder;
}

/** Takes the room that is left, page by page. */
async function fill(file: string): Promise<void> {
  const filler = join(dirname(file), 'filler');
  for (;;) {
    try {
      await appendFile(filler, Buffer.alloc(4096));
    } catch {
      return;
    }
  }
}

/** Overwrites the database and what belongs to it in place, as a failing disk does. */
async function corrupt(file: string): Promise<void> {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    const { size } = await stat(name);
    await writeFile(name, Buffer.alloc(size, 0xa5), { flag: 'r+' });
  }
}

it.for([
  ['full', mayMount, mountSmall, fill],
  ['corrupt', true, temporaryFolder, corrupt],
] as const)(
  'refuses creates with a key while the store is %s, and goes on reading',
  async ([fault, mayRun, make, spoil], { skip }) => {
    skip(!mayRun);
    const { upstream, file, gatewayOf } = await start(await make());
    const gateway = await gatewayOf();
    expect(toldOf(await createKeyed(gateway, 'ref-before'))).toBe('done');
    await spoil(file);
    const refused = codes(await createKeyed(gateway, 'ref-0'));
    const { errors } = await query(gateway, '{ customer(id: "c1") { firstName } }');
    const sent = postsOf(upstream.requests).length - 1;
    record(`The idempotency store is ${fault}`, `a create with a key is refused, ${sent} sent; reads are answered`);
    expect(refused).toEqual(['IDEMPOTENCY_STORE_UNAVAILABLE']);
    expect(errors).toEqual([]);
    expect(sent).toBe(0);
    await gateway.command.printed(new RegExp(`"fault":"${fault}","msg":"the idempotency store fails"`));
    expect(await gateway.metrics()).toContain(`idempotency_store_failures_total{command="claim",fault="${fault}"} 1`);
  },
);
