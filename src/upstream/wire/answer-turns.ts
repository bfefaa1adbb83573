/** How long answers may be read in one turn of the event loop: large ones take about half a millisecond each. */
const turnMs = 2;

/** Returns whether an answer may be read at once. Where it must be read later, `resume` is called once, in its turn. */
export type TakeTurn = (caller: string, resume: () => void) => 'now' | 'later';

/**
 * Spreads the reading of answers that arrive together over turns of the event loop, round-robin between callers:
 * otherwise a caller of few answers waits until all answers of a caller of many are read.
 */
export function createAnswerTurns(): TakeTurn {
  const waiting = new Map<string, (() => void)[]>();
  let endsAt = 0;
  let isRunning = false;

  /** Resumes the oldest answer of the first caller, and moves that caller behind all others that wait. */
  const resumeNext = (): void => {
    const [[caller, answers] = ['', []]] = waiting;
    waiting.delete(caller);
    const resume = answers.shift();
    if (answers.length > 0) waiting.set(caller, answers);
    resume?.();
  };
  const begin = (): void => {
    isRunning = true;
    endsAt = performance.now() + turnMs;
    setImmediate(run);
  };
  const run = (): void => {
    isRunning = false;
    if (waiting.size === 0) return;
    begin();
    while (waiting.size > 0 && performance.now() < endsAt) resumeNext();
  };

  return (caller, resume) => {
    if (!isRunning) begin();
    if (waiting.size === 0 && performance.now() < endsAt) return 'now';
    const answers = waiting.get(caller);
    if (answers === undefined) waiting.set(caller, [resume]);
    else answers.push(resume);
    return 'later';
  };
}
