import { join } from 'node:path';
import { imageSettings } from '../support/image.ts';
import { credentials } from './files.ts';
import type { Target } from './load.ts';
import { answered, freePort, start } from './programs.ts';
import { one, type Query, type Question } from './questions.ts';
import type { Asked } from './rounds.ts';

const thisCheckout = join(import.meta.dirname, '../..');

/** One of the two that are compared. */
export interface Service {
  readonly name: 'gateway' | 'hand-written';
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
  /** The file of the authority that signed the upstream's certificate. */
  readonly authority?: string | undefined;
  /** What runs the process, where that is not Node itself. */
  readonly wrapper?: readonly string[] | undefined;
}

export interface GatewayOptions extends StartOptions {
  /** The checkout whose dist/ is run; this one where none is named. */
  readonly root?: string;
  /** A port that it shares with others. */
  readonly sharedPort?: number;
  /** Variables of its own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Headers that its clients send beside their credentials. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The gateway as in production: compiled JavaScript, every limit on, the image's memory, its log in a file. */
export async function startGateway({
  folder,
  upstream,
  profiles,
  wrapper,
  sharedPort,
  root = thisCheckout,
  authority,
  environment: own = {},
  headers = {},
}: GatewayOptions): Promise<Gateway> {
  const image = imageSettings(root);
  const adminPort = await freePort();
  const listening = sharedPort ?? (await freePort());
  const environment = {
    ...image.environment,
    ...trusting(authority),
    NODE_ENV: 'production',
    PORT: String(listening),
    ADMIN_PORT: String(adminPort),
    UPSTREAM_URL: upstream,
    UPSTREAM_MONEY_UNIT: 'major',
    UPSTREAM_CURRENCY: 'NGN',
    DRAIN_DELAY_MS: '0',
    ...(sharedPort === undefined ? {} : { REUSE_PORT: '1' }),
    ...own,
  };
  const output = join(folder, 'gateway.log');
  const args = [...image.flags, ...profiling(profiles, 'gateway'), join(root, 'dist/cli.js'), 'serve'];
  const targetOf = ({ document, variables }: Query): Target => ({
    url: `http://127.0.0.1:${listening}/graphql`,
    method: 'POST',
    headers: { ...headers, ...credentials, 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
  });
  const pid = start(process.execPath, args, { environment, output, wrapper });
  const admin = `http://127.0.0.1:${adminPort}`;
  // On a shared port another process may answer.
  const startMs = await answered(() =>
    sharedPort === undefined ? ask(targetOf(one)) : fetch(`${admin}/health/ready`),
  );
  return { name: 'gateway', pid, startMs, targetOf, metricsUrl: `${admin}/metrics` };
}

export async function startHandWritten({
  folder,
  upstream,
  profiles,
  wrapper,
  authority,
}: StartOptions): Promise<Service> {
  const listening = await freePort();
  const program = join(import.meta.dirname, 'hand-written.ts');
  const output = join(folder, 'hand-written.log');
  const args = [...profiling(profiles, 'hand-written'), program, String(listening), upstream];
  const targetOf = ({ target }: Question): Target => ({
    url: `http://127.0.0.1:${listening}${target}`,
    method: 'GET',
    headers: credentials,
    body: '',
  });
  const pid = start(process.execPath, args, {
    environment: { ...trusting(authority), NODE_ENV: 'production' },
    output,
    wrapper,
  });
  return { name: 'hand-written', pid, startMs: await answered(() => ask(targetOf(one))), targetOf };
}

function trusting(authority: string | undefined): Readonly<Record<string, string>> {
  return authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: authority };
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
