import { stop } from './programs.ts';
import { startGateway, startHandWritten, type Gateway, type Service, type StartOptions } from './services.ts';

export interface Pair {
  readonly gateway: Gateway;
  readonly handWritten: Service;
}

/** The gateway and the service written by hand. */
export async function startPair(options: StartOptions): Promise<Pair> {
  return { gateway: await startGateway(options), handWritten: await startHandWritten(options) };
}

/**
 * One process may be a third slower than another of the same program, from its start to its end: so both are started
 * anew, and every pair of processes gives a share of the rounds.
 */
const pairs = 3;

/** Measures so many rounds, a share of them with each pair of processes; with one pair alone where it leaves profiles. */
export async function measurePairs<Started extends object>(
  rounds: number,
  start: () => Promise<Started>,
  measure: (pair: Started, rounds: number) => Promise<void>,
  { leavesProfiles = false } = {},
): Promise<void> {
  // Each process leaves a profile under the same name.
  const count = leavesProfiles ? 1 : pairs;
  for (let started = 0; started < count; started += 1) {
    const pair = await start();
    await measure(pair, Math.ceil(rounds / count));
    await stop(...Object.values(pair).map(({ pid }: { readonly pid: number }) => pid));
  }
}
