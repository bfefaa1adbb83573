import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { foreignMarks, marksIn, type MarkedCaller } from './marks.ts';

const atOnce = 64;
/** One request in this many leaves before it is answered; no divisor of a round number, so that every caller does. */
const leaverEvery = 19;

/**
 * A document, or a tool of `/mcp` with its id, in which `OWN` stands for the caller's number, and how many marks its whole
 * answer holds.
 */
export type Question = readonly [asked: string | { readonly tool: string; readonly id: string }, marks: number];

export interface Tally {
  answered: number;
  left: number;
  /** Marks compared, and those of them that were somebody else's. */
  marks: number;
  foreign: number;
  /** Answers that did not hold all that was asked, by what they told instead. */
  readonly incomplete: Record<string, number>;
}

/** Sends that many requests, many at once, the callers taking turns. */
export async function askAsCrowd(
  url: string,
  callers: readonly MarkedCaller[],
  questions: readonly Question[],
  requests: number,
): Promise<Tally> {
  const pool = new Pool(url, { connections: atOnce, pipelining: 1 });
  const tally: Tally = { answered: 0, left: 0, marks: 0, foreign: 0, incomplete: {} };
  let turn = 0;
  const askInTurn = async (): Promise<void> => {
    while (turn < requests) {
      const mine = turn;
      turn += 1;
      const caller = callers[mine % callers.length];
      const question = questions[Math.floor(mine / callers.length) % questions.length];
      if (caller === undefined || question === undefined) throw new Error('there is nobody to ask or nothing to ask');
      // From before the gateway has read it until after it has answered.
      const leaveAfterMs = mine % leaverEvery === 0 ? mine % 40 : undefined;
      count(tally, await ask(pool, caller, question[0], leaveAfterMs), caller, question[1]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askInTurn));
  await pool.close();
  return tally;
}

/**
 * The text of the answer, or undefined for a caller that has left: its connection goes with it.
 */
async function ask(
  pool: Pool,
  { index, headers }: MarkedCaller,
  asked: Question[0],
  leaveAfterMs: number | undefined,
): Promise<string | undefined> {
  const controller = new AbortController();
  if (leaveAfterMs !== undefined) void delay(leaveAfterMs).then(() => controller.abort());
  const request = {
    method: 'POST',
    path: typeof asked === 'string' ? '/graphql' : '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: toBody(asked).replaceAll('OWN', String(index)),
    signal: controller.signal,
  } as const;
  try {
    return await (await pool.request(request)).body.text();
  } catch (error) {
    if (controller.signal.aborted) return undefined;
    throw error;
  }
}

function toBody(asked: Question[0]): string {
  if (typeof asked === 'string') return JSON.stringify({ query: asked });
  const params = { name: asked.tool, arguments: { id: asked.id } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

function count(tally: Tally, text: string | undefined, caller: MarkedCaller, expectedMarks: number): void {
  if (text === undefined) {
    tally.left += 1;
    return;
  }
  const found = marksIn(text).length;
  tally.answered += 1;
  tally.marks += found;
  tally.foreign += foreignMarks(text, caller).length;
  if (found === expectedMarks) return;
  const told = (text.match(/(?<="code":")\w+/g) ?? [`${found} of ${expectedMarks} marks`]).join(' ');
  tally.incomplete[told] = (tally.incomplete[told] ?? 0) + 1;
}
