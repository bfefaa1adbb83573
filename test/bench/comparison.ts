import { isDeepStrictEqual } from 'node:util';
import type { Outcome, SendLoad } from './load.ts';
import { cpuTimeUs } from './processes.ts';
import type { Question } from './questions.ts';
import { ask, type Service } from './services.ts';
import type { Upstream } from './upstream.ts';

const connections = 8;
const exactRequests = 5;

/** One round of one service. */
interface Round extends Outcome {
  /** CPU time of the process for one request. */
  readonly cpuUs: number;
}

/** What rounds of both services in turn came to. */
export interface Comparison {
  readonly question: Question;
  readonly gateway: readonly Round[];
  readonly handWritten: readonly Round[];
}

export interface Bench {
  readonly gateway: Service;
  readonly handWritten: Service;
  readonly upstream: Upstream;
  readonly send: SendLoad;
  readonly seconds: number;
}

/** Throws unless both answer the same, whatever the order of keys, by exactly the calls that the question plans. */
export async function checkAnswers({ gateway, handWritten, upstream }: Bench, question: Question): Promise<void> {
  const answers: unknown[] = [];
  for (const service of [gateway, handWritten]) {
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

/** Rounds of both services in turn, the first of each thrown away. */
export async function compare(bench: Bench, question: Question, rounds: number): Promise<Comparison> {
  const measured: { gateway: Round[]; handWritten: Round[] } = { gateway: [], handWritten: [] };
  for (let index = 0; index <= rounds; index += 1) {
    // Whoever comes second finds the machine as the first left it, so they take turns at that too.
    const order = index % 2 === 0 ? (['gateway', 'handWritten'] as const) : (['handWritten', 'gateway'] as const);
    for (const name of order) {
      const round = await runRound(bench, bench[name], question);
      if (index > 0) measured[name].push(round);
    }
  }
  return { question, ...measured };
}

export async function runRound({ send, seconds }: Bench, service: Service, question: Question): Promise<Round> {
  const before = cpuTimeUs(service.pid);
  const outcome = await send(service.targetOf(question), { connections, seconds });
  return { ...outcome, cpuUs: (cpuTimeUs(service.pid) - before) / outcome.requests };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
