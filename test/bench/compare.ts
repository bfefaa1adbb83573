import { isDeepStrictEqual } from 'node:util';
import { median } from './median.ts';
import type { Bench } from './modes/mode.ts';
import type { Question } from './questions.ts';
import { interleave, runRound, warmUp, type Round } from './rounds.ts';
import { ask, askedOf, type Service } from './services.ts';
import type { Upstream } from './upstream.ts';

const exactRequests = 5;
const warmUpSeconds = 3;

/** The rounds of services that are compared, those of the same index side by side in time. */
export type Rounds = Readonly<Record<string, readonly Round[]>>;

/** So many rounds of all in turn, once they are warm. */
export async function compare(
  { send, options }: Bench,
  upstream: Upstream,
  question: Question,
  services: Readonly<Record<string, Service>>,
  rounds: number,
): Promise<Rounds> {
  const measuring = { send, upstream, connections: 8, seconds: options.seconds ?? 2 };
  const asked = Object.entries(services).map(([name, service]) => [name, askedOf(service, question)] as const);
  await warmUp(
    { ...measuring, seconds: warmUpSeconds },
    asked.map(([, each]) => each),
  );
  return interleave(rounds, Object.fromEntries(asked.map(([name, each]) => [name, () => runRound(measuring, each)])));
}

/** Of each two rounds that lay side by side, the CPU per request of the first over that of the other. */
export function ratiosOf(ours: readonly Round[] = [], theirs: readonly Round[] = []): readonly number[] {
  return ours.map(({ cpuUs }, index) => cpuUs / (theirs[index]?.cpuUs ?? 0));
}

/** Throws unless all answer the same, whatever the order of keys, by exactly the calls that the question plans. */
export async function checkAnswers(
  services: readonly Service[],
  upstream: Upstream,
  question: Question,
): Promise<void> {
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

/** CPU µs per request, requests per second, and latency. */
export function summary(rounds: readonly Round[]): string {
  const of = (value: (round: Round) => number): number => median(rounds.map(value));
  const perSecond = of(({ requests, seconds }) => requests / seconds);
  const times = `${of(({ p50Ms }) => p50Ms).toFixed(1)} ms, ${of(({ p99Ms }) => p99Ms).toFixed(1)} ms`;
  return `${of(({ cpuUs }) => cpuUs).toFixed(0)}, ${perSecond.toFixed(0)}, ${times}`;
}
