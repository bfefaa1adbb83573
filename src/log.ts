import { pino, type Logger as Pino } from 'pino';
import { GatewayError } from './errors.ts';

/** What is used of pino's; bindings of a child would not be in a line. */
export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'isLevelEnabled'>;

/** A line waits for others no longer than this, nor for more of them than this: a write of each costs as much as a call. */
const flushMs = 50;
const flushBytes = 4096;

/** JSON lines. What is logged is chosen field by field: no bodies, variables, headers or messages. */
export function createLogger(level: string, write: (line: string) => void = createOutput()): Logger {
  const now = createTimestamp();
  const toLine = (fields: object, msg: string | undefined, number: number): string =>
    `${JSON.stringify({ level: number, time: now(), ...fields, msg })}\n`;
  // pino's own way of putting a line together takes three times as long.
  return Object.assign(pino({ level, timestamp: false }, { write }), { [pino.symbols.asJsonSym]: toLine });
}

/** Standard output in pieces, the last one written when the process ends. */
function createOutput(): (line: string) => void {
  const pieces = { minLength: flushBytes, periodicFlush: flushMs, contentMode: 'buffer' } as const;
  const destination = pino.destination({ sync: false, ...pieces });
  // Bytes, which its types do not know of: of texts it would count those of all that it holds at every line.
  return (line) => void destination.write(Buffer.from(line) as unknown as string);
}

/** The time as text, put together once a millisecond. */
function createTimestamp(): () => string {
  let last = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) text = new Date(now).toISOString();
    last = now;
    return text;
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
