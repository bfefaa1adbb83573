import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isUnderNpx, readConfig, readSchemaSettings, type Config } from '../config/config.ts';
import { variables } from '../config/variables.ts';
import { createLogger, createOutput, describeError, type Logger } from '../runtime/log.ts';
import { hasNpxEnded } from '../runtime/parent-process.ts';
import { toPrintable } from '../runtime/printable.ts';
import { version } from '../runtime/version.ts';
import { startEmbeddedBank, startGateway } from './start-gateway.ts';
import { describeListenFault, describeStart } from './start-report.ts';
import { findMisuse, isCommand, toHelp, type CommandName } from './usage.ts';
import { createWelcome } from './welcome.ts';

/**
 * Runs one command, and loads no modules of the others. Help and version go to standard output; a misused command line
 * ends with exit code 2 and a hint. An error is printed as its message, with exit code 1, or 2 for a command whose exit
 * code 1 is a verdict on a contract or an operation.
 */
export async function main(args: readonly string[]): Promise<void> {
  const [command = 'serve', ...options] = args;
  const isAsked = (...names: readonly string[]): boolean => names.some((name) => args.includes(name));
  if (isAsked('--help', '-h')) return void process.stdout.write(toHelp(isCommand(command) ? command : undefined));
  if (isAsked('--version')) return void process.stdout.write(`${version}\n`);
  const misuse = findMisuse(command, options);
  if (misuse !== undefined || !isCommand(command)) {
    console.error(misuse);
    process.exitCode = 2;
    return;
  }
  try {
    process.exitCode = await run[command](options);
  } catch (error) {
    console.error(toPrintable(error instanceof Error ? error.message : String(error)));
    const isMisuse = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    const isJudging =
      command === 'init' ||
      command === 'explain' ||
      (command === 'contract' && options.some((word) => judging.has(word)));
    process.exitCode = isMisuse || isJudging ? 2 : 1;
  }
}

/** Subcommands of `contract` whose exit code 1 is a judgement. */
const judging: ReadonlySet<string> = new Set(['check', 'import', 'try', 'test']);

/** Each resolves with an exit code, or once the server listens. */
const run: Readonly<Record<CommandName, (options: readonly string[]) => Promise<number | undefined>>> = {
  serve: (options) => startServing(serve, options),
  // The bank has no service behind it, so that production does not require one, and reads neither of the files.
  bank: (options) =>
    startServing(bank, options, {
      UPSTREAM_URL: 'embedded',
      UPSTREAM_CONTRACT: '',
      TRUSTED_DOCUMENTS: '',
      TRUSTED_DOCUMENTS_ONLY: '',
    }),
  schema: async (options) => {
    const { schemaCommand } = await import('./schema.ts');
    return schemaCommand(options, readSchemaSettings);
  },
  explain: async (options) => {
    const { explainCommand } = await import('./explain.ts');
    return explainCommand(options, readConfig);
  },
  export: async (options) => {
    const { exportCommand } = await import('./export.ts');
    return exportCommand(options, readConfig);
  },
  init: async (options) => {
    const { initCommand } = await import('./init.ts');
    return initCommand(options);
  },
  contract: async (options) => {
    const { contractCommand } = await import('./contract.ts');
    return contractCommand(options, readConfig);
  },
};

/** Starts a server; where it cannot listen, the error names the variable. `settings` take precedence. */
async function startServing(
  start: (config: Config) => Promise<void>,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<undefined> {
  const { scenario } = parseArgs({ args: [...args], options: { scenario: { type: 'string' } } }).values;
  const fault = variables.shape.BANK_SCENARIO.safeParse(scenario || undefined).error?.issues[0]?.message;
  if (fault !== undefined) throw new Error(`--scenario: ${fault}`);
  const config = readConfig(undefined, { ...settings, ...(scenario !== undefined && { BANK_SCENARIO: scenario }) });
  if (scenario !== undefined && config.upstream !== 'embedded')
    throw new Error('--scenario: allowed: without UPSTREAM_URL, since only the embedded bank has scenarios');
  await start(config).catch((error: unknown) => {
    throw new Error(describeListenFault(error, config) ?? (error instanceof Error ? error.message : String(error)));
  });
}

/** How long a stop waits for a start that is under way. */
const maxStartingMs = 2_000;

async function serve(config: Config): Promise<void> {
  const log = createLogger(config.logLevel, createOutput());
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
  stopOnSignal(createLogger(config.logLevel, createOutput()), () => embedded.close());
  process.stdout.write(`The embedded bank listens at ${embedded.url}\n`);
}

type Cause = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'parent ended' | 'error';

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
    stop(cause).then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error(describeError(error), 'stop failed');
        process.exit(1);
      },
    );
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
  if (isUnderNpx()) onNpxEnd(() => void (stoppingSince ?? begin('parent ended')));
}

/** How often a process looks whether npx still runs. */
const npxCheckMs = 200;

/** Calls back once, when npx has ended, also where it ended during the start. */
function onNpxEnd(callback: () => void): void {
  const timer = setInterval(() => {
    if (!hasNpxEnded()) return;
    clearInterval(timer);
    callback();
  }, npxCheckMs);
  timer.unref();
}
