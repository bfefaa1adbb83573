import { writeSync } from 'node:fs';
import { createLogger } from './log.ts';

/** Lines are written together: one system call per line would cost as much as an upstream call. */
const flushMs = 50;
const flushLength = 16_384;
/** Maximum of buffered characters while nothing can be written; further lines are dropped and counted. */
const maxBufferedLength = 1 << 20;
/** How long a slow reader may delay the exit of the process. */
const exitMs = 2_000;
const exitPauseMs = 10;

/**
 * Writes lines to a file descriptor in batches, the last one when the process exits. A failed write (a full disk, a pipe
 * without a reader) is retried; it neither stops the process nor keeps it alive.
 */
export function createOutput(descriptor: number): (line: string) => void {
  let text = '';
  let unwritten = Buffer.alloc(0);
  let dropped = 0;
  const { warn } = createLogger('warn', (line) => (text += line));

  /** Returns whether a further flush can write more. */
  const flush = (): boolean => {
    if (unwritten.length === 0) {
      unwritten = Buffer.from(text);
      text = '';
    }
    if (unwritten.length === 0) return false;
    const byteCount = writeSome(descriptor, unwritten);
    unwritten = unwritten.subarray(byteCount ?? 0);
    if (unwritten.length > 0) return byteCount !== undefined;
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
    if (unwritten.length + text.length + line.length > maxBufferedLength) dropped += 1;
    else text += line;
    if (text.length >= flushLength && unwritten.length === 0) flush();
  };
}

/** Returns the number of bytes written, 0 where the reader is slow; undefined where writing failed. */
function writeSome(descriptor: number, bytes: Buffer): number | undefined {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : undefined;
  }
}
