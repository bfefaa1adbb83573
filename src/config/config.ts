import { isIP } from 'node:net';
import type { z } from 'zod';
import type { StoreAddress } from './rules.ts';
import { findUnknownVariables, isServiceLink } from './unknown-variables.ts';
import { variables } from './variables.ts';

/** Settings of a process, read from the environment once and then frozen. */
export type Config = ReturnType<typeof readConfig>;

type Environment = Readonly<Record<string, string | undefined>>;
type Settings = z.infer<typeof variables>;

const variableNames = Object.keys(variables.shape);
const schemaVariables = variables.pick({ TYPE_PREFIX: true, UPSTREAM_CONTRACT: true });

/** Variables whose value may also be given in a file, which `…_FILE` names. */
const fileSecrets = variableNames.filter((name) => variableNames.includes(`${name}_FILE`));

/** Variables that switch a protection on. An empty value, most likely from a template, is a fault: it would switch it off. */
const guards: ReadonlySet<string> = new Set(
  ['FINGERPRINT_SECRET', 'ROUTER_SECRET'].flatMap((name) => [name, `${name}_FILE`]),
);

/**
 * Reads the settings. Throws one Error with a line for each fault: the variable and what is allowed. Values are not
 * repeated, since one of them may be a secret in the wrong variable. An empty variable counts as absent, unless it is a
 * guard.
 */
export function readConfig(environment: Environment = process.env, options: Environment = {}) {
  const all = { ...environment, ...options };
  const texts = toTexts(all);
  const parsed = variables.safeParse(texts);
  // Combinations are checked too where single variables are at fault, which then count as absent.
  const faulty = new Set(parsed.error?.issues.map(({ path }) => path[0]));
  const valid = Object.fromEntries(Object.entries(texts).filter(([name]) => !faulty.has(name)));
  const settings = parsed.data ?? variables.parse(valid);
  const faults = [
    ...toFaults(parsed.error),
    ...findCombinationFaults(texts, settings),
    ...findUnknownVariables(all, variableNames, guards),
  ];
  if (faults.length > 0) throw new Error(`The configuration is not valid.\n${faults.join('\n')}`);
  return Object.freeze({ ...toConfig(settings), isAdminPortGiven: texts['ADMIN_PORT'] !== undefined });
}

function toFaults(error: z.ZodError | undefined): readonly string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** The variables that are set: not empty, unless they are guards, and no service links of Kubernetes. */
function toTexts(environment: Environment): Environment {
  const entries = Object.entries(environment);
  return Object.fromEntries(
    entries.filter(([name, value = '']) => (value !== '' || guards.has(name)) && !isServiceLink(name, value)),
  );
}

