import { median } from '../../support/median.ts';
import { checkAnswers, compare, ratiosOf, summary, type Rounds } from '../compare.ts';
import { measurePairs, startPair } from '../pairs.ts';
import type { Service } from '../services.ts';
import { questions, type Question } from '../questions.ts';
import { printTable, spread } from '../report.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { selectNamed, type Bench } from './mode.ts';

const titles = [
  'question',
  'calls',
  'gateway: CPU µs, requests/s, p50, p99',
  'by hand: CPU µs, requests/s, p50, p99',
  'CPU ratio (lowest–highest)',
  '… of each pair of processes',
];

/** CPU per request of the gateway beside the hand-written service's, at the four questions. */
export async function runComparison(bench: Bench): Promise<void> {
  const { folder, options } = bench;
  const upstream = await startUpstream(folder);
  const start = async () => {
    const { gateway, handWritten } = await startPair({ folder, upstream: upstream.url, profiles: options.profile });
    return { ours: gateway, theirs: handWritten };
  };
  printTable(titles, await measureQuestions(bench, upstream, selectNamed(questions, options.only), start));
}

/** Measures two services at each question, and returns a row of the table for each. */
export async function measureQuestions(
  bench: Bench,
  upstream: Upstream,
  asked: readonly Question[],
  start: () => Promise<Readonly<Record<keyof Rounds, Service>>>,
): Promise<readonly (readonly string[])[]> {
  const { rounds, profile } = bench.options;
  const measured = new Map<Question, Rounds[]>(asked.map((question) => [question, []]));
  await measurePairs(
    rounds,
    start,
    async ({ ours, theirs }, share) => {
      for (const question of asked) await checkAnswers([ours, theirs], upstream, question);
      for (const [question, ofEach] of measured) {
        ofEach.push(await compare(bench, upstream, question, [ours, theirs], share));
      }
    },
    { leavesProfiles: profile !== undefined },
  );
  return [...measured].map(toRow);
}

function toRow([{ name, calls }, measured]: readonly [Question, readonly Rounds[]]): readonly string[] {
  const ratios = measured.map(ratiosOf);
  const ofEach = ratios.map((pair) => median(pair).toFixed(2)).join(', ');
  const sides = (['ours', 'theirs'] as const).map((side) => summary(measured.flatMap((rounds) => rounds[side])));
  return [name, String(calls), ...sides, spread(ratios.flat(), 2), ofEach];
}
