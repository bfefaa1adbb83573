import { createLogger, type Logger } from '../../src/log.ts';

/** A logger, by default at its most talkative, and every line that it has written. */
export function captureLog(level = 'trace'): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  return { log: createLogger(level, (line) => void lines.push(line)), lines };
}
