import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { createCustomer, createGate, postsOf } from '../../support/create.ts';
import { codes, credentials, query, startGateway, startScripted, type GraphQLAnswer } from '../../support/gateway.ts';
import { startCommand, type RunningCommand } from '../../support/process.ts';
import { success, type Reply, type SeenRequest } from '../../support/upstream/upstream.ts';

/** Creates at once; fewer than one caller may have in flight, so that each is on its way and none waits its turn. */
const waveSize = 25;

export const referenceOf = ({ body }: Pick<SeenRequest, 'body'>): string =>
  (JSON.parse(body) as { readonly reference: string }).reference;

/** A record of the reference that it is asked to create; to everything else a small record. */
export const creating = (request: SeenRequest): Reply =>
  request.method === 'POST'
    ? success({ id: `id-of-${referenceOf(request)}`, reference: referenceOf(request) }, 201)
    : success({ id: 'c1', type: 'wallet' });

const references = (count: number, mark = 'ref'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${mark}-${index}`);

/** Creates the reference under a key of its own. */
export const createKeyed = (gateway: { readonly url: string }, reference: string): Promise<GraphQLAnswer> =>
  createCustomer(gateway, { key: `key-of-${reference}`, input: { reference } });

/** What a client reads of a create: `done`, `refused`, or the code of the error. */
export function toldOf({ data, errors }: GraphQLAnswer): string {
  const [error] = errors;
  if (error !== undefined) return String(error.extensions['code']);
  return data.createCustomer.customer === null ? 'refused' : 'done';
}

/** The codes that are told, and after how many milliseconds. */
export async function timed(asked: Promise<GraphQLAnswer>) {
  const askedAt = performance.now();
  const told = codes(await asked);
  return { told, tookMs: performance.now() - askedAt };
}

/** What each of small requests took that are asked while that goes on, in milliseconds: a busy machine makes all late. */
export async function timesWhile(going: Promise<unknown>, ask: () => Promise<unknown>): Promise<readonly number[]> {
  const over = new AbortController();
  const ended = going.finally(() => over.abort());
  const times: number[] = [];
  while (!over.signal.aborted) {
    const askedAt = performance.now();
    await ask();
    times.push(performance.now() - askedAt);
    await delay(20);
  }
  await ended;
  return times;
}

/** What was told of each reference, asked in waves. */
async function askAll(
  asked: readonly string[],
  ask: (reference: string) => Promise<GraphQLAnswer>,
): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  for (let start = 0; start < asked.length; start += waveSize) {
    const wave = asked.slice(start, start + waveSize);
    const answers = await Promise.all(
      wave.map(async (reference) => [reference, toldOf(await ask(reference))] as const),
    );
    for (const [reference, one] of answers) told.set(reference, one);
  }
  return told;
}

export const withTold = (told: ReadonlyMap<string, string>, one: string): readonly string[] =>
  [...told].filter(([, each]) => each === one).map(([reference]) => reference);

/** How often each reference was sent. */
function sentOf(requests: readonly SeenRequest[]): ReadonlyMap<string, number> {
  const sent = new Map<string, number>();
  for (const reference of postsOf(requests).map(referenceOf)) sent.set(reference, (sent.get(reference) ?? 0) + 1);
  return sent;
}

type Environment = Readonly<Record<string, string>>;

/** Creates whose every connection is cut, so that the throttle refuses most; then the same again, twice, at a service that is well. */
export async function createWhileDown(environment: Environment, count: number) {
  let isDown = true;
  const { gateway, upstream } = await startScripted((request) => (isDown ? { cut: true } : creating(request)), {
    environment,
  });
  const asked = references(count);
  const ask = (reference: string) => createKeyed(gateway, reference);
  const first = await askAll(asked, ask);
  const sentFirst = sentOf(upstream.requests);
  isDown = false;
  const read = () => query(gateway, '{ customer(id: "c1") { type } }');
  await expect.poll(async () => codes(await read())).toEqual([]);
  const second = await askAll(asked, ask);
  const sentSecond = sentOf(upstream.requests);
  const third = await askAll(asked, ask);
  return { asked, first, sentFirst, second, sentSecond, third, sentThird: sentOf(upstream.requests) };
}

/** Creates of which every third is cut after it was read, and then all again. */
export async function createWithCuts(environment: Environment, count: number) {
  const isCut = (reference: string): boolean => Number(reference.split('-')[1]) % 3 === 0;
  const { gateway, upstream } = await startScripted(
    (request) => (isCut(referenceOf(request)) ? { cut: true } : creating(request)),
    { environment },
  );
  const asked = references(count);
  const first = await askAll(asked, (reference) => createKeyed(gateway, reference));
  const sent = upstream.requests.length;
  const again = await askAll(asked, (reference) => createKeyed(gateway, reference));
  return { cut: asked.filter(isCut), first, sent, again, sentAgain: upstream.requests.length };
}

/** Clients that leave while their creates are on their way, and then ask again under the same keys. */
export async function leaveWhileCreating(environment: Environment, count: number) {
  let gate = createGate();
  const { gateway, upstream } = await startScripted(
    async (request) => {
      await gate.pass();
      return creating(request);
    },
    { environment },
  );
  const again = new Map<string, string>();
  let left = 0;
  for (let start = 0; start < count; start += waveSize) {
    const wave = references(Math.min(waveSize, count - start), `wave${start}`);
    const leaving = new AbortController();
    const asked = wave.map((reference) => post(gateway.url, reference, leaving.signal));
    await expect.poll(() => upstream.requests.length).toBe(start + wave.length);
    leaving.abort();
    left += (await Promise.all(asked)).filter((name) => name === 'AbortError').length;
    // What is answered now was read after the connections of those who left had closed.
    await query(gateway, '{ __typename }');
    gate.open();
    const told = await askAll(wave, (reference) => createKeyed(gateway, reference));
    for (const [reference, one] of told) again.set(reference, one);
    gate = createGate();
  }
  return { left, again, sent: upstream.requests.length };
}

async function post(url: string, reference: string, signal: AbortSignal): Promise<string> {
  const document = `mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } } }`;
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials, 'idempotency-key': `key-of-${reference}` },
    body: JSON.stringify({ query: document, variables: { input: { reference } } }),
    signal,
  }).then(
    ({ status }) => (status === 503 ? post(url, reference, signal) : 'answered'),
    (error: Error) => error.name,
  );
}

/** Equal creates under one key at once, at several gateways in turn; their answers as text, each once. */
export async function createEqual(gateways: readonly { readonly url: string }[], count: number) {
  const asked = Array.from({ length: count }, (_, index) =>
    createKeyed(gateways[index % gateways.length] ?? { url: '' }, 'ref-0'),
  );
  const answers = await Promise.all(asked);
  return new Set(answers.map(({ data, errors }) => JSON.stringify([data, errors])));
}

/** The same in one process. */
export async function createEqualInOne(environment: Environment, count: number) {
  const { gateway, upstream } = await startScripted(slowly(creating), { environment });
  const other = await startGateway({ upstream: upstream.url, environment });
  return { answers: await createEqual([gateway, other], count), sent: upstream.requests.length };
}

/** Answers after a while, so that others meet a call on its way. */
export const slowly =
  (script: (request: SeenRequest) => Reply) =>
  async (request: SeenRequest): Promise<Reply> => {
    await delay(100);
    return script(request);
  };

export interface GatewayProcess extends RunningCommand {
  readonly url: string;
}

/** A gateway in a process of its own, ready. */
export async function startGatewayProcess(environment: Environment): Promise<GatewayProcess> {
  const gateway = startCommand('node', ['src/cli.ts', 'serve'], {
    environment: { LOG_LEVEL: 'error', ...environment },
  });
  const [, url = ''] = await gateway.printed(/GraphQL\s+(http:\S+)\/graphql/);
  return { ...gateway, url };
}
