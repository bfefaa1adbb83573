/**
 * `npm run soak`: two minutes (`-- --seconds 600`) of reads, writes and refused requests, in slices with new connections
 * each. After each slice the gateway collects its garbage and says what it holds; printed is how that changes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { putLoad } from '../support/load/load.ts';
import { slope } from '../support/slope.ts';

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

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' } } });
const slices = Math.max(warmSlices + 2, Math.round(Number(values.seconds) / sliceSeconds));

function start(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0', ADMIN_PORT: '0', BANK_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const found = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        const [, match] = pattern.exec(chunk.toString()) ?? [];
        if (match !== undefined) resolve(match);
      });
    });
  return { child, found };
}

const bank = start(['src/cli.ts', 'bank'], {});
const bankUrl = await bank.found(/(http:\/\/127\.0\.0\.1:\d+)/);
const gateway = start(['--expose-gc', '--import', './test/soak/report.ts', 'src/cli.ts', 'serve'], {
  NODE_ENV: 'production',
  UPSTREAM_URL: bankUrl,
  UPSTREAM_MONEY_UNIT: 'major',
  UPSTREAM_CURRENCY: 'NGN',
});
const url = await gateway.found(/"url":"(http:[^"]+)\/graphql"/);

const measured: { readonly minutes: number; readonly holdings: Holdings }[] = [];
const outcomes = new Map<string, number>();
const startedAt = performance.now();
for (let slice = 0; slice < slices; slice += 1) {
  const asked = kinds.map((kind) => putLoad({ url, headers, seconds: sliceSeconds, concurrency: 16, ...kind }));
  for (const result of await Promise.all(asked)) {
    for (const [outcome, count] of Object.entries(result.outcomes)) {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
    }
  }
  gateway.child.send('holdings');
  const [holdings] = (await once(gateway.child, 'message')) as [Holdings];
  measured.push({ minutes: (performance.now() - startedAt) / 60_000, holdings });
  process.stdout.write('.');
}
gateway.child.kill('SIGINT');
bank.child.kill('SIGINT');

const kept = measured.slice(warmSlices);
const [first, last] = [kept[0]?.holdings, kept.at(-1)?.holdings];
process.stdout.write(`\n\nanswers: ${[...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}\n`);
process.stdout.write(`after a collection, the first ${warmSlices} of ${slices} slices left out:\n\n`);
for (const name of ['rss', 'heapUsed', 'external', 'sockets', 'timers', 'listeners'] as const) {
  const perMinute = slope(kept.map(({ minutes, holdings }) => ({ minutes, value: holdings[name] })));
  const unit = name === 'rss' || name === 'heapUsed' || name === 'external' ? ' MiB' : '';
  const [from, to] = [first?.[name].toFixed(unit ? 1 : 0), last?.[name].toFixed(unit ? 1 : 0)];
  process.stdout.write(`  ${name.padEnd(10)} ${from} → ${to}${unit}, ${perMinute.toFixed(2)}${unit} a minute\n`);
}