function toConfig(settings: Settings) {
  const isProduction = settings.NODE_ENV === 'production';
  return {
    isProduction,
    // Fastify would listen for `localhost` on two servers, the second without our limits and cut at a stop.
    host: settings.HOST === 'localhost' ? '127.0.0.1' : settings.HOST,
    port: settings.PORT,
    upstream: settings.UPSTREAM_URL ?? ('embedded' as const),
    contractFile: settings.UPSTREAM_CONTRACT,
    /** Credentials of `contract check`. */
    checkCredentials: {
      bearer: settings.CHECK_BEARER ?? settings.CHECK_BEARER_FILE,
      privateKey: settings.CHECK_PRIVATE_KEY ?? settings.CHECK_PRIVATE_KEY_FILE,
    },
    moneyUnit: settings.UPSTREAM_MONEY_UNIT,
    currency: settings.UPSTREAM_CURRENCY,
    /** The embedded bank accepts the published name only. */
    privateKeyHeader: settings.UPSTREAM_URL instanceof URL ? settings.PRIVATE_KEY_HEADER : 'SVCPRIVATEKEY',
    /** Names of the headers in which callers send their credentials. */
    privateKeyHeaderIn: settings.PRIVATE_KEY_HEADER_IN ?? settings.PRIVATE_KEY_HEADER,
    bearerHeaderIn: settings.BEARER_HEADER_IN,
    upstreamTimeoutMs: settings.UPSTREAM_TIMEOUT_MS,
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    upstreamConnections: settings.UPSTREAM_CONNECTIONS,
    connectionMaxAgeMs: settings.UPSTREAM_CONNECTION_MAX_AGE_MS,
    /** Undefined for the embedded bank. */
    proxy: toProxy(settings),
    callsPerCaller: settings.MAX_CALLS_PER_CALLER,
    idempotencyStore:
      settings.IDEMPOTENCY_STORE ?? settings.IDEMPOTENCY_STORE_FILE ?? (isProduction ? undefined : developmentStore),
    /** Undefined where each process may create its own. */
    fingerprintSecret: settings.FINGERPRINT_SECRET ?? settings.FINGERPRINT_SECRET_FILE,
    /** Undefined where the defaults of development or production apply. */
    allowedOrigins: settings.ALLOWED_ORIGINS,
    allowedHeaders: settings.ALLOWED_HEADERS ?? [],
    introspection: settings.INTROSPECTION ?? !isProduction,
    /** 0: no admin server. */
    adminPort: settings.ADMIN_PORT,
    /** Bytes of request bodies still arriving, together. */
    maxUnreadBytes: settings.MAX_UNREAD_BYTES,
    reusePort: settings.REUSE_PORT,
    drainDelayMs: settings.DRAIN_DELAY_MS ?? (isProduction ? 5_000 : 0),
    tracing: toTracing(settings),
    trustedDocumentsFile: settings.TRUSTED_DOCUMENTS,
    trustedDocumentsOnly: settings.TRUSTED_DOCUMENTS_ONLY,
    mcp: settings.MCP,
    routerSecret: settings.ROUTER_SECRET ?? settings.ROUTER_SECRET_FILE,
    maxUpstreamCalls: settings.MAX_UPSTREAM_CALLS,
    maxRepresentations: settings.MAX_REPRESENTATIONS,
    typePrefix: settings.TYPE_PREFIX,
    bankPort: settings.BANK_PORT,
    bankDatabase: settings.BANK_DATABASE,
    bankScenario: settings.BANK_SCENARIO,
    logLevel: settings.LOG_LEVEL,
  };
}

/** Whether npx has started this process, by the variable that npm sets. */
export function isUnderNpx(environment: Environment = process.env): boolean {
  return environment['npm_command'] === 'exec';
}

/** Reads only the settings that the printed schema depends on. Throws as `readConfig` does, for a misspelt name too. */
export function readSchemaSettings(environment: Environment = process.env) {
  const texts = toTexts(environment);
  const parsed = schemaVariables.safeParse(texts);
  const faults = [...toFaults(parsed.error), ...findUnknownVariables(environment, variableNames, guards)];
  if (!parsed.success || faults.length > 0) throw new Error(`The configuration is not valid.\n${faults.join('\n')}`);
  return { typePrefix: parsed.data.TYPE_PREFIX, contractFile: parsed.data.UPSTREAM_CONTRACT };
}

