import { median } from '../../support/median.ts';
import { printTable, spread } from '../report.ts';
import { interleave, runRound } from '../rounds.ts';
import { createSeries } from '../series.ts';
import { askedOf, startGateway } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { selectNamed, type Bench } from './mode.ts';

const titles = [
  'what grows',
  'sizes',
  'CPU µs at each',
  'first slope, µs',
  'second slope, µs',
  'second slope ÷ first',
  'last cost ÷ first',
];

/** Whether CPU per request grows in a straight line with what a request asks for. */
export async function runSlopes({ folder, send, options }: Bench): Promise<void> {
  const upstream = await startUpstream(folder);
  const gateway = await startGateway({ folder, upstream: upstream.url });
  const measuring = { send, upstream, connections: 8, seconds: options.seconds ?? 2 };
  const rows: (readonly string[])[] = [];
  for (const { name, sizes } of selectNamed(await createSeries(gateway), options.only)) {
    const runs = sizes.map(([size, query]) => [size, () => runRound(measuring, askedOf(gateway, query))] as const);
    const measured = await interleave(options.rounds, Object.fromEntries(runs));
    const costs = sizes.map(([size]) => measured[size]?.map(({ cpuUs }) => cpuUs) ?? []);
    rows.push([
      name,
      sizes.map(([size]) => size).join(', '),
      ...describe(
        sizes.map(([size]) => size),
        costs,
      ),
    ]);
  }
  printTable(titles, rows);
}

/** Each round by itself: its three costs lie side by side in time. */
function describe(sizes: readonly number[], costs: readonly (readonly number[])[]): readonly string[] {
  const [small = 0, middle = 0, large = 0] = sizes;
  const [ofSmall = [], ofMiddle = [], ofLarge = []] = costs;
  const first = ofMiddle.map((cost, round) => (cost - (ofSmall[round] ?? 0)) / (middle - small));
  const second = ofLarge.map((cost, round) => (cost - (ofMiddle[round] ?? 0)) / (large - middle));
  const ratios = second.map((slope, round) => slope / (first[round] ?? 0));
  const costRatios = ofLarge.map((cost, round) => cost / (ofSmall[round] ?? 0));
  return [
    costs.map((rounds) => median(rounds).toFixed(0)).join(', '),
    median(first).toFixed(2),
    median(second).toFixed(2),
    spread(ratios, 2),
    spread(costRatios, 2),
  ];
}
