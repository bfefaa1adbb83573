import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createLogger, type Logger } from '../../src/runtime/log.ts';
import { startServer, type GatewayServer } from '../../src/server.ts';
import { createContract } from '../../src/contract/contract.ts';
import { startUpstream, type Reply, type ScriptedUpstream, type SeenRequest } from './upstream/upstream.ts';

/** The credentials that tests send unless they say otherwise; obviously fake. */
export const credentials = { authorization: 'Bearer test-token', svcprivatekey: 'test-key' };

/** Environment of a gateway that takes idempotency keys. */
export const storeInMemory = { IDEMPOTENCY_STORE: 'sqlite::memory:' };

const decided = { 'money.unit': 'major', 'money.currency': 'NGN' };

export interface GatewayOptions {
  /** The service's base URL. */
  readonly upstream: string;
  /** Environment variables, as a deployer would set them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Contract rows over the defaults; money is decided as major NGN unless `undecided`. */
  readonly contract?: Readonly<Record<string, unknown>>;
  readonly undecided?: boolean;
  readonly log?: Logger;
}

/** The real server on a free loopback port; it stops with the test. */
export async function startGateway({
  upstream,
  environment = {},
  contract = {},
  undecided = false,
  log = createLogger('silent', { write: () => {} }),
}: GatewayOptions): Promise<GatewayServer> {
  const config = readConfig({ PORT: '0', ADMIN_PORT: '0', UPSTREAM_URL: upstream, ...environment });
  const { idempotencyStore } = config;
  const server = await startServer({
    // A store is a thread: only what tests its keys pays for one.
    config: { ...config, idempotencyStore: 'IDEMPOTENCY_STORE' in environment ? idempotencyStore : undefined },
    contract: createContract({ ...(undecided ? {} : decided), ...contract }),
    upstream: new URL(upstream),
    log,
  });
  onTestFinished(() => server.close());
  return server;
}

/** A gateway in front of an upstream that answers what `script` says; both stop with the test. */
export async function startScripted(
  script: (request: SeenRequest) => Reply | Promise<Reply>,
  options: Omit<GatewayOptions, 'upstream'> = {},
): Promise<{ readonly gateway: GatewayServer; readonly upstream: ScriptedUpstream }> {
  const upstream = await startUpstream(script);
  onTestFinished(upstream.close);
  const gateway = await startGateway({ ...options, upstream: upstream.url });
  return { gateway, upstream };
}

/** The same with a store for idempotency keys. */
export const startStored = (
  script: Parameters<typeof startScripted>[0],
  options: Omit<GatewayOptions, 'upstream'> = {},
) => startScripted(script, { ...options, environment: { ...storeInMemory, ...options.environment } });

export interface GraphQLAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly data: any;
  readonly errors: readonly GraphQLErrorAnswer[];
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly extensions: any;
}

export interface GraphQLErrorAnswer {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Sends one operation over real HTTP. `headers` replaces the default credentials as a whole. */
export async function query(
  { url }: Pick<GatewayServer, 'url'>,
  document: string,
  {
    variables,
    operationName,
    headers = credentials,
  }: {
    readonly variables?: unknown;
    readonly operationName?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<GraphQLAnswer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: document, variables, operationName }),
  });
  const { data = null, errors = [], extensions } = (await response.json()) as Partial<GraphQLAnswer>;
  return { status: response.status, headers: response.headers, data, errors, extensions };
}

/** The codes of an answer's errors, in order. */
export function codes({ errors }: GraphQLAnswer): readonly unknown[] {
  return errors.map(({ extensions }) => extensions['code']);
}
