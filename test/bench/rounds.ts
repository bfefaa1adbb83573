import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome, SendLoad, Target } from './load.ts';
import { cpuTimeUs } from './programs.ts';
import type { Upstream } from './upstream.ts';

/**
 * A process that makes no calls and has run for no more than this in that time has nothing left to do; unless the whole
 * machine stood still for as long, so it is looked at twice.
 */
const quietMs = 100;
const idleUs = 10_000;
const quietLooks = 2;
const maxLooks = 200;

/**
 * Processes that serve for days are measured, not ones whose code is still being compiled. So many loads and not one long
 * one: clients that leave in the midst of it are another thing that V8 sees for the first time, and compiles anew for.
 */
const warmUps = 6;

/** Who is asked what in a round. */
export interface Asked {
  readonly target: Target;
  /** Calls of the service that one answer takes. */
  readonly calls: number;
  /** The processes that answer. */
  readonly pids: readonly number[];
}

export interface Measuring {
  readonly send: SendLoad;
  readonly upstream: Upstream;
  readonly connections: number;
  readonly seconds: number;
}

export interface Round extends Outcome {
  /** CPU time of the processes for one request. */
  readonly cpuUs: number;
}

/**
 * CPU time for one request, and proof that none took more or fewer calls than planned. At the end of a round the load
 * cuts its connections, with one request begun on each: work without an answer. So the requests are counted by the calls
 * that they made, begun ones by their part, once the processes are at rest.
 */
export async function runRound({ send, upstream, ...load }: Measuring, { target, calls, pids }: Asked): Promise<Round> {
  const [callsBefore, cpuBefore] = [await upstream.calls(), cpuTimeUs(...pids)];
  const outcome = await send(target, load);
  const made = (await finalCalls(upstream, pids)) - callsBefore;
  const { requests } = outcome;
  if (made < requests * calls || made > (requests + load.connections) * calls) {
    throw new Error(`${made} calls were made for ${requests} answers, not ${calls} for each`);
  }
  return { ...outcome, cpuUs: (cpuTimeUs(...pids) - cpuBefore) / (made / calls) };
}

/** Has all of them serve, in turn, until they are warm. */
export async function warmUp(measuring: Measuring, all: readonly Asked[]): Promise<void> {
  for (let turn = 0; turn < warmUps; turn += 1) {
    for (const asked of all) await runRound(measuring, asked);
  }
}

/** Calls alone do not tell: a large document is worked on for a while before its first one. */
async function finalCalls(upstream: Upstream, pids: readonly number[]): Promise<number> {
  for (let look = 0, quiet = 0; look < maxLooks; look += 1) {
    const [calls, cpu] = [await upstream.calls(), cpuTimeUs(...pids)];
    await delay(quietMs);
    const isQuiet = cpuTimeUs(...pids) - cpu <= idleUs && (await upstream.calls()) === calls;
    quiet = isQuiet ? quiet + 1 : 0;
    if (quiet === quietLooks) return calls;
  }
  throw new Error(`the processes are still at work ${(quietMs * maxLooks) / 1000} s after the load has ended`);
}

/**
 * Rounds of all in turn, so that what else the machine does meets them all; forwards and backwards, so that none always
 * follows the same one. The first round of each is thrown away.
 */
export async function interleave<Name extends string, Result>(
  rounds: number,
  runs: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const names = Object.keys(runs) as Name[]; // the type of an object does not promise that it has no more
  const results = {} as Record<Name, Result[]>; // filled in the next line
  for (const name of names) results[name] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await runs[name]();
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}
