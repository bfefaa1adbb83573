import { stop } from './programs.ts';
import { startGateway, startHandWritten, type Gateway, type Service, type StartOptions } from './services.ts';

export interface Pair {
  readonly gateway: Gateway;
  readonly handWritten: Service;
}

/**
 * One process may be a third slower than another of the same program, from its start to its end: so both are started
 * anew, and every pair of processes gives a share of the rounds.
 */
const pairs = 3;

/** Measures so many rounds, a share of them with each pair of processes; of one pair alone where it leaves profiles. */
export async function measurePairs(
  rounds: number,
  options: StartOptions,
  measure: (pair: Pair, rounds: number) => Promise<void>,
): Promise<void> {
  // Each process leaves a profile under the same name.
  const count = options.profiles === undefined ? pairs : 1;
  for (let started = 0; started < count; started += 1) {
    const pair = { gateway: await startGateway(options), handWritten: await startHandWritten(options) };
    await measure(pair, Math.ceil(rounds / count));
    await stop(pair.gateway.pid, pair.handWritten.pid);
  }
}
