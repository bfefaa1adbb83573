import { isDeepStrictEqual } from 'node:util';
import { questions, type Question } from '../questions.ts';
import { median } from '../../support/median.ts';
import { printTable, spread } from '../report.ts';
import { interleave, runRound, type Round } from '../rounds.ts';
import { ask, askedOf, startGateway, startHandWritten, type Service } from '../services.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { selectNamed, type Bench } from './mode.ts';

const exactRequests = 5;
/** A process that serves for days is measured, not one whose code is still being compiled: that takes so long. */
const warmUpSeconds = 20;
const titles = [
  'question',
  'calls',
  'gateway: CPU µs, requests/s, p50, p99',
  'by hand: CPU µs, requests/s, p50, p99',
  'CPU ratio (lowest–highest)',
];

/** CPU per request of the gateway beside the hand-written service's, at the four questions. */
export async function runComparison({ folder, send, options }: Bench): Promise<void> {
  const upstream = await startUpstream(folder);
  const gateway = await startGateway({ folder, upstream: upstream.url, profiles: options.profile });
  const handWritten = await startHandWritten({ folder, upstream: upstream.url, profiles: options.profile });
  const asked = selectNamed(questions, options.only);
  for (const question of asked) await checkAnswers([gateway, handWritten], upstream, question);
  const measuring = { send, upstream, connections: 8, seconds: options.seconds ?? 2 };
  const rows: (readonly string[])[] = [];
  for (const question of asked) {
    for (const service of [gateway, handWritten]) {
      await runRound({ ...measuring, seconds: warmUpSeconds }, askedOf(service, question));
    }
    const measured = await interleave(options.rounds, {
      gateway: () => runRound(measuring, askedOf(gateway, question)),
      handWritten: () => runRound(measuring, askedOf(handWritten, question)),
    });
    // Of each pair of rounds, which lay side by side.
    const ratios = measured.gateway.map(({ cpuUs }, index) => cpuUs / (measured.handWritten[index]?.cpuUs ?? 0));
    const sides = [summary(measured.gateway), summary(measured.handWritten)];
    rows.push([question.name, String(question.calls), ...sides, spread(ratios, 2)]);
  }
  printTable(titles, rows);
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
