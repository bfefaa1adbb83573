import type { GatewayServer } from '../../../src/server.ts';
import type { Certified } from '../../support/certificates.ts';
import { startFaultUpstream, type AskedRequest, type SocketAnswer } from '../../support/upstream/fault-upstream.ts';
import { healthy, type Scene } from './faults.ts';
import { credentials, startGateway, type GraphQLErrorAnswer } from '../../support/gateway.ts';
import type { Probe } from './probes.ts';

/** Far behind every time-out of the gateway: what is not answered by then hangs. */
const watchdogMs = 15_000;
const groupSize = 8;
/** What ends by itself has its time on a busy machine, too. */
const environmentOf = ({ read }: Expectation) =>
  read === 'UPSTREAM_TIMEOUT' ? { UPSTREAM_TIMEOUT_MS: '1000', REQUEST_TIMEOUT_MS: '3000' } : {};

/** What stands beside the probe in the same document; beside a write it is a write, and comes after it. */
const neighbours = {
  read: { root: 'query', field: 'neighbour: settlementBank(id: "healthy") { name }', answer: { name: 'Healthy' } },
  write: {
    root: 'mutation',
    field: 'neighbour: updateSettlementBank(input: { id: "healthy", name: "N" }) { settlementBank { name } }',
    answer: { settlementBank: { name: 'Healthy' } },
  },
};
const healthyRecord = '{"success":true,"data":{"id":"healthy","name":"Healthy"}}';

/** All that a proof looks at in one answered cell. */
interface Outcome {
  readonly faulty: unknown;
  readonly neighbour: unknown;
  /** Each error's code, the slot it stands in, and what it tells a client to do. */
  readonly errors: readonly unknown[];
  /** Whether the probe's own call was made at least once and no more often than it may be. */
  readonly isAskedAsAllowed: boolean;
  /** Whether anything of an answer that must not be used has come through. */
  readonly holdsPlanted: boolean;
}

/** An operation that met a fault: what came, what should have come. */
export interface Cell {
  readonly operation: string;
  readonly outcome: Outcome | 'no answer' | 'no GraphQL answer';
  readonly expected: Outcome;
}

/** What one fault must come to. */
export interface Expectation {
  /** An error's code; or the right answer, whole or without the one value that cannot be read. */
  readonly read: 'answered' | 'spoiled' | Uppercase<string>;
  readonly write: 'answered' | 'spoiled' | Uppercase<string>;
  /** How often a read may be asked. A write may be asked once. */
  readonly reads?: number;
  readonly retryAfterSeconds?: number;
}

type FaultOf = (scene: Scene) => SocketAnswer;

/** Every probe against one fault, each by a gateway of its own, a few at a time. */
export async function runCells(
  probes: readonly Probe[],
  fault: FaultOf,
  expectation: Expectation,
  elsewhere: string,
  certified?: Certified,
): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (let start = 0; start < probes.length; start += groupSize) {
    const group = probes.slice(start, start + groupSize);
    // All are started before the first is asked: starting one takes the time that others are measured by.
    const started = await Promise.all(
      group.map((probe) => startCell(probe, fault, expectation, { elsewhere, certified })),
    );
    cells.push(...(await Promise.all(started.map((cell) => runCell(cell, expectation)))));
  }
  return cells;
}

async function startCell(
  probe: Probe,
  fault: FaultOf,
  expectation: Expectation,
  { elsewhere, certified }: { readonly elsewhere: string; readonly certified: Certified | undefined },
) {
  let count = 0;
  const answer = ({ method, path }: AskedRequest): SocketAnswer => {
    const scene: Scene = { json: healthyRecord, member: '', count: 0, elsewhere };
    if (`${method} ${path.replace('/api/v1', '').replace(/\?.*$/, '')}` !== probe.target) return healthy(scene);
    count += 1;
    return fault({ json: probe.json, member: probe.member, count, elsewhere });
  };
  const upstream = await startFaultUpstream(answer, certified);
  const gateway = await startGateway({ upstream: upstream.url, environment: environmentOf(expectation) });
  return { probe, gateway, asked: () => count };
}

async function runCell(
  { probe, gateway, asked }: Awaited<ReturnType<typeof startCell>>,
  expectation: Expectation,
): Promise<Cell> {
  const { kind, operation, slot } = probe;
  const answer = await ask(gateway, probe);
  // What was still under way has ended: nothing more can be asked.
  await gateway.close();
  const expected = expectedOf(probe, expectation);
  if (typeof answer === 'string') return { operation, outcome: answer, expected };
  const most = kind === 'write' ? 1 : (expectation.reads ?? 3);
  const outcome = {
    faulty: slot.reduce<unknown>(memberOf, answer.data) ?? null,
    neighbour: memberOf(answer.data, 'neighbour') ?? null,
    errors: (answer.errors ?? []).map(({ path = [], extensions: { code, retryable, retryAfterSeconds } }) => ({
      code,
      slot: path.slice(0, slot.length).join('.'),
      retryable,
      retryAfterSeconds,
    })),
    isAskedAsAllowed: asked() >= 1 && asked() <= most,
    holdsPlanted: JSON.stringify(answer).includes('planted'),
  };
  return { operation, outcome, expected };
}

interface RawAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLErrorAnswer[];
}

/** The document that asks a probe beside its neighbour. */
export function documentOf({ kind, field }: Probe): string {
  return `${neighbours[kind].root} { ${field} ${neighbours[kind].field} }`;
}

async function ask({ url }: GatewayServer, probe: Probe): Promise<RawAnswer | 'no answer' | 'no GraphQL answer'> {
  const signal = AbortSignal.timeout(watchdogMs);
  try {
    const headers = { 'content-type': 'application/json', ...credentials };
    const body = JSON.stringify({ query: documentOf(probe) });
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body, signal });
    return response.status === 200 ? ((await response.json()) as RawAnswer) : 'no GraphQL answer';
  } catch {
    return signal.aborted ? 'no answer' : 'no GraphQL answer';
  }
}

/** Codes after which a client may repeat what it asked. */
const retryable: ReadonlySet<string> = new Set(['UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE', 'RATE_LIMITED']);

function expectedOf({ kind, slot, answer, spoiled }: Probe, expectation: Expectation): Outcome {
  const result = expectation[kind];
  const { retryAfterSeconds } = expectation;
  const codes: Readonly<Record<string, readonly string[]>> = { answered: [], spoiled: ['UPSTREAM_INVALID_RESPONSE'] };
  const values: Readonly<Record<string, unknown>> = { answered: answer, spoiled };
  return {
    faulty: values[result] ?? null,
    neighbour: neighbours[kind].answer,
    errors: (codes[result] ?? [result]).map((code) => ({
      code,
      slot: slot.join('.'),
      retryable: retryable.has(code),
      retryAfterSeconds,
    })),
    isAskedAsAllowed: true,
    holdsPlanted: false,
  };
}

function memberOf(value: unknown, key: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[key]; // an answer, read like any JSON
}
