import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAnswerTurns } from '../../../src/upstream/calls/answer-turns.ts';

/** Lets the answers of so many callers and bytes arrive together; resolves with the callers read by each turn. */
async function readByTurns(answers: readonly (readonly [caller: string, bytes: number])[], turns: number) {
  const wait = createAnswerTurns();
  const read: string[] = [];
  for (const [caller, bytes] of answers) {
    const waiting = wait(caller, bytes);
    if (waiting === undefined) read.push(caller);
    else void waiting.then(() => read.push(caller));
  }
  const seen = [read.join('')];
  for (let turn = 0; turn < turns; turn += 1) {
    await nextTurn();
    seen.push(read.join(''));
  }
  return seen;
}

it('reads small answers at once', async () => {
  const small = Array.from({ length: 10 }, () => ['a', 1_000] as const);
  expect(await readByTurns(small, 0)).toEqual(['aaaaaaaaaa']);
});

it('reads one large answer in a turn, of one caller after the other', async () => {
  const large = 20_000;
  const answers = [...Array.from({ length: 4 }, () => ['a', large] as const), ['b', large] as const];
  expect(await readByTurns(answers, 4)).toEqual(['a', 'aa', 'aab', 'aaba', 'aabaa']);
});
