/**
 * `npm run soak`: two minutes (`-- --seconds 7200`) of reads, updates, refused requests and creates under keys, some of
 * whose clients leave, in slices with new connections each. The bank fails now and then, and the bank and the store are
 * killed and started again. After each slice the gateway collects its garbage and says what it holds; printed is how that
 * changes, and what was told of the creates beside what the bank recorded. Exit code 1 where the two contradict.
 */
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { putLoad } from '../support/load/load.ts';
import { freePort } from '../support/ports.ts';
import { slope } from '../support/slope.ts';
import { startCreates } from './creates.ts';
import { hasRedis, startProcess } from './processes.ts';

export interface Holdings {
  /** In mebibytes. */
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly sockets: number;
  readonly timers: number;
  readonly listeners: number;
}

const sliceSeconds = 8;
/** Until everything is compiled and every pool is filled. */
const warmSlices = 3;
const headers = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
const kinds = [
  { rate: 20, document: '{ customers(first: 20) { totalCount nodes { id firstName balance { value { amount } } } } }' },
  { rate: 60, document: '{ customer(id: "cus_0001") { id } settlementBanks(first: 5) { nodes { name } } }' },
  { rate: 20, document: 'mutation { updateCustomer(input: { id: "cus_0001", type: "wallet" }) { customer { id } } }' },
  { rate: 20, document: '{ customer(id: "nobody") { id } nope }' },
];
const faults = [
  { operation: 'createCustomer', cut: 'before', count: 2 },
  { operation: 'createCustomer', cut: 'after', count: 2 },
  { operation: 'getCustomer', status: 503, count: 5 },
  { operation: 'listCustomers', cut: 'after', count: 3 },
  { latencyMs: 300, count: 10 },
];
/** In every so many slices, two seconds after the beginning of a slice: faults in each, one restart of either. */
const round = 10;
const bankSlice = 4;
const storeSlice = 8;
const shownContradictions = 20;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' } } });
const seconds = Number(values.seconds);

const folder = await mkdtemp(join(tmpdir(), 'soak-'));
const databaseFile = join(folder, 'bank.sqlite');
const bank = await startProcess({
  command: process.execPath,
  args: ['src/cli.ts', 'bank'],
  environment: { BANK_PORT: await freePort(), BANK_DATABASE: databaseFile },
  ready: /(http:\/\/127\.0\.0\.1:\d+)/,
});
const redisPort = await freePort();
const settings = {
  port: redisPort,
  bind: '127.0.0.1',
  dir: folder,
  save: '',
  appendonly: 'yes',
  appendfsync: 'always',
};
const store = hasRedis
  ? await startProcess({
      command: 'redis-server',
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      ready: /Ready to accept (connections)/,
    })
  : undefined;
const gateway = await startProcess({
  command: process.execPath,
  args: ['--expose-gc', '--import', './test/soak/report.ts', 'src/cli.ts', 'serve'],
  environment: {
    NODE_ENV: 'production',
    UPSTREAM_URL: bank.found,
    UPSTREAM_MONEY_UNIT: 'major',
    UPSTREAM_CURRENCY: 'NGN',
    FINGERPRINT_SECRET: 'an obviously fake secret of text',
    IDEMPOTENCY_STORE: store === undefined ? `sqlite:${join(folder, 'keys.sqlite')}` : `redis://127.0.0.1:${redisPort}`,
  },
  ready: /"url":"(http:[^"]+)\/graphql"/,
});
const { ino: databaseInode } = await stat(databaseFile);
const url = gateway.found;
const creates = startCreates(url, headers);

async function orderFaults(): Promise<void> {
  for (const fault of faults) {
    const body = JSON.stringify(fault);
    await fetch(`${bank.found}/_bank/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  }
}

let restarts = { bank: 0, store: 0 };

/** A bank or a Redis that begins again with nothing would be told as a fault of the gateway. */
async function requireFiles(): Promise<void> {
  const found = await stat(databaseFile).catch(() => undefined);
  if (found?.ino !== databaseInode) throw new Error(`Something removed or replaced the files in ${folder}.`);
}

async function disturb(slice: number): Promise<void> {
  await delay(2000);
  await requireFiles();
  await orderFaults();
  if (slice % round === bankSlice) {
    await bank.restart();
    restarts = { ...restarts, bank: restarts.bank + 1 };
  }
  if (slice % round === storeSlice && store !== undefined) {
    await store.restart();
    restarts = { ...restarts, store: restarts.store + 1 };
  }
}

const measured: { readonly minutes: number; readonly holdings: Holdings }[] = [];
const outcomes = new Map<string, number>();
const startedAt = performance.now();
const isOver = () => measured.length >= warmSlices + 2 && performance.now() - startedAt >= seconds * 1000;
for (let slice = 0; !isOver(); slice += 1) {
  const [results] = await Promise.all([
    Promise.all(kinds.map((kind) => putLoad({ url, headers, seconds: sliceSeconds, concurrency: 16, ...kind }))),
    creates.run(sliceSeconds),
    disturb(slice),
  ]);
  for (const [outcome, count] of results.flatMap((result) => Object.entries(result.outcomes)))
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
  gateway.child().send('holdings');
  const [holdings] = (await once(gateway.child(), 'message')) as [Holdings];
  measured.push({ minutes: (performance.now() - startedAt) / 60_000, holdings });
  process.stdout.write('.');
}
await creates.settle();
await gateway.stop();
await bank.stop();
await store?.stop();
const { contradicted, ...told } = creates.compare(databaseFile);
if (contradicted.length === 0) await rm(folder, { recursive: true });

const kept = measured.slice(warmSlices);
const [first, last] = [kept[0]?.holdings, kept.at(-1)?.holdings];
const storeRestarts =
  store === undefined ? 'none of the store, since redis-server is not installed' : `${restarts.store} of Redis`;
process.stdout.write(`\n\nrestarts: ${restarts.bank} of the bank, ${storeRestarts}\n`);
process.stdout.write(`answers: ${[...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}\n`);
process.stdout.write(
  `creates: ${told.creates} under keys, ${told.done} done, ${told.unknown} OUTCOME_UNKNOWN (${told.unknownInVain} of what was not done), ${told.unsettled} without an outcome; contradicted by the bank: ${contradicted.length}\n`,
);
if (contradicted.length > 0)
  process.stdout.write(`${contradicted.slice(0, shownContradictions).join('\n')}\nfiles: ${folder}\n`);
process.stdout.write(`after a collection, the first ${warmSlices} of ${measured.length} slices left out:\n\n`);
for (const name of ['rss', 'heapUsed', 'external', 'sockets', 'timers', 'listeners'] as const) {
  const perMinute = slope(kept.map(({ minutes, holdings }) => ({ minutes, value: holdings[name] })));
  const unit = name === 'rss' || name === 'heapUsed' || name === 'external' ? ' MiB' : '';
  const [from, to] = [first?.[name].toFixed(unit ? 1 : 0), last?.[name].toFixed(unit ? 1 : 0)];
  process.stdout.write(`  ${name.padEnd(10)} ${from} → ${to}${unit}, ${perMinute.toFixed(2)}${unit} a minute\n`);
}
if (contradicted.length > 0 || told.unsettled > 0) process.exitCode = 1;
