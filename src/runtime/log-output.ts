import { writeSync } from 'node:fs';
import { createLogger } from './log.ts';

/** A line waits for others no longer than this, nor for more text than this: a write of each costs as much as a call. */
const flushMs = 50;
const pieceLength = 16_384;
/** Characters that wait while nothing can be written; lines beyond them are dropped and counted. */
const maxWaitingLength = 1 << 20;
/** How long the end of the process is held up for a slow reader. */
const exitMs = 2_000;
const exitPauseMs = 10;

/**
 * Writes lines to a file descriptor in pieces, in their order, the last piece when the process ends. What cannot be
 * written (a full disk, a pipe without a reader) is tried again, and neither stops the process nor keeps it from ending.
 */
export function createOutput(descriptor: number): (line: string) => void {
  let text = '';
  let unwritten = Buffer.alloc(0);
  let dropped = 0;
  const { warn } = createLogger('warn', (line) => (text += line));

  /** Whether more is there that can be written in a while. */
  const flush = (): boolean => {
    if (unwritten.length === 0) {
      unwritten = Buffer.from(text);
      text = '';
    }
    if (unwritten.length === 0) return false;
    const written = writeSome(descriptor, unwritten);
    unwritten = unwritten.subarray(written ?? 0);
    if (unwritten.length > 0) return written !== undefined;
    if (dropped > 0) warn({ lines: dropped }, 'log lines dropped');
    dropped = 0;
    return text !== '';
  };

  setInterval(flush, flushMs).unref();
  process.once('exit', () => {
    const end = performance.now() + exitMs;
    while (flush() && performance.now() < end)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitPauseMs);
  });
  return (line) => {
    if (unwritten.length + text.length + line.length > maxWaitingLength) dropped += 1;
    else text += line;
    if (text.length >= pieceLength && unwritten.length === 0) flush();
  };
}

/** How many bytes were taken, none where the reader is slow; undefined where nothing can be written. */
function writeSome(descriptor: number, bytes: Buffer): number | undefined {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : undefined;
  }
}
