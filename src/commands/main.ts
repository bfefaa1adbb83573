import { setTimeout as delay } from 'node:timers/promises';
import { isUnderNpx, readConfig, readSchemaSettings, type Config } from '../config/config.ts';
import { createLogger, createOutput, describeError, type Logger } from '../runtime/log.ts';
import { hasNpxEnded } from '../runtime/parent-process.ts';
import { toPrintable } from '../runtime/printable.ts';
import { version } from '../runtime/version.ts';
import { startEmbeddedBank, startGateway } from './start-gateway.ts';
import { createWelcome, describeListenFault, describeStart } from './start-report.ts';
import { readCommandLine, toHelp, type CommandLine, type FormName } from './usage.ts';

/**
 * Runs one command, and loads no modules of the others. Help and version go to standard output. An error is printed as its
 * message, with exit code 1, or 2 for a misused command line and for a command whose exit code 1 is a verdict.
 */
export async function main(args: readonly string[]): Promise<void> {
  const [command = 'serve', ...words] = args;
  let failure = 2;
  try {
    if (command === 'version' || args.includes('--version')) return void process.stdout.write(`${version}\n`);
    if (command === 'help' || args.includes('--help') || args.includes('-h'))
      return void process.stdout.write(toHelp(args.filter((word) => word !== 'help' && !word.startsWith('-'))));
    const line = readCommandLine([command, ...words]);
    if (!verdicts.has(line.form)) failure = 1;
    process.exitCode = await run[line.form](line);
  } catch (error) {
    console.error(toPrintable(error instanceof Error ? error.message : String(error)));
    process.exitCode = failure;
  }
}

/** Forms whose exit code 1 is a verdict. */
const verdicts: ReadonlySet<FormName> = new Set([
  'explain',
  'init',
  'schema check',
  'contract check',
  'contract import',
  'contract try',
  'contract test',
]);

type Run = (line: CommandLine) => Promise<number | undefined>;

const schema: Run = async (line) => (await import('./schema.ts')).schemaCommand(line, readSchemaSettings);
const contract: Run = async (line) => (await import('./contract.ts')).contractCommand(line, readConfig);

/** Each resolves with an exit code, or once the server listens. */
const run: Readonly<Record<FormName, Run>> = {
  serve: (line) => startServing(serve, line),
  // The bank has no service behind it, so that production does not require one, and reads neither of the files.
  bank: (line) =>
    startServing(bank, line, {
      UPSTREAM_URL: 'embedded',
      UPSTREAM_CONTRACT: '',
      TRUSTED_DOCUMENTS: '',
      TRUSTED_DOCUMENTS_ONLY: '',
    }),
  schema,
  'schema client': schema,
  'schema check': schema,
  'schema release': schema,
  explain: async (line) => (await import('./explain.ts')).explainCommand(line, readConfig),
  export: async (line) => (await import('./export.ts')).exportCommand(line, readConfig),
  init: async (line) => (await import('./init.ts')).initCommand(line),
  contract,
  'contract check': contract,
  'contract import': async (line) => (await import('./contract-import.ts')).importCommand(line),
  'contract try': async (line) => (await import('./contract-answers.ts')).tryCommand(line, readConfig),
  'contract test': async (line) => (await import('./contract-answers.ts')).testCommand(line, readConfig),
};

/** Starts a server; where it cannot listen, the error names the variable. `settings` take precedence. */
async function startServing(
  start: (config: Config) => Promise<void>,
  { values, settings: replaced }: CommandLine,
  settings: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const config = readConfig(undefined, { ...settings, ...replaced });
  if (values.scenario !== undefined && config.upstream !== 'embedded') {
    console.error('--scenario: allowed: without UPSTREAM_URL, since only the embedded bank has scenarios');
    return 2;
  }
  await start(config).catch((error: unknown) => {
    throw new Error(describeListenFault(error, config) ?? (error instanceof Error ? error.message : String(error)));
  });
  return undefined;
}

/** How long a stop waits for a start that is under way. */
const maxStartingMs = 2_000;

async function serve(config: Config): Promise<void> {
  const log = createLogger(config.logLevel, await createOutput(config.isProduction));
  let isStarted = false;
  const starting = startGateway(config, log);
  stopOnSignal(log, async (cause) => {
    // After Ctrl+C, or in the middle of the start, no client has to move to another process.
    const delayMs = cause === 'SIGINT' || !isStarted ? 0 : config.drainDelayMs;
    // `await starting` below reports a start that fails meanwhile.
    const finished = starting.catch(() => delay(0, undefined));
    const started = await Promise.race([finished, delay(maxStartingMs)]);
    await started?.server.close(delayMs);
    await started?.embedded?.close();
  });
  const { server, embedded, contractSha256, undecided } = await starting;
  isStarted = true;
  const { url, adminPort } = server;
  const upstreamKind = embedded === undefined ? 'service' : 'embedded';
  const start = describeStart(config, contractSha256);
  log.info({ url: `${url}/graphql`, upstream: upstreamKind, adminPort, ...start }, 'listening');
  if (undecided.length > 0) log.warn({ rows: undecided }, 'undecided rows: their fields answer CONTRACT_UNDECIDED');
  if (config.isProduction) return;
  process.stdout.write(createWelcome(url, embedded?.url, config));
}

async function bank(config: Config): Promise<void> {
  const embedded = await startEmbeddedBank(config);
  stopOnSignal(createLogger(config.logLevel, await createOutput(config.isProduction)), () => embedded.close());
  process.stdout.write(`The embedded bank listens at ${embedded.url}\n`);
}

type Cause = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'parent ended' | 'error';

/** How often a process looks whether npx still runs. */
const npxCheckMs = 200;

/** A signal that comes sooner is the first one again: npm passes on a SIGTERM that a supervisor sends to all processes. */
const repeatedMs = 1_000;

/**
 * Stops gracefully on the first signal and at once on a later SIGTERM or SIGINT. An uncaught error also stops gracefully;
 * so does the end of the parent process under `npx`, which does not pass SIGTERM on.
 */
function stopOnSignal(log: Logger, stop: (cause: Cause) => Promise<void>): void {
  let stoppingSince: number | undefined;
  let exitCode = 0;
  const begin = (cause: Cause): void => {
    stoppingSince = performance.now();
    log.info({ cause }, 'stopping');
    const stopped = stop(cause).catch((error: unknown) => {
      log.error(describeError(error), 'stop failed');
      exitCode = 1;
    });
    void stopped.then(() => log.flush(() => process.exit(exitCode)));
  };
  const onSignal = (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void => {
    if (stoppingSince === undefined) begin(signal);
    // When a terminal closes, its shell and the kernel may each send a SIGHUP.
    else if (signal !== 'SIGHUP' && performance.now() - stoppingSince >= repeatedMs) process.exit(130);
  };
  const onError = (error: unknown): void => {
    log.fatal(describeError(error), 'uncaught error');
    exitCode = 1;
    if (stoppingSince === undefined) begin('error');
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal).on('SIGHUP', onSignal);
  process.on('uncaughtException', onError).on('unhandledRejection', onError);
  // Also where npx ended during the start.
  const onNpxEnd = (): void => void (hasNpxEnded() && (stoppingSince ?? begin('parent ended')));
  if (isUnderNpx()) setInterval(onNpxEnd, npxCheckMs).unref();
}
