import { setTimeout as delay } from 'node:timers/promises';
import { message, startFaultUpstream, type AskedRequest } from '../../support/upstream/fault-upstream.ts';
import { identifierIn } from '../../support/upstream/upstream.ts';

/** How long the service takes for an answer, and how soon after one a stray answer follows on its connection. */
const answerMs = 12;
const strayMs = 10;
const strayEvery = 5;

export interface StrayUpstream {
  readonly url: string;
  readonly requests: readonly AskedRequest[];
  /** Answers sent that nobody had asked for. */
  readonly strays: () => number;
}

/** The value that stands in every record of the customer with this number, and in no other one. */
export const markOf = (customer: number): string => `${customer}.00`;

/**
 * A service that knows its customers by number. After every fifth answer it sends another one unasked on the same
 * connection: the answer that it last gave about another customer.
 */
export async function startStrayUpstream(): Promise<StrayUpstream> {
  let answers = 0;
  let strays = 0;
  const lastAnswers = new Map<string, string>();
  const { url, requests } = await startFaultUpstream(({ path, body }) => async (socket) => {
    await delay(answerMs);
    // A new customer is known by the number in its reference.
    const id = /"reference":"(\d+)"/.exec(body)?.[1] ?? identifierIn(path);
    const answer = answerAbout(Number(id));
    socket.write(answer);
    lastAnswers.delete(id);
    const stray = [...lastAnswers.values()].at(-1);
    lastAnswers.set(id, answer);
    answers += 1;
    if (answers % strayEvery !== 0 || stray === undefined) return;
    await delay(strayMs);
    strays += 1;
    socket.write(stray);
  });
  return { url, requests, strays: () => strays };
}

/** A record that is a customer, a balance and an account alike. */
function answerAbout(customer: number): string {
  const [id, mark] = [String(customer), markOf(customer)];
  const data = { id, reference: id, first_name: mark, customer_id: id, balance: mark, account_name: mark };
  return message('200 OK', JSON.stringify({ success: true, data }));
}
