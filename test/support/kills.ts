import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createKeyed, creating, referenceOf, startGatewayProcess, toldOf, type GatewayProcess } from './keyed.ts';
import { failure, startUpstream, type Reply, type SeenRequest } from './upstream.ts';

/** Creates at once at one gateway. */
const atOnce = 16;
const longestLatencyMs = 30;
/** A gateway is killed at a random moment of this much of its load. */
const longestLifeMs = 800;
/** Short, so that a create that was lost with its process is soon known as lost. */
const timeouts = { UPSTREAM_TIMEOUT_MS: '400', REQUEST_TIMEOUT_MS: '400' };

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
  /** Told `OUTCOME_UNKNOWN`, in the end. */
  unknown: number;
  /** What a client was told that the service, or what was told before, contradicts. */
  readonly contradictions: string[];
}

/** Kills a gateway under load, starts it again on the same store, asks again for all that is open, and so on. */
export async function killAndRestart(journal: Journal, store: string, mark: string, rounds: number): Promise<Kills> {
  const result: Kills = { kills: 0, creates: 0, interrupted: 0, unknown: 0, contradictions: [] };
  const told = new Map<string, string>();
  const open = new Set<string>();
  const environment = { ...timeouts, UPSTREAM_URL: journal.url, IDEMPOTENCY_STORE: store };

  /** Asks once; false when the gateway has gone. */
  const ask = async (gateway: GatewayProcess, reference: string): Promise<boolean> => {
    open.add(reference);
    const answer = await createKeyed(gateway, reference).catch(() => undefined);
    if (answer === undefined) return false;
    const now = toldOf(answer);
    const fault = faultOf(now, told.get(reference), journal.recordsOf(reference));
    if (fault !== undefined) result.contradictions.push(`${reference}: ${fault}`);
    told.set(reference, now);
    if (now !== 'refused') open.delete(reference);
    return true;
  };
  /** One client: what is open first, then new creates, and now and then one that is settled. */
  const load = async (gateway: GatewayProcess, left: string[]): Promise<void> => {
    for (;;) {
      const settled = [...told.keys()][Math.floor(Math.random() * told.size * 4)];
      const reference = left.shift() ?? settled ?? `${mark}-${(result.creates += 1)}`;
      if (!(await ask(gateway, reference))) return;
    }
  };

  for (let round = 0; round < rounds; round += 1) {
    const gateway = await startGatewayProcess(environment);
    const left = [...open];
    const clients = Array.from({ length: atOnce }, () => load(gateway, left));
    await delay(Math.random() * longestLifeMs);
    gateway.signal('SIGKILL');
    await Promise.all([...clients, gateway.exited]);
    result.kills += 1;
    result.interrupted += open.size;
  }
  const last = await startGatewayProcess(environment);
  for (const turn of [1, 2]) {
    const asked = turn === 1 ? [...told.keys(), ...open] : [...told.keys()];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let next = asked.shift(); next !== undefined; next = asked.shift()) await ask(last, next);
      }),
    );
  }
  last.signal('SIGKILL');
  await last.exited;
  result.unknown = [...told.values()].filter((one) => one === 'OUTCOME_UNKNOWN').length;
  return result;
}

/** What is wrong with being told this, after that, while the service holds so many records. */
function faultOf(now: string, before: string | undefined, records: number): string | undefined {
  if (records > 1) return `${records} records`;
  if (before === 'done' && now !== 'done') return `done, and then ${now}`;
  if (now === 'done' && records === 0) return 'done, without a record';
  // What was unknown may become known; what is told as not done must not be there.
  return now !== 'done' && now !== 'OUTCOME_UNKNOWN' && records > 0 ? `${now}, beside a record` : undefined;
}
