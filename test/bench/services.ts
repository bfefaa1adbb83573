import { join } from 'node:path';
import { imageSettings } from './image.ts';
import { credentials } from './files.ts';
import type { Target } from './load.ts';
import { answered, freePort, start } from './programs.ts';
import { one, type Query, type Question } from './questions.ts';
import type { Asked } from './rounds.ts';

const thisCheckout = join(import.meta.dirname, '../..');

/** One of those that are compared. */
export interface Service {
  readonly name: string;
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  readonly targetOf: (question: Question) => Target;
}

export interface Gateway extends Service {
  readonly targetOf: (query: Query) => Target;
  readonly metricsUrl: string;
}

export interface StartOptions {
  readonly folder: string;
  readonly upstream: string;
  /** Where Node leaves a CPU profile of the process when it ends. */
  readonly profiles?: string | undefined;
}

export interface GatewayOptions extends StartOptions {
  /** The checkout whose dist/ is run; this one where none is named. */
  readonly root?: string;
}

/** The gateway as in production: compiled JavaScript, every limit on, the image's memory, its log in a file. */
export async function startGateway({
  folder,
  upstream,
  profiles,
  root = thisCheckout,
}: GatewayOptions): Promise<Gateway> {
  const image = imageSettings(root);
  const [port, adminPort] = [await freePort(), await freePort()];
  const environment = {
    ...image.environment,
    NODE_ENV: 'production',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    UPSTREAM_URL: upstream,
    UPSTREAM_MONEY_UNIT: 'major',
    UPSTREAM_CURRENCY: 'NGN',
    DRAIN_DELAY_MS: '0',
  };
  const targetOf = graphqlTarget(port, '/graphql');
  const args = [...image.flags, ...profiling(profiles, 'gateway'), join(root, 'dist/cli.js'), 'serve'];
  const pid = start(process.execPath, args, { environment, output: join(folder, 'gateway.log') });
  const startMs = await answered(() => ask(targetOf(one)));
  return { name: 'gateway', pid, startMs, targetOf, metricsUrl: `http://127.0.0.1:${adminPort}/metrics` };
}

export async function startHandWritten({ folder, upstream, profiles }: StartOptions): Promise<Service> {
  const port = await freePort();
  const program = join(import.meta.dirname, 'hand-written.ts');
  const args = [...profiling(profiles, 'hand-written'), program, String(port), upstream];
  const targetOf = ({ target }: Question): Target => ({
    url: `http://127.0.0.1:${port}${target}`,
    method: 'GET',
    headers: credentials,
    body: '',
  });
  const environment = { NODE_ENV: 'production' };
  const pid = start(process.execPath, args, { environment, output: join(folder, 'hand-written.log') });
  return { name: 'hand-written', pid, startMs: await answered(() => ask(targetOf(one))), targetOf };
}

/** A server of test/bench/peers, whose packages are installed, at the address that its framework gives it. */
export async function startPeer(name: 'apollo-fastify' | 'apollo-standalone', options: StartOptions): Promise<Service> {
  const { folder, upstream } = options;
  const port = await freePort();
  const args = [join(import.meta.dirname, `peers/${name}.js`), String(port), upstream];
  const targetOf = graphqlTarget(port, name === 'apollo-fastify' ? '/graphql' : '/');
  const environment = { NODE_ENV: 'production' };
  const pid = start(process.execPath, args, { environment, output: join(folder, `${name}.log`) });
  return { name, pid, startMs: await answered(() => ask(targetOf(one))), targetOf };
}

function graphqlTarget(port: number, path: string): (query: Query) => Target {
  return ({ document, variables }) => ({
    url: `http://127.0.0.1:${port}${path}`,
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
  });
}

function profiling(folder: string | undefined, name: string): readonly string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`];
}

/** A question as one service is asked it. */
export function askedOf<Asking extends Query>(
  { pid, targetOf }: Pick<Service, 'pid'> & { readonly targetOf: (question: Asking) => Target },
  question: Asking,
): Asked {
  return { target: targetOf(question), calls: question.calls, pids: [pid] };
}

export function ask({ url, method, headers, body }: Target): Promise<Response> {
  return fetch(url, { method, headers, ...(body === '' ? {} : { body }) });
}
