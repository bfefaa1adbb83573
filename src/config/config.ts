import { isIP } from 'node:net';
import { z } from 'zod';
import {
  collector,
  credential,
  currency,
  fingerprintSecret,
  header,
  integer,
  milliseconds,
  onOrOff,
  origins,
  port,
  rule,
  secretFile,
  store,
  text,
  traceProtocol,
  typePrefix,
  upstream,
  type StoreAddress,
} from './rules.ts';

/** Settings of a process, read from the environment once and then frozen. */
export interface Config {
  readonly isProduction: boolean;
  readonly host: string;
  readonly port: number;
  /** The service's base URL, or the embedded bank. */
  readonly upstream: URL | 'embedded';
  /** The file of contract overrides. */
  readonly contractFile: string | undefined;
  /** The credentials of `contract check`. */
  readonly checkCredentials: { readonly bearer: string | undefined; readonly privateKey: string | undefined };
  readonly moneyUnit: 'major' | 'minor' | undefined;
  readonly currency: string | undefined;
  /** The private key's header towards the service. */
  readonly privateKeyHeader: string;
  /** The headers that callers send their credentials in. */
  readonly privateKeyHeaderIn: string;
  readonly bearerHeaderIn: string;
  readonly upstreamTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly upstreamConnections: number;
  readonly callsPerCaller: number;
  /** Where idempotency keys are remembered; undefined where they are not. */
  readonly idempotencyStore: StoreAddress | undefined;
  /** What fingerprints at rest and in logs are made with; undefined where each process may have its own. */
  readonly fingerprintSecret: string | undefined;
  /** Origins that browsers may call from; in development localhost and Apollo's Sandbox are added. */
  readonly allowedOrigins: readonly string[] | undefined;
  readonly introspection: boolean;
  /** The operators' port; 0 is none. */
  readonly adminPort: number;
  /** Whether the start fails where that port is taken: only where it was asked for. */
  readonly isAdminPortGiven: boolean;
  readonly reusePort: boolean;
  /** How long a stopping process still accepts while it says that it is not ready. */
  readonly drainDelayMs: number;
  /** How many requests are traced; undefined where none is and nothing of it is loaded. */
  readonly tracing: { readonly sampler: (typeof samplers)[number]; readonly ratio: number } | undefined;
  /** The manifest of trusted documents. */
  readonly trustedDocumentsFile: string | undefined;
  /** Whether documents that are not on the manifest are refused. */
  readonly trustedDocumentsOnly: boolean;
  /** What a router shows to ask for entities. */
  readonly routerSecret: string | undefined;
  /** The most calls to the service that one operation may need at worst. */
  readonly maxUpstreamCalls: number;
  /** What the graph's type names start with, and its root fields in lower case; empty for none. */
  readonly typePrefix: string;
  readonly bankPort: number;
  readonly bankDatabase: string;
  readonly logLevel: (typeof logLevels)[number];
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const variables = z.object({
  NODE_ENV: rule('development, test or production', (value) =>
    /^(?:development|test|production)$/.test(value) ? value : undefined,
  ).optional(),
  HOST: text.default('127.0.0.1'),
  PORT: port.default(4000),
  UPSTREAM_URL: upstream.optional(),
  ALLOW_INSECURE_UPSTREAM: onOrOff.default(false),
  UPSTREAM_MONEY_UNIT: rule('major or minor', (value) =>
    value === 'major' || value === 'minor' ? value : undefined,
  ).optional(),
  UPSTREAM_CURRENCY: currency.optional(),
  UPSTREAM_CONTRACT: text.optional(),
  CHECK_BEARER: credential.optional(),
  CHECK_PRIVATE_KEY: credential.optional(),
  PRIVATE_KEY_HEADER: header.default('SVCPRIVATEKEY'),
  PRIVATE_KEY_HEADER_IN: header.optional(),
  BEARER_HEADER_IN: header.default('Authorization'),
  UPSTREAM_TIMEOUT_MS: milliseconds.default(10_000),
  REQUEST_TIMEOUT_MS: milliseconds.default(20_000),
  UPSTREAM_CONNECTIONS: integer(1, 10_000).default(64),
  MAX_CALLS_PER_CALLER: integer(1, 10_000).default(64),
  IDEMPOTENCY_STORE: store.optional(),
  FINGERPRINT_SECRET: fingerprintSecret.optional(),
  FINGERPRINT_SECRET_FILE: secretFile.optional(),
  ALLOWED_ORIGINS: origins.optional(),
  INTROSPECTION: onOrOff.optional(),
  ADMIN_PORT: port.default(9464),
  REUSE_PORT: onOrOff.default(false),
  DRAIN_DELAY_MS: integer(0, 600_000).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: traceProtocol.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traceProtocol.optional(),
  OTEL_SDK_DISABLED: onOrOff.default(false),
  OTEL_TRACES_EXPORTER: rule('otlp or none', (value) => (/^(?:otlp|none)$/.test(value) ? value : undefined)).default(
    'otlp',
  ),
  OTEL_TRACES_SAMPLER: rule(samplers.join(', '), (value) => samplers.find((name) => name === value)).default(
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: rule('a number from 0 to 1', (value) =>
    /^(?:0|1|0?\.\d{1,9}|1\.0)$/.test(value) ? Number(value) : undefined,
  ).default(1),
  TRUSTED_DOCUMENTS: text.optional(),
  TRUSTED_DOCUMENTS_ONLY: onOrOff.default(false),
  ROUTER_SECRET: credential.optional(),
  MAX_UPSTREAM_CALLS: integer(1, 100_000).default(200),
  TYPE_PREFIX: typePrefix.default(''),
  BANK_PORT: port.default(4001),
  BANK_DATABASE: text.default(':memory:'),
  LOG_LEVEL: rule(logLevels.join(', '), (value) => logLevels.find((level) => level === value)).default('info'),
});

/**
 * Reads the settings. Throws one Error with a line for each fault: the variable and what is allowed. Values are not
 * repeated, since one of them may be a secret in the wrong place. An empty variable counts as absent.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(given);
  const faults = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
  const faulty = new Set(parsed.error?.issues.map(({ path }) => path[0]));
  const sound = Object.fromEntries(Object.entries(given).filter(([name]) => !faulty.has(name)));
  const seen = parsed.data ?? variables.parse(sound);
  const isProduction = seen.NODE_ENV === 'production';
  faults.push(...combinationFaults(given, seen, isProduction));
  if (faults.length > 0) throw new Error(`The configuration is not valid.\n${faults.join('\n')}`);
  return Object.freeze({
    isProduction,
    host: seen.HOST,
    port: seen.PORT,
    upstream: seen.UPSTREAM_URL ?? 'embedded',
    contractFile: seen.UPSTREAM_CONTRACT,
    checkCredentials: { bearer: seen.CHECK_BEARER, privateKey: seen.CHECK_PRIVATE_KEY },
    moneyUnit: seen.UPSTREAM_MONEY_UNIT,
    currency: seen.UPSTREAM_CURRENCY,
    privateKeyHeader: seen.PRIVATE_KEY_HEADER,
    privateKeyHeaderIn: seen.PRIVATE_KEY_HEADER_IN ?? seen.PRIVATE_KEY_HEADER,
    bearerHeaderIn: seen.BEARER_HEADER_IN,
    upstreamTimeoutMs: seen.UPSTREAM_TIMEOUT_MS,
    requestTimeoutMs: seen.REQUEST_TIMEOUT_MS,
    upstreamConnections: seen.UPSTREAM_CONNECTIONS,
    callsPerCaller: seen.MAX_CALLS_PER_CALLER,
    idempotencyStore: seen.IDEMPOTENCY_STORE ?? (isProduction ? undefined : developmentStore),
    fingerprintSecret: seen.FINGERPRINT_SECRET ?? seen.FINGERPRINT_SECRET_FILE,
    allowedOrigins: seen.ALLOWED_ORIGINS,
    introspection: seen.INTROSPECTION ?? !isProduction,
    adminPort: seen.ADMIN_PORT,
    isAdminPortGiven: given['ADMIN_PORT'] !== undefined,
    reusePort: seen.REUSE_PORT,
    drainDelayMs: seen.DRAIN_DELAY_MS ?? (isProduction ? productionDrainDelayMs : 0),
    tracing: tracingOf(seen),
    trustedDocumentsFile: seen.TRUSTED_DOCUMENTS,
    trustedDocumentsOnly: seen.TRUSTED_DOCUMENTS_ONLY,
    routerSecret: seen.ROUTER_SECRET,
    maxUpstreamCalls: seen.MAX_UPSTREAM_CALLS,
    typePrefix: seen.TYPE_PREFIX,
    bankPort: seen.BANK_PORT,
    bankDatabase: seen.BANK_DATABASE,
    logLevel: seen.LOG_LEVEL,
  });
}

/** The one setting that the printed schema depends on: printing it needs no service. Throws as `readConfig` does. */
export function readTypePrefix(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { TYPE_PREFIX: given = '' } = environment;
  const parsed = variables.shape.TYPE_PREFIX.safeParse(given === '' ? undefined : given);
  if (parsed.success) return parsed.data;
  throw new Error(`The configuration is not valid.\nTYPE_PREFIX: ${parsed.error.issues[0]?.message}`);
}

/** What each variable allows alone may still not go together. */
function combinationFaults(
  given: Readonly<Record<string, string | undefined>>,
  seen: z.infer<typeof variables>,
  isProduction: boolean,
): readonly string[] {
  const faults: string[] = [];
  if (seen.TRUSTED_DOCUMENTS_ONLY && given['TRUSTED_DOCUMENTS'] === undefined) {
    faults.push('TRUSTED_DOCUMENTS_ONLY: needs the manifest that TRUSTED_DOCUMENTS names');
  }
  if (isProduction && given['UPSTREAM_URL'] === undefined) {
    faults.push('UPSTREAM_URL: must be written out in production (an https URL)');
  }
  const url = seen.UPSTREAM_URL;
  if (
    isProduction &&
    url instanceof URL &&
    url.protocol === 'http:' &&
    !isLoopback(url) &&
    !seen.ALLOW_INSECURE_UPSTREAM
  ) {
    faults.push('UPSTREAM_URL: must be https in production, unless loopback or ALLOW_INSECURE_UPSTREAM=1');
  }
  const { IDEMPOTENCY_STORE: store, FINGERPRINT_SECRET: secret, FINGERPRINT_SECRET_FILE: secretFile } = seen;
  if (secret !== undefined && secretFile !== undefined) {
    faults.push('FINGERPRINT_SECRET_FILE: must be left out where FINGERPRINT_SECRET is given');
  }
  const isShared = store?.kind === 'redis';
  if ((isShared || (isProduction && store !== undefined)) && (secret ?? secretFile) === undefined) {
    faults.push('FINGERPRINT_SECRET: must be given (32 bytes or more) with Redis, and in production with any store');
  }
  const privateKeyIn = (seen.PRIVATE_KEY_HEADER_IN ?? seen.PRIVATE_KEY_HEADER).toLowerCase();
  if (privateKeyIn === seen.BEARER_HEADER_IN.toLowerCase()) {
    faults.push('PRIVATE_KEY_HEADER_IN: must differ from BEARER_HEADER_IN (authorization by default)');
  }
  if (seen.PRIVATE_KEY_HEADER.toLowerCase() === 'authorization') {
    faults.push('PRIVATE_KEY_HEADER: must not be authorization, which carries the bearer token');
  }
  return faults;
}

const productionDrainDelayMs = 5_000;
const developmentStore: StoreAddress = { kind: 'sqlite', path: './data/idempotency.sqlite' };

/** On as soon as one of the standard variables names a collector. */
function tracingOf(seen: z.infer<typeof variables>): Config['tracing'] {
  const endpoint = seen.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? seen.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || seen.OTEL_SDK_DISABLED || seen.OTEL_TRACES_EXPORTER === 'none') return undefined;
  return { sampler: seen.OTEL_TRACES_SAMPLER, ratio: seen.OTEL_TRACES_SAMPLER_ARG };
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}
