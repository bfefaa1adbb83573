import { GatewayError } from '../domain/errors.ts';

/** The values of LOG_LEVEL, with the numbers that lines carry. */
const levels = { fatal: 60, error: 50, warn: 40, info: 30, debug: 20, trace: 10, silent: Infinity } as const;

export type LogLevel = keyof typeof levels;

/** Writes a line of fields and a message. Apollo Server gives a message alone, or an error. */
type WriteLine = (fields: object | string, message?: string) => void;

export interface Logger extends Readonly<Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', WriteLine>> {
  readonly isLevelEnabled: (level: LogLevel) => boolean;
}

/** JSON lines. What is logged is chosen field by field: no bodies, variables, headers or messages. */
export function createLogger(lowest: LogLevel, write: (line: string) => void): Logger {
  const now = createTimestamp();
  const isLevelEnabled = (level: LogLevel): boolean => levels[level] >= levels[lowest];
  const at = (level: LogLevel): WriteLine => {
    if (!isLevelEnabled(level)) return () => {};
    // What is spread first into an object is copied at once, what comes later property by property.
    const beginning = `{"level":${levels[level]},"time":"`;
    const toLine = (fields: object, msg: string): string =>
      `${beginning}${now()}",${JSON.stringify({ ...fields, msg }).slice(1)}\n`;
    return (given, message = '') => {
      if (typeof given === 'string') write(toLine({}, given));
      else write(toLine(given instanceof Error ? describeError(given) : given, message));
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    isLevelEnabled,
  };
}

/** The time as text. The most of it is put together once a second. */
function createTimestamp(): () => string {
  let second = 0;
  let beginning = '';
  return () => {
    const now = Date.now();
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      beginning = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    return `${beginning}${String(ms).padStart(3, '0')}Z`;
  };
}

/**
 * What a log may say of an error: our own code and details, and of a foreign cause its name and code. Messages are left
 * out, since a library's may quote a host or a value; of our own bugs the stack's frames tell where.
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
  return { name: cause.name, ...('code' in cause ? { code: String(cause.code) } : {}) };
}
