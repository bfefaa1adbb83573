import { median } from '../../support/median.ts';
import { measurePairs, startPair } from '../pairs.ts';
import { printTable, spread } from '../report.ts';
import { interleave, runRound, warmUp, type Measuring } from '../rounds.ts';
import { createSeries, type Series } from '../series.ts';
import { startUpstream } from '../upstream.ts';
import { selectNamed, type Bench } from './mode.ts';

const titles = [
  'what grows',
  'sizes',
  'CPU µs at each',
  'second slope ÷ first',
  '… of each pair of processes',
  'last cost ÷ first',
];

const warmUpSeconds = 1;

/** One service at one thing that grows. */
interface Line {
  readonly sizes: readonly number[];
  /** Of each pair of processes, of each round: CPU µs at each size. */
  readonly costs: (readonly (readonly number[])[])[];
}

/** Whether CPU per request grows in a straight line with what a request asks for. */
export async function runSlopes({ folder, send, options }: Bench): Promise<void> {
  const upstream = await startUpstream(folder);
  const measuring = { send, upstream, connections: 8, seconds: options.seconds ?? 2 };
  const lines = new Map<string, Line>();
  const start = () => startPair({ folder, upstream: upstream.url });
  await measurePairs(options.rounds, start, async (pair, rounds) => {
    for (const { sizes, asked } of selectNamed(await createSeries(pair), options.only)) {
      for (const [name, costs] of Object.entries(await measure(measuring, rounds, asked))) {
        const line = lines.get(name) ?? { sizes, costs: [] };
        line.costs.push(costs);
        lines.set(name, line);
      }
    }
  });
  printTable(titles, [...lines].map(toRow));
}

/** So many rounds of everything in turn, once all are warm: of each line, of each round, the cost at each size. */
async function measure(
  measuring: Measuring,
  rounds: number,
  asked: Series['asked'],
): Promise<Readonly<Record<string, readonly (readonly number[])[]>>> {
  const each = Object.entries(asked).flatMap(([name, sizes]) =>
    sizes.map((own, size) => [`${name} ${size}`, own] as const),
  );
  await warmUp(
    { ...measuring, seconds: warmUpSeconds },
    each.map(([, own]) => own),
  );
  const runs = each.map(([key, own]) => [key, () => runRound(measuring, own)] as const);
  const measured = await interleave(rounds, Object.fromEntries(runs));
  const costsOf = (name: string, round: number, sizes: number): readonly number[] =>
    Array.from({ length: sizes }, (_, size) => measured[`${name} ${size}`]?.[round]?.cpuUs ?? 0);
  return Object.fromEntries(
    Object.entries(asked).map(([name, { length }]) => [
      name,
      Array.from({ length: rounds }, (_, round) => costsOf(name, round, length)),
    ]),
  );
}

/** Each round by itself: its three costs lie side by side in time. */
function toRow([name, { sizes, costs }]: readonly [string, Line]): readonly string[] {
  const rounds = costs.flat();
  const ratios = costs.map((own) => own.map((round) => secondToFirst(sizes, round)));
  const growth = rounds.map(([first = 0, , last = 0]) => last / first);
  return [
    name,
    sizes.join(', '),
    sizes.map((_, size) => median(rounds.map((round) => round[size] ?? 0)).toFixed(0)).join(', '),
    spread(ratios.flat(), 2),
    ratios.map((own) => median(own).toFixed(2)).join(', '),
    spread(growth, 2),
  ];
}

/** The slope between the last two sizes over the slope between the first two. */
function secondToFirst([small = 0, middle = 0, large = 0]: readonly number[], cost: readonly number[]): number {
  const [ofSmall = 0, ofMiddle = 0, ofLarge = 0] = cost;
  return (ofLarge - ofMiddle) / (large - middle) / ((ofMiddle - ofSmall) / (middle - small));
}
