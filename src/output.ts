import { writeSync } from 'node:fs';

/** A line waits for others no longer than this, nor for more text than this: a write of each costs as much as a call. */
const flushMs = 50;
const pieceLength = 16_384;
/** What waits while nothing can be written; lines beyond it are dropped and counted. */
const maxWaitingLength = 1 << 20;
const exitTries = 20;
const exitPauseMs = 10;

/**
 * Writes lines to a file descriptor in pieces, in their order, the last piece when the process ends. What cannot be
 * written (a full disk, a pipe without a reader) is tried again, and neither stops the process nor keeps it from ending.
 */
export function createOutput(descriptor: number): (line: string) => void {
  let text = '';
  let unwritten = Buffer.alloc(0);
  let dropped = 0;

  const flush = (): void => {
    if (text === '' && unwritten.length === 0) return;
    unwritten = Buffer.concat([unwritten, Buffer.from(text)]);
    text = '';
    unwritten = unwritten.subarray(writtenBytes(descriptor, unwritten));
    if (dropped === 0 || unwritten.length > 0) return;
    text = `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines: dropped, msg: 'log lines dropped' })}\n`;
    dropped = 0;
  };

  setInterval(flush, flushMs).unref();
  process.once('exit', () => {
    for (let tries = 0; tries < exitTries; tries += 1) {
      flush();
      if (text === '' && unwritten.length === 0) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitPauseMs);
    }
  });
  return (line) => {
    if (unwritten.length + text.length + line.length > maxWaitingLength) dropped += 1;
    else text += line;
    if (text.length >= pieceLength && unwritten.length === 0) flush();
  };
}

function writtenBytes(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes);
  } catch {
    return 0;
  }
}
