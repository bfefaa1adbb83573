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
import { slope } from '../bench/slope.ts';
import { startCreates } from './creates.ts';
import { hasRedis, startProcess } from './processes.ts';

/** What a process holds; memory in mebibytes. */
export type Holdings = Readonly<Record<(typeof held)[number], number>>;
const held = ['rss', 'heapUsed', 'external', 'sockets', 'timers', 'listeners'] as const;

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
const round = { slices: 10, bank: 4, store: 8 };

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' } } });
const folder = await mkdtemp(join(tmpdir(), 'soak-'));
const databaseFile = join(folder, 'bank.sqlite');
const bank = await startProcess({
  command: process.execPath,
  args: ['src/cli.ts', 'bank'],
  environment: { BANK_PORT: await freePort(), BANK_DATABASE: databaseFile },
  ready: /(http:\/\/127\.0\.0\.1:\d+)/,
});
const redisPort = await freePort();
const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
const store = hasRedis
  ? await startProcess({
      command: 'redis-server',
      args: ['--port', redisPort, '--bind', '127.0.0.1', '--dir', folder, ...durable],
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
const { ino } = await stat(databaseFile);
const url = gateway.found;
const creates = startCreates(url, headers);
const restarts = { bank: 0, store: 0 };

async function disturb(slice: number): Promise<void> {
  await delay(2000);
  // A bank that begins again with nothing would be told as a fault of the gateway.
  if ((await stat(databaseFile)).ino !== ino) throw new Error(`Something replaced the files in ${folder}.`);
  for (const fault of faults) {
    const json = { 'content-type': 'application/json' };
    await fetch(`${bank.found}/_bank/faults`, { method: 'POST', headers: json, body: JSON.stringify(fault) });
  }
  for (const [name, program] of Object.entries({ bank, store }) as [keyof typeof restarts, typeof store][]) {
    if (slice % round.slices !== round[name] || program === undefined) continue;
    await program.restart();
    restarts[name] += 1;
  }
}

const measured: { readonly minutes: number; readonly holdings: Holdings }[] = [];
const outcomes: Record<string, number> = {};
const startedAt = performance.now();
const isOver = () =>
  measured.length >= warmSlices + 2 && performance.now() - startedAt >= Number(values.seconds) * 1000;
for (let slice = 0; !isOver(); slice += 1) {
  const [results] = await Promise.all([
    Promise.all(kinds.map((kind) => putLoad({ url, headers, seconds: sliceSeconds, concurrency: 16, ...kind }))),
    creates.run(sliceSeconds),
    disturb(slice),
  ]);
  for (const [outcome, count] of results.flatMap((result) => Object.entries(result.outcomes)))
    outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
  gateway.child().send('holdings');
  const [holdings] = (await once(gateway.child(), 'message')) as [Holdings];
  measured.push({ minutes: (performance.now() - startedAt) / 60_000, holdings });
  process.stdout.write('.');
}
await creates.settle();
for (const program of [gateway, bank, store]) await program?.stop();
const { contradicted, ...told } = creates.compare(databaseFile);

const kept = measured.slice(warmSlices);
console.log(`\n\nrestarts: ${restarts.bank} of the bank, ${hasRedis ? `${restarts.store} of Redis` : 'no Redis here'}`);
console.log('answers:', outcomes);
console.log('creates under keys:', { ...told, contradicted: contradicted.length });
if (contradicted.length === 0) await rm(folder, { recursive: true });
else console.log(`${contradicted.slice(0, 20).join('\n')}\nfiles: ${folder}`);
console.log(`after a collection, the first ${warmSlices} of ${measured.length} slices left out:`);
for (const name of held) {
  const perMinute = slope(kept.map(({ minutes, holdings }) => ({ minutes, value: holdings[name] })));
  const [from, to] = [kept[0], kept.at(-1)].map((slice) => slice?.holdings[name].toFixed(1));
  console.log(`  ${name.padEnd(10)} ${from} → ${to}, ${perMinute.toFixed(2)} a minute`);
}
if (contradicted.length > 0 || told.unsettled > 0) process.exitCode = 1;
