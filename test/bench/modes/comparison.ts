import { isDeepStrictEqual } from 'node:util';
import { questions, type Question } from '../questions.ts';
import { median } from '../../support/median.ts';
import { measurePairs, type Pair } from '../pairs.ts';
import { printTable, spread } from '../report.ts';
import { interleave, runRound, warmUp, type Round } from '../rounds.ts';
import { ask, askedOf, type Service } from '../services.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { selectNamed, type Bench } from './mode.ts';

const exactRequests = 5;
const warmUpSeconds = 3;
const titles = [
  'question',
  'calls',
  'gateway: CPU µs, requests/s, p50, p99',
  'by hand: CPU µs, requests/s, p50, p99',
  'CPU ratio (lowest–highest)',
  '… of each pair of processes',
];

type Rounds = Readonly<Record<keyof Pair, readonly Round[]>>;

/** CPU per request of the gateway beside the hand-written service's, at the four questions. */
export async function runComparison(bench: Bench): Promise<void> {
  const { folder, options } = bench;
  const upstream = await startUpstream(folder);
  const asked = selectNamed(questions, options.only);
  const measured = new Map<Question, Rounds[]>(asked.map((question) => [question, []]));
  const start = { folder, upstream: upstream.url, profiles: options.profile };
  await measurePairs(options.rounds, start, async (pair, rounds) => {
    for (const question of asked) await checkAnswers([pair.gateway, pair.handWritten], upstream, question);
    for (const [question, ofEach] of measured) {
      ofEach.push(await compare(bench, upstream, question, pair, rounds));
    }
  });
  printTable(titles, [...measured].map(toRow));
}

/** So many rounds of both in turn, once both are warm. */
async function compare(
  { send, options }: Bench,
  upstream: Upstream,
  question: Question,
  { gateway, handWritten }: Pair,
  rounds: number,
): Promise<Rounds> {
  const measuring = { send, upstream, connections: 8, seconds: options.seconds ?? 2 };
  const asked = { gateway: askedOf(gateway, question), handWritten: askedOf(handWritten, question) };
  await warmUp({ ...measuring, seconds: warmUpSeconds }, Object.values(asked));
  return interleave(rounds, {
    gateway: () => runRound(measuring, asked.gateway),
    handWritten: () => runRound(measuring, asked.handWritten),
  });
}

function toRow([{ name, calls }, measured]: readonly [Question, readonly Rounds[]]): readonly string[] {
  const ratios = measured.map(ratiosOf);
  const ofEach = ratios.map((own) => median(own).toFixed(2)).join(', ');
  const sides = (['gateway', 'handWritten'] as const).map((side) =>
    summary(measured.flatMap((rounds) => rounds[side])),
  );
  return [name, String(calls), ...sides, spread(ratios.flat(), 2), ofEach];
}

/** Of each two rounds, which lay side by side. */
function ratiosOf({ gateway, handWritten }: Rounds): readonly number[] {
  return gateway.map(({ cpuUs }, index) => cpuUs / (handWritten[index]?.cpuUs ?? 0));
}

/** Throws unless both answer the same, whatever the order of keys, by exactly the calls that the question plans. */
async function checkAnswers(services: readonly Service[], upstream: Upstream, question: Question): Promise<void> {
  const answers: unknown[] = [];
  for (const service of services) {
    const before = await upstream.calls();
    for (let index = 0; index < exactRequests; index += 1) {
      answers.push(await (await ask(service.targetOf(question))).json());
    }
    const calls = ((await upstream.calls()) - before) / exactRequests;
    if (calls !== question.calls) throw new Error(`${service.name}: ${calls} calls for “${question.name}”`);
  }
  const [first] = answers;
  const differing = answers.find((answer) => !isDeepStrictEqual(answer, first));
  if (differing === undefined) return;
  throw new Error(`The answers to “${question.name}” differ:\n${JSON.stringify(first)}\n${JSON.stringify(differing)}`);
}

function summary(rounds: readonly Round[]): string {
  const of = (value: (round: Round) => number): number => median(rounds.map(value));
  const perSecond = of(({ requests, seconds }) => requests / seconds);
  const times = `${of(({ p50Ms }) => p50Ms).toFixed(1)} ms, ${of(({ p99Ms }) => p99Ms).toFixed(1)} ms`;
  return `${of(({ cpuUs }) => cpuUs).toFixed(0)}, ${perSecond.toFixed(0)}, ${times}`;
}
