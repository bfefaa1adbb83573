import { createLogger, type Logger, type LogLevel } from '../../src/runtime/log.ts';

/** A logger, by default at its most talkative, and every line that it has written. */
export function captureLog(level: LogLevel = 'trace'): {
  readonly log: Logger;
  readonly lines: readonly string[];
} {
  const lines: string[] = [];
  return { log: createLogger(level, { write: (line) => void lines.push(line) }), lines };
}
