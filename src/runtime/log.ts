import { pino, stdTimeFunctions, type DestinationStream } from 'pino';
import { GatewayError } from '../domain/errors.ts';

/** The values of LOG_LEVEL. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Lines are written together: one system call per line would cost as much as an upstream call. */
const flushMs = 50;
const flushBytes = 8_192;
/** Bytes of lines that wait for a slow reader; further lines are dropped. */
const maxWaitingBytes = 1 << 20;

/** Writes a line with fields and a message. Apollo Server calls it with a message alone, or with an error. */
type WriteLine = (fields: object | string, message?: string) => void;

export interface Logger extends Readonly<Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', WriteLine>> {
  readonly isLevelEnabled: (level: LogLevel) => boolean;
  /** Calls back once all lines are written, or cannot be. */
  readonly flush: (done: () => void) => void;
}

/** Fields that no line may have: a second line of defence, since callers choose every field. */
const secretFields = ['authorization', 'headers', 'body', 'variables', 'nin', 'bvn'];

/** Writes JSON lines. Callers choose every field: no bodies, variables, headers or messages of errors. */
export function createLogger(level: LogLevel, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: [...secretFields, ...secretFields.map((name) => `*.${name}`)], remove: true },
      // Pino would write an error's message, which may quote a host or a value.
      hooks: {
        logMethod([fields, ...message], write) {
          write.apply(this, [fields instanceof Error ? describeError(fields) : fields, ...message]);
        },
      },
    },
    destination,
  );
}

/**
 * Standard output, written in batches. A write that fails neither stops the process nor keeps it alive. On a developer's
 * terminal lines are made for people, where pino-pretty is installed.
 */
export async function createOutput(isProduction: boolean): Promise<DestinationStream> {
  const { stdout } = process;
  const pretty = !isProduction && stdout.isTTY ? await import('pino-pretty').catch(() => undefined) : undefined;
  if (pretty !== undefined) return pretty.default({ sync: true, colorize: stdout.hasColors() });
  const options = { dest: 1, sync: false, minLength: flushBytes, periodicFlush: flushMs, maxLength: maxWaitingBytes };
  const output = pino.destination(options);
  // The flush at the exit would repeat a write that fails for ever: a full disk, a terminal that has closed.
  return output.on('error', () => (output.flushSync = () => {}));
}

/**
 * The fields that a log line may have of an error: code and details of a GatewayError, name, code and stack frames of
 * any other. A message may quote a host or a value, so it is left out.
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof GatewayError) {
    const { code, details, cause } = error;
    return { code, ...details, ...(cause === undefined ? {} : { cause: describeCause(cause) }) };
  }
  const frames = error instanceof Error ? error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) : undefined;
  return { ...describeCause(error), ...(frames === undefined ? {} : { frames: frames.slice(0, 20) }) };
}

function describeCause(cause: unknown): Readonly<Record<string, unknown>> {
  if (cause instanceof GatewayError) return describeError(cause);
  if (!(cause instanceof Error)) return { name: typeof cause };
  const code = 'code' in cause ? cause.code : undefined;
  return { name: cause.name, ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}) };
}
