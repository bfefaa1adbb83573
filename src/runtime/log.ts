import { GatewayError } from '../domain/errors.ts';

/** The values of LOG_LEVEL, with their numbers in log lines. */
const levels = { fatal: 60, error: 50, warn: 40, info: 30, debug: 20, trace: 10, silent: Infinity } as const;

export type LogLevel = keyof typeof levels;

export const logLevels = Object.keys(levels) as LogLevel[]; // the keys of the table above

/** Writes a line with fields and a message. Apollo Server calls it with a message alone, or with an error. */
type WriteLine = (fields: object | string, message?: string) => void;

export interface Logger extends Readonly<Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', WriteLine>> {
  readonly isLevelEnabled: (level: LogLevel) => boolean;
}

/** Writes JSON lines. Callers choose every field: no bodies, variables, headers or messages of errors. */
export function createLogger(minLevel: LogLevel, write: (line: string) => void): Logger {
  const isLevelEnabled = (level: LogLevel): boolean => levels[level] >= levels[minLevel];
  const createWriter = (level: LogLevel): WriteLine => {
    if (!isLevelEnabled(level)) return () => {};
    // V8 copies an object that is spread first as a whole, so the message comes last.
    const start = `{"level":${levels[level]},"time":"`;
    const toLine = (fields: object, msg: string): string =>
      `${start}${new Date().toISOString()}",${JSON.stringify({ ...fields, msg }).slice(1)}\n`;
    return (fields, message = '') => {
      if (typeof fields === 'string') write(toLine({}, fields));
      else write(toLine(fields instanceof Error ? describeError(fields) : fields, message));
    };
  };
  return {
    debug: createWriter('debug'),
    info: createWriter('info'),
    warn: createWriter('warn'),
    error: createWriter('error'),
    fatal: createWriter('fatal'),
    isLevelEnabled,
  };
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
