import { z } from 'zod';
import { logLevels } from '../runtime/log.ts';
import * as rules from './rules.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/**
 * The variables by the headings of docs/variables.env, which is generated from here. The description is what the file
 * says of the variable; one that ends in `_FILE` shares the lines of the variable whose value its file holds.
 */
export const variableSections = {
  Process: {
    PORT: rules.port.default(4000).describe('GraphQL, `/health/live` and `/health/ready`. 0: any free port'),
    HOST: z.string().default('127.0.0.1').describe('Address of `PORT` and `ADMIN_PORT`. `localhost`: 127.0.0.1'),
    ADMIN_PORT: rules.port
      .default(9464)
      .describe(
        '`/metrics` and health. Must not be public. 0: switched off. A port that is taken stops the start only where it is set',
      ),
    REUSE_PORT: rules.onOrOff.default(false).describe('Several processes share `PORT`'),
    DRAIN_DELAY_MS: rules
      .integer(0, 600_000)
      .optional()
      .describe('How long a stopping process still accepts. Unset: 5000 in production, else 0'),
    NODE_ENV: rules
      .oneOf(['development', 'test', 'production'], 'development, test or production')
      .optional()
      .describe('`production` switches on guards: see the other variables'),
    LOG_LEVEL: rules.oneOf(logLevels).default('info').describe('`debug` adds a line for each call'),
  },
  'The service': {
    UPSTREAM_URL: rules.upstream
      .optional()
      .describe("The service's base URL. Unset: `embedded`; in production required, and https unless loopback"),
    ALLOW_INSECURE_UPSTREAM: rules.onOrOff.default(false).describe('Accepts an http `UPSTREAM_URL` in production'),
    UPSTREAM_MONEY_UNIT: rules
      .oneOf(['major', 'minor'], 'major or minor')
      .optional()
      .describe("The unit of the service's amounts. Unset: fields with money answer `CONTRACT_UNDECIDED`"),
    UPSTREAM_CURRENCY: rules.currency.optional().describe("The currency of the service's amounts. Unset: as above"),
    UPSTREAM_CONTRACT: rules.readableFile.optional().describe('A YAML or JSON file of overrides: contract.md'),
    UPSTREAM_TIMEOUT_MS: rules.milliseconds
      .default(10_000)
      .describe('Time limit of one attempt. At most `REQUEST_TIMEOUT_MS`'),
    REQUEST_TIMEOUT_MS: rules.milliseconds
      .default(20_000)
      .describe('Time limit of one GraphQL request, retries included'),
    UPSTREAM_CONNECTIONS: rules
      .integer(1, 10_000)
      .default(64)
      .describe('Maximum concurrent calls, for reads and writes each'),
    MAX_CALLS_PER_CALLER: rules
      .integer(1, 10_000)
      .default(64)
      .describe('Maximum concurrent calls of one caller, for reads and writes each'),
    UPSTREAM_CONNECTION_MAX_AGE_MS: rules
      .integer(1_000, 86_400_000)
      .default(300_000)
      .describe('An older connection closes after its answer'),
    HTTPS_PROXY: rules.proxy.optional().describe('Proxy for calls to an https service'),
    https_proxy: rules.proxy.optional().describe('Takes precedence'),
    HTTP_PROXY: rules.proxy.optional().describe('Proxy for calls to an http service, through a tunnel (`CONNECT`) too'),
    http_proxy: rules.proxy.optional().describe('Takes precedence'),
    NO_PROXY: z.string().optional().describe('Hosts reached without the proxy, separated by commas; no CIDR'),
    no_proxy: z.string().optional().describe('Takes precedence'),
  },
  Credentials: {
    PRIVATE_KEY_HEADER: rules.header.default('SVCPRIVATEKEY').describe("The private key's header in calls"),
    PRIVATE_KEY_HEADER_IN: rules.header
      .optional()
      .describe("The private key's header in GraphQL requests. Unset: the same as `PRIVATE_KEY_HEADER`"),
    BEARER_HEADER_IN: rules.header.default('Authorization').describe("The bearer token's header in GraphQL requests"),
    CHECK_BEARER: rules.credential.optional().describe('For `contract check`, `init` and `export`'),
    CHECK_BEARER_FILE: rules.fileOf(rules.credential).optional(),
    CHECK_PRIVATE_KEY: rules.credential.optional().describe('For `contract check`, `init` and `export`'),
    CHECK_PRIVATE_KEY_FILE: rules.fileOf(rules.credential).optional(),
  },
  Idempotency: {
    IDEMPOTENCY_STORE: rules.store
      .optional()
      .describe(
        'Store of idempotency keys. Unset: `sqlite:./data/idempotency.sqlite`; in production none, and keys are refused',
      ),
    IDEMPOTENCY_STORE_FILE: rules.fileOf(rules.store).optional(),
    FINGERPRINT_SECRET: rules.fingerprintSecret
      .optional()
      .describe(
        'Key of the hashes of credentials, and part of every idempotency key: before you change it, read reliability.md, “What is not promised”. Required with Redis, and in production with any store',
      ),
    FINGERPRINT_SECRET_FILE: rules.fingerprintSecretFile.optional(),
  },
  'Who may ask what': {
    ALLOWED_ORIGINS: rules.origins.optional().describe('CORS. Unset: localhost and Sandbox; in production none'),
    ALLOWED_HEADERS: rules.headers
      .optional()
      .describe('CORS. Headers that pages may send beside ours and those of Apollo, Sentry and OpenTelemetry'),
    INTROSPECTION: rules.onOrOff
      .optional()
      .describe('Introspection and `_service`. Unset: on; in production off. Routers with the secret read `_service`'),
    TRUSTED_DOCUMENTS: rules.readableFile
      .optional()
      .describe('Manifest of documents that clients send by their hash: security.md'),
    TRUSTED_DOCUMENTS_ONLY: rules.onOrOff.default(false).describe('Refuses every document that is not on the manifest'),
    MCP: rules.onOrOff
      .default(false)
      .describe('Offers the queries of `TRUSTED_DOCUMENTS`, which it needs, as tools at `/mcp`: agents.md'),
    ROUTER_SECRET: rules.routerSecret.optional().describe('`_entities` then needs it: security.md'),
    ROUTER_SECRET_FILE: rules.fileOf(rules.routerSecret).optional(),
    TYPE_PREFIX: rules.typePrefix.default('').describe('Renames types and root fields: federation.md'),
  },
  Limits: {
    MAX_UPSTREAM_CALLS: rules.integer(1, 100_000).default(200).describe('Calls that one operation may need at worst'),
    MAX_REPRESENTATIONS: rules.integer(1, 10_000).default(200).describe('References (`_entities`) of one operation'),
    MAX_UNREAD_BYTES: rules
      .integer(1_048_576, 999_999_999)
      .default(67_108_864)
      .describe('Memory of request bodies still arriving, together'),
  },
  'The embedded bank': {
    BANK_PORT: rules.port.default(4001).describe('Its port, on 127.0.0.1'),
    BANK_DATABASE: z.string().default(':memory:').describe('SQLite file of its data'),
    BANK_SCENARIO: rules
      .oneOf(['lost-answer', 'duplicate', 'slow', 'down', 'rate-limited'])
      .optional()
      .describe('The fault it starts with: explorer.md'),
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: rules.collector.optional().describe('Collector for traces. Unset: no traces'),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: rules.collector.optional().describe('Takes precedence'),
    OTEL_EXPORTER_OTLP_PROTOCOL: rules.traceProtocol.optional().describe('The one supported protocol'),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: rules.traceProtocol.optional().describe('Takes precedence'),
    OTEL_TRACES_EXPORTER: rules
      .oneOf(['otlp', 'none'], 'otlp or none')
      .default('otlp')
      .describe('`none` switches traces off'),
    OTEL_SDK_DISABLED: rules.onOrOff.default(false).describe('Switches traces off'),
    OTEL_TRACES_SAMPLER: rules.oneOf(samplers).default('parentbased_always_on').describe('Which requests are traced'),
    OTEL_TRACES_SAMPLER_ARG: rules.ratio.default(1).describe('The share for a `traceidratio` sampler'),
    OTEL_BSP_SCHEDULE_DELAY: rules.milliseconds.default(5_000).describe('Milliseconds between two exports'),
    OTEL_BSP_EXPORT_TIMEOUT: rules.milliseconds.default(30_000).describe('Milliseconds an export may take'),
    OTEL_BSP_MAX_QUEUE_SIZE: rules
      .integer(1, 1_000_000)
      .default(2_048)
      .describe('Spans waiting for export; more are dropped. A request has one, and one for each attempt'),
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: rules.integer(1, 1_000_000).default(512).describe('Spans of one export'),
  },
} as const;

/** The schema of each variable by its name. */
export const variables = z.object({
  ...variableSections['Process'],
  ...variableSections['The service'],
  ...variableSections['Credentials'],
  ...variableSections['Idempotency'],
  ...variableSections['Who may ask what'],
  ...variableSections['Limits'],
  ...variableSections['The embedded bank'],
  ...variableSections['Traces'],
});