/** Faults of variables that are valid alone but not together. */
function findCombinationFaults(texts: Environment, settings: Settings): readonly string[] {
  const isProduction = settings.NODE_ENV === 'production';
  const faults: string[] = [];
  if (settings.TRUSTED_DOCUMENTS_ONLY && texts['TRUSTED_DOCUMENTS'] === undefined) {
    faults.push('TRUSTED_DOCUMENTS_ONLY: needs a manifest of documents: set TRUSTED_DOCUMENTS too');
  }
  if (settings.MCP && texts['TRUSTED_DOCUMENTS'] === undefined) {
    faults.push('MCP: offers trusted queries as tools: set TRUSTED_DOCUMENTS too');
  }
  if (isProduction && texts['UPSTREAM_URL'] === undefined) {
    faults.push('UPSTREAM_URL: is required in production: the https URL of the service');
  }
  const url = settings.UPSTREAM_URL;
  const isInsecure = url instanceof URL && url.protocol === 'http:' && !isLoopback(url);
  const mustBeSecure = isProduction && !settings.ALLOW_INSECURE_UPSTREAM;
  if (mustBeSecure && isInsecure) {
    faults.push('UPSTREAM_URL: must be https in production, unless loopback or ALLOW_INSECURE_UPSTREAM=1');
  } else if (mustBeSecure && usesHttpProxy(settings)) {
    faults.push('HTTP_PROXY: would carry credentials unencrypted: name the host of UPSTREAM_URL in NO_PROXY');
  }
  for (const name of fileSecrets) {
    if (texts[name] === undefined || texts[`${name}_FILE`] === undefined) continue;
    faults.push(`${name}_FILE: must be left out where ${name} is given`);
  }
  if (texts['UPSTREAM_TIMEOUT_MS'] !== undefined && settings.UPSTREAM_TIMEOUT_MS > settings.REQUEST_TIMEOUT_MS) {
    faults.push('UPSTREAM_TIMEOUT_MS: must be at most REQUEST_TIMEOUT_MS (20000 by default), which ends every call');
  }
  const store = settings.IDEMPOTENCY_STORE ?? settings.IDEMPOTENCY_STORE_FILE;
  if (isProduction && store?.kind === 'sqlite' && store.path === ':memory:') {
    faults.push('IDEMPOTENCY_STORE: must name a file in production: `:memory:` loses every key when the process ends');
  }
  const isShared = store?.kind === 'redis';
  const hasSecret = texts['FINGERPRINT_SECRET'] !== undefined || texts['FINGERPRINT_SECRET_FILE'] !== undefined;
  if ((isShared || (isProduction && store !== undefined)) && !hasSecret) {
    faults.push('FINGERPRINT_SECRET: must be given (32 bytes or more) with Redis, and in production with any store');
  }
  const privateKeyIn = (settings.PRIVATE_KEY_HEADER_IN ?? settings.PRIVATE_KEY_HEADER).toLowerCase();
  if (privateKeyIn === settings.BEARER_HEADER_IN.toLowerCase()) {
    faults.push('PRIVATE_KEY_HEADER_IN: must differ from BEARER_HEADER_IN (authorization by default)');
  }
  if (settings.ALLOWED_HEADERS?.some((name) => name.toLowerCase() === privateKeyIn)) {
    faults.push('ALLOWED_HEADERS: must not name the header of the private key, which no page may have');
  }
  if (settings.PRIVATE_KEY_HEADER.toLowerCase() === 'authorization') {
    faults.push('PRIVATE_KEY_HEADER: must not be authorization, which carries the bearer token');
  }
  return faults;
}

const developmentStore: StoreAddress = { kind: 'sqlite', path: './data/idempotency.sqlite' };

/** The spelling in lower case comes first, as in curl and undici. The embedded bank is reached directly. */
function toProxy(settings: Settings): { readonly url: string; readonly except: string } | undefined {
  const service = settings.UPSTREAM_URL;
  if (!(service instanceof URL)) return undefined;
  const forHttps = settings.https_proxy ?? settings.HTTPS_PROXY;
  const forHttp = settings.http_proxy ?? settings.HTTP_PROXY;
  const url = service.protocol === 'https:' ? forHttps : forHttp;
  return url === undefined ? undefined : { url, except: settings.no_proxy ?? settings.NO_PROXY ?? '' };
}

/** Whether calls of an http service go through a proxy, unencrypted: even those of a loopback service leave the machine. */
function usesHttpProxy(settings: Settings): boolean {
  const { UPSTREAM_URL: service } = settings;
  const proxy = toProxy(settings);
  if (proxy === undefined || !(service instanceof URL) || service.protocol !== 'http:') return false;
  return !proxy.except.split(/[\s,]+/).some((name) => ['*', service.hostname, service.host].includes(name));
}

/** Tracing is on where a standard variable names a collector. */
function toTracing(settings: Settings) {
  const endpoint = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === 'none')
    return undefined;
  return {
    sampler: settings.OTEL_TRACES_SAMPLER,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    /** Options of the SDK's batch processor. */
    batches: {
      scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
      exportTimeoutMillis: settings.OTEL_BSP_EXPORT_TIMEOUT,
      maxQueueSize: settings.OTEL_BSP_MAX_QUEUE_SIZE,
      maxExportBatchSize: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    },
  };
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}
