import type { EmbeddedBank } from '../bank/bank.ts';
import { embeddedContract } from '../bank/contract.ts';
import { demoMerchants } from '../bank/merchants.ts';
import { readConfig, readTypePrefix, type Config } from '../config/config.ts';
import { createLogger, describeError, type Logger } from '../runtime/log.ts';
import { createOutput } from '../runtime/log-output.ts';
import { startServer } from '../server.ts';
import { createFirstDocument, createWelcome } from './welcome.ts';
import { readOverrides } from './contract-overrides.ts';
import { createContract } from '../contract/contract.ts';

const usage = `settlement-graph serve       start the gateway (and the embedded bank, unless UPSTREAM_URL names a service)
settlement-graph bank        start the embedded bank alone; both: --scenario lost-answer|duplicate|slow|down|rate-limited
settlement-graph explain FILE     print what an operation asks for at worst, without a call (--variables JSON, --operation NAME,
                             --json); fails where that is more than MAX_UPSTREAM_CALLS
settlement-graph schema      print the subgraph's SDL
settlement-graph schema check     compare schema.graphql with the last release's: fails on a breaking change
settlement-graph contract    print what the gateway believes of the service (--json, --schema of its overrides)
settlement-graph contract check   compare that with the live service, read-only (--json, --write FILE)`;

/**
 * Runs one command, and loads no modules of the others. An error is printed as its message, with exit code 1, or 2 for
 * `contract check`.
 */
export async function main(args: readonly string[]): Promise<void> {
  const [command = 'serve', ...options] = args;
  try {
    if (command === 'serve' && isRunnable(options)) await serve(readConfig(undefined, scenarioIn(options)));
    else if (command === 'bank' && isRunnable(options)) await bank(readConfig(undefined, scenarioIn(options)));
    else if (command === 'schema') {
      const { schemaCommand } = await import('./schema.ts');
      process.exitCode = await schemaCommand(options, readTypePrefix);
    } else if (command === 'explain') {
      const { explainCommand } = await import('./explain.ts');
      process.exitCode = await explainCommand(options, readConfig, embeddedContract);
    } else if (command === 'contract') {
      const { contractCommand } = await import('./contract.ts');
      process.exitCode = await contractCommand(options, readConfig, embeddedContract);
    } else {
      console.error(usage);
      process.exitCode = 2;
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = command === 'contract' && options.includes('check') ? 2 : 1;
  }
}

/** `serve` and `bank` take no option but `--scenario NAME`. */
function isRunnable(options: readonly string[]): boolean {
  return options.length === 0 || (options.length === 2 && options[0] === '--scenario');
}

function scenarioIn([, scenario]: readonly string[]): Readonly<Record<string, string>> {
  return scenario === undefined ? {} : { BANK_SCENARIO: scenario };
}

async function serve(config: Config): Promise<void> {
  const log = createLogger(config.logLevel, createOutput(1));
  const contract = createContract(await readOverrides(config, embeddedContract));
  const { upstream, embedded } = await startUpstream(config);
  const server = await startServer({
    config,
    contract,
    upstream,
    log,
    ...(embedded && {
      bankUrl: embedded.url,
      sandboxStart: { document: createFirstDocument(config.typePrefix), headers: createDemoHeaders(config) },
    }),
  }).catch(async (error: unknown) => {
    await embedded?.close();
    throw error;
  });
  stopOnSignal(log, async (signal) => {
    // After Ctrl+C no load balancer needs time to notice.
    await server.close(signal === 'SIGINT' ? 0 : config.drainDelayMs);
    await embedded?.close();
  });
  const { url, adminPort } = server;
  const upstreamKind = embedded === undefined ? 'service' : 'embedded';
  log.info({ url: `${url}/graphql`, upstream: upstreamKind, adminPort }, 'listening');
  if (config.isProduction) return;
  process.stdout.write(createWelcome({ url, bankUrl: embedded?.url, config }));
}

async function bank(config: Config): Promise<void> {
  const embedded = await startEmbeddedBank(config);
  stopOnSignal(createLogger(config.logLevel, createOutput(1)), () => embedded.close());
  process.stdout.write(`The embedded bank listens at ${embedded.url}\n`);
}

/** Starts the embedded bank unless the configuration names a service. */
async function startUpstream(config: Config) {
  if (config.upstream !== 'embedded') return { upstream: config.upstream, embedded: undefined };
  const embedded = await startEmbeddedBank(config);
  return { upstream: new URL(embedded.url), embedded };
}

async function startEmbeddedBank({ bankPort, bankDatabase, bankScenario }: Config): Promise<EmbeddedBank> {
  const { startBank } = await import('../bank/bank.ts');
  return startBank({ port: bankPort, database: bankDatabase, scenario: bankScenario });
}

function createDemoHeaders({ bearerHeaderIn, privateKeyHeaderIn }: Config): Readonly<Record<string, string>> {
  const [first] = demoMerchants;
  return first === undefined
    ? {}
    : { [bearerHeaderIn]: `Bearer ${first.bearer}`, [privateKeyHeaderIn]: first.privateKey };
}

type Cause = 'SIGTERM' | 'SIGINT' | 'error';

/** Stops gracefully on the first signal and at once on the second. An uncaught error also stops gracefully. */
function stopOnSignal(log: Logger, stop: (cause: Cause) => Promise<void>): void {
  let stopping = false;
  let exitCode = 0;
  const begin = (cause: Cause): void => {
    stopping = true;
    log.info({ cause }, 'stopping');
    stop(cause).then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error(describeError(error), 'stop failed');
        process.exit(1);
      },
    );
  };
  const onSignal = (signal: 'SIGTERM' | 'SIGINT'): void => {
    if (stopping) process.exit(130);
    begin(signal);
  };
  const onError = (error: unknown): void => {
    log.fatal(describeError(error), 'uncaught error');
    exitCode = 1;
    if (!stopping) begin('error');
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process.on('uncaughtException', onError).on('unhandledRejection', onError);
}
