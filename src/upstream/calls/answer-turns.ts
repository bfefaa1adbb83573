import { createRoundRobin } from '../../runtime/round-robin.ts';

/** Bytes of answers that are read in one turn of the event loop, which takes about a quarter of a millisecond. */
const bytesPerTurn = 16 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly resume: () => void;
}

/**
 * Creates the function that waits until an answer may be read; undefined where it may at once. Answers that arrive together
 * are spread over turns of the event loop, one caller after the other: otherwise a caller of few waits until all answers of
 * a caller of many are read.
 */
export function createAnswerTurns(): (caller: string, bytes: number) => Promise<void> | undefined {
  const waiting = createRoundRobin<Waiting>();
  let bytesLeft = bytesPerTurn;
  let isScheduled = false;
  const hasRoom = (): boolean => bytesLeft > 0;

  const take = (bytes: number): void => {
    if (!isScheduled) setImmediate(beginTurn);
    isScheduled = true;
    bytesLeft -= bytes;
  };
  const beginTurn = (): void => {
    isScheduled = false;
    bytesLeft = bytesPerTurn;
    while (hasRoom()) {
      const next = waiting.next(() => true);
      if (next === undefined) return;
      take(next.bytes);
      next.resume();
    }
  };

  return (caller, bytes) => {
    if (!hasRoom() || waiting.length() > 0) return new Promise((resume) => waiting.add(caller, { bytes, resume }));
    take(bytes);
    return undefined;
  };
}
