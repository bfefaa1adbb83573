import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createKeyed, creating, referenceOf, startGatewayProcess, toldOf } from './keyed.ts';
import type { RedisServer } from '../../upstream/idempotency/redis.ts';
import { failure, startUpstream, type Reply, type SeenRequest } from '../../support/upstream/upstream.ts';

/** Creates at once at one gateway. */
const atOnce = 16;
const longestLatencyMs = 30;
/** A gateway is killed at a random moment of this much of its load. */
const longestLifeMs = 800;
/** Short, so that a create that was lost with its process is soon known as lost. */
export const shortTimeouts = { UPSTREAM_TIMEOUT_MS: '400', REQUEST_TIMEOUT_MS: '400' };

/** What a service did of a create: all that it ever did, in order. */
type Done = 'recorded' | 'refused';

/** A service that takes its time, refuses some creates at their first try, and cuts the connection of some that it has recorded. */
export async function startJournal() {
  const journal = new Map<string, Done[]>();
  const upstream = await startUpstream(async (request: SeenRequest): Promise<Reply> => {
    const reference = referenceOf(request);
    const done = journal.get(reference) ?? [];
    journal.set(reference, done);
    const kind = Number(reference.split('-').at(-1)) % 10;
    // What it does comes before its answer, as with any service.
    const act = kind === 3 && done.length === 0 ? 'refused' : 'recorded';
    done.push(act);
    await delay(Math.random() * longestLatencyMs);
    if (act === 'refused') return failure(422);
    return kind === 7 ? { cut: true } : creating(request);
  });
  onTestFinished(upstream.close);
  const recordsOf = (reference: string): number =>
    journal.get(reference)?.filter((done) => done === 'recorded').length ?? 0;
  return { url: upstream.url, journal, recordsOf };
}

type Journal = Awaited<ReturnType<typeof startJournal>>;

export interface Kills {
  kills: number;
  creates: number;
  /** Creates of which nothing was heard because their gateway died. */
  interrupted: number;
  /** Told `OUTCOME_UNKNOWN`, in the end; and those of them that the service has no record of. */
  unknown: number;
  unknownInVain: number;
  /** Told as done, and later as `OUTCOME_UNKNOWN`: the store was away for longer than an outcome is kept for it. */
  forgotten: number;
  /** What a client was told that the service, or what was told before, contradicts. */
  readonly contradictions: string[];
}

interface Target {
  readonly url: string;
}

/** A client that remembers what it was told, and holds it against what the service did. */
function createWitness(journal: Journal, mark: string, mayForget = false) {
  const result: Kills = {
    kills: 0,
    creates: 0,
    interrupted: 0,
    unknown: 0,
    unknownInVain: 0,
    forgotten: 0,
    contradictions: [],
  };
  const told = new Map<string, string>();
  const open = new Set<string>();
  const forgotten = new Set<string>();

  /** Asks once; undefined when the gateway has gone. */
  const ask = async (gateway: Target, reference: string): Promise<string | undefined> => {
    open.add(reference);
    const answer = await createKeyed(gateway, reference).catch(() => undefined);
    if (answer === undefined) return undefined;
    const now = toldOf(answer);
    const isForgotten = mayForget && told.get(reference) === 'done' && now === 'OUTCOME_UNKNOWN';
    if (isForgotten) forgotten.add(reference);
    const fault = faultOf(now, isForgotten ? undefined : told.get(reference), journal.recordsOf(reference));
    if (fault !== undefined) result.contradictions.push(`${reference}: ${fault}`);
    if (now !== 'IDEMPOTENCY_STORE_UNAVAILABLE' || told.get(reference) !== 'done') told.set(reference, now);
    if (now === 'done' || now === 'OUTCOME_UNKNOWN') open.delete(reference);
    return now;
  };
  /** The next to ask for: what is open, now and then one that is settled, else a new one. */
  const next = (left: string[]): string => {
    const settled = [...told.keys()][Math.floor(Math.random() * told.size * 4)];
    return left.shift() ?? settled ?? `${mark}-${(result.creates += 1)}`;
  };
  /** All once more, twice. */
  const askAllAgain = async (gateway: Target): Promise<void> => {
    for (const asked of [[...new Set([...told.keys(), ...open])], [...told.keys()]]) {
      const askInTurn = async (): Promise<void> => {
        for (let one = asked.shift(); one !== undefined; one = asked.shift()) await ask(gateway, one);
      };
      await Promise.all(Array.from({ length: atOnce }, askInTurn));
    }
    const unknown = [...told].filter(([, one]) => one === 'OUTCOME_UNKNOWN').map(([reference]) => reference);
    result.unknown = unknown.length;
    result.forgotten = forgotten.size;
    result.unknownInVain = unknown.filter((reference) => journal.recordsOf(reference) === 0).length;
  };
  return { result, open, ask, next, askAllAgain };
}

/** Kills a gateway under load, starts it again on the same store, asks again for all that is open, and so on. */
export async function killAndRestart(
  journal: Journal,
  store: Readonly<Record<string, string>>,
  mark: string,
  rounds: number,
): Promise<Kills> {
  const witness = createWitness(journal, mark);
  const environment = { ...shortTimeouts, ...store, UPSTREAM_URL: journal.url };
  const load = async (gateway: Target, left: string[]): Promise<void> => {
    while ((await witness.ask(gateway, witness.next(left))) !== undefined);
  };
  for (let round = 0; round < rounds; round += 1) {
    const gateway = await startGatewayProcess(environment);
    const left = [...witness.open];
    const clients = Array.from({ length: atOnce }, () => load(gateway, left));
    await delay(Math.random() * longestLifeMs);
    gateway.signal('SIGKILL');
    await Promise.all([...clients, gateway.exited]);
    witness.result.kills += 1;
    witness.result.interrupted += witness.open.size;
  }
  const last = await startGatewayProcess(environment);
  await witness.askAllAgain(last);
  last.signal('SIGKILL');
  await last.exited;
  return witness.result;
}

/** Kills the store under load, while the gateway lives, and starts it again, and so on. */
export async function killStore(journal: Journal, gateway: Target, redis: RedisServer, rounds: number): Promise<Kills> {
  const witness = createWitness(journal, 'store', true);
  const over = new AbortController();
  const load = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const now = await witness.ask(gateway, witness.next([]));
      // Refused at once: a moment for the store to come back, and again.
      if (now === 'IDEMPOTENCY_STORE_UNAVAILABLE') await delay(20);
    }
  };
  const clients = Array.from({ length: atOnce }, load);
  for (let round = 0; round < rounds; round += 1) {
    await delay(Math.random() * longestLifeMs);
    await redis.kill();
    await redis.restart();
    witness.result.kills += 1;
  }
  over.abort();
  await Promise.all(clients);
  await expect.poll(async () => witness.ask(gateway, 'store-0')).toBe('done');
  await witness.askAllAgain(gateway);
  return witness.result;
}

/** What is wrong with being told this, after that, while the service holds so many records. */
function faultOf(now: string, before: string | undefined, records: number): string | undefined {
  if (records > 1) return `${records} records`;
  // That the store has gone is told of a key whatever has become of it before.
  if (now === 'IDEMPOTENCY_STORE_UNAVAILABLE' && before !== undefined) return undefined;
  if (before === 'done' && now !== 'done') return `done, and then ${now}`;
  if (now === 'done' && records === 0) return 'done, without a record';
  // What was unknown may become known; what is told as not done must not be there.
  return now !== 'done' && now !== 'OUTCOME_UNKNOWN' && records > 0 ? `${now}, beside a record` : undefined;
}
