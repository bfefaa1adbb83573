import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Logger } from '../../src/log.ts';

/** A logger at its most talkative, and every line that it has written. */
export function captureLog(): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  return { log: pino({ level: 'trace' }, stream), lines };
}
