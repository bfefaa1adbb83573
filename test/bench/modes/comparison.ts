import { median } from '../../support/median.ts';
import { checkAnswers, compare, ratiosOf, summary, type Rounds } from '../compare.ts';
import { measurePairs, startPair } from '../pairs.ts';
import { questions, type Question } from '../questions.ts';
import { printTable, spread } from '../report.ts';
import { startUpstream } from '../upstream.ts';
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
  const measured = new Map<Question, Rounds[]>(selectNamed(questions, options.only).map((question) => [question, []]));
  const start = () => startPair({ folder, upstream: upstream.url, profiles: options.profile });
  const leavesProfiles = options.profile !== undefined;
  await measurePairs(
    options.rounds,
    start,
    async ({ gateway, handWritten }, rounds) => {
      for (const question of measured.keys()) await checkAnswers([gateway, handWritten], upstream, question);
      for (const [question, ofEach] of measured) {
        ofEach.push(await compare(bench, upstream, question, [gateway, handWritten], rounds));
      }
    },
    { leavesProfiles },
  );
  printTable(titles, [...measured].map(toRow));
}

export function toRow([{ name, calls }, measured]: readonly [Question, readonly Rounds[]]): readonly string[] {
  const ratios = measured.map(ratiosOf);
  const ofEach = ratios.map((pair) => median(pair).toFixed(2)).join(', ');
  const sides = (['ours', 'theirs'] as const).map((side) => summary(measured.flatMap((rounds) => rounds[side])));
  return [name, String(calls), ...sides, spread(ratios.flat(), 2), ofEach];
}
