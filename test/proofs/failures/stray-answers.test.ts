import { Pool } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codes, credentials, query, startGateway, type GraphQLAnswer } from '../../support/gateway.ts';
import { markOf, startStrayUpstream } from './stray-upstream.ts';
import { record } from '../evidence.ts';

const callers = 32;
/** Few, so that every connection carries the calls of many callers. */
const connections = 4;
const requests = 200;

/** One operation, asked for one customer. */
interface Question {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly path: (customer: number) => string;
  readonly body?: (customer: number) => string;
  readonly document: (customer: number) => string;
  /** The customer's mark in the answer; undefined where the answer is none. */
  readonly markIn: (answer: GraphQLAnswer) => unknown;
  /** Calls that it takes where every answer fits. */
  readonly calls: number;
  readonly contract?: Readonly<Record<string, unknown>>;
}

const customers: Question = {
  method: 'GET',
  path: (customer) => `/api/v1/customers/${customer}`,
  document: (customer) => `{ customer(id: "${customer}") { firstName } }`,
  markIn: ({ data }) => data.customer?.firstName,
  calls: 1,
};

const updates: Question = {
  method: 'PATCH',
  path: (customer) => `/api/v1/customers/${customer}`,
  document: (customer) =>
    `mutation { updateCustomer(input: { id: "${customer}", lastName: "Ada" }) { customer { firstName } } }`,
  markIn: ({ data }) => data.updateCustomer?.customer?.firstName,
  calls: 1,
};

const creates: Question = {
  method: 'POST',
  path: () => '/api/v1/customers/',
  body: (customer) => JSON.stringify({ reference: String(customer) }),
  document: (customer) => `mutation { createCustomer(input: { reference: "${customer}" }) { customer { firstName } } }`,
  markIn: ({ data }) => data.createCustomer?.customer?.firstName,
  calls: 1,
};

const unnamedBalances: Question = {
  method: 'GET',
  path: (customer) => `/api/v1/customers/${customer}/balance`,
  document: (customer) => `{ customer(id: "${customer}") { balance { value { amount } } } }`,
  markIn: ({ data }) => data.customer?.balance?.value.amount,
  calls: 2,
};

const namedBalances: Question = { ...unnamedBalances, contract: { 'balance.customerId': ['/customer_id'] } };

const unnamedAccounts: Question = {
  method: 'POST',
  path: (customer) => `/api/v1/customers/${customer}/virtual-accounts`,
  document: (customer) =>
    `mutation { createVirtualAccount(input: { customerId: "${customer}" }) { virtualAccount { accountName } } }`,
  markIn: ({ data }) => data.createVirtualAccount?.virtualAccount?.accountName,
  calls: 1,
};

const namedAccounts: Question = { ...unnamedAccounts, contract: { 'account.customerId': ['/customer_id'] } };

interface Tally {
  own: number;
  foreign: number;
  /** Requests that were answered with an error, by its code. */
  readonly failed: Record<string, number>;
}

/** Asks so many times, the callers at once, each for its own customer; `ask` resolves with a mark or the code of an error. */
async function askAtOnce(ask: (customer: number) => Promise<{ readonly mark?: unknown; readonly code?: string }>) {
  const tally: Tally = { own: 0, foreign: 0, failed: {} };
  let asked = 0;
  const askInTurn = async (customer: number): Promise<void> => {
    while (asked < requests) {
      asked += 1;
      const { mark, code } = await ask(customer);
      if (code !== undefined) tally.failed[code] = (tally.failed[code] ?? 0) + 1;
      else if (mark === markOf(customer)) tally.own += 1;
      else tally.foreign += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => askInTurn(index + 1)));
  return tally;
}

async function askGateway({ contract = {}, document, markIn }: Question) {
  const upstream = await startStrayUpstream();
  const environment = { UPSTREAM_CONNECTIONS: String(connections) };
  const gateway = await startGateway({ upstream: upstream.url, environment, contract });
  const tally = await askAtOnce(async (customer) => {
    const headers = { ...credentials, svcprivatekey: `key-${customer}` };
    const answer = await query(gateway, document(customer), { headers });
    return answer.errors.length === 0 ? { mark: markIn(answer) } : { code: codes(answer).join(' ') };
  });
  return { ...tally, strays: upstream.strays(), calls: upstream.requests.length };
}

async function askPool({ method, path, body: bodyOf }: Question) {
  const upstream = await startStrayUpstream();
  const pool = new Pool(upstream.url, { connections, pipelining: 1 });
  onTestFinished(() => pool.destroy());
  const tally = await askAtOnce(async (customer) => {
    const headers = { svcprivatekey: `key-${customer}` };
    try {
      const { body } = await pool.request({ method, path: path(customer), headers, body: bodyOf?.(customer) ?? null });
      const { data } = (await body.json()) as { readonly data: { readonly balance: string } };
      return { mark: data.balance };
    } catch (error) {
      return { code: (error as { readonly code?: string }).code ?? 'unknown' };
    }
  });
  return { ...tally, strays: upstream.strays() };
}

const failuresIn = ({ failed }: Tally) =>
  Object.entries(failed)
    .map(([code, count]) => `, ${count} ${code}`)
    .join('');

async function compare(name: string, question: Question) {
  const gateway = await askGateway(question);
  const pool = await askPool(question);
  record(
    `Stray answers: ${name}`,
    `${requests} requests of ${callers} callers over ${connections} connections, ${gateway.strays} stray answers: ` +
      `${gateway.foreign} requests answered with another customer's value${failuresIn(gateway)}, ` +
      `${gateway.calls} calls, ${requests * question.calls} where every answer fits; ` +
      `undici's own pool: ${pool.strays} stray answers, ${pool.foreign} of ${requests}`,
  );
  return { gateway, pool };
}

describe('a service that sends a second answer unasked', () => {
  it.each<readonly [string, Question]>([
    ['customers', customers],
    ['balances that name their customer', namedBalances],
  ])('makes nobody read another customer’s value: %s', async (name, question) => {
    const { gateway, pool } = await compare(name, question);
    expect(pool.foreign).toBeGreaterThan(0);
    expect(gateway).toMatchObject({ foreign: 0, own: requests, failed: {} });
    // Some of the stray answers met a read, which was asked again.
    expect(gateway.calls).toBeGreaterThan(requests * question.calls);
  });

  it.each<readonly [string, Question]>([
    ['updates', updates],
    ['new customers', creates],
    ['new accounts that name their customer', namedAccounts],
  ])('makes a write that meets one OUTCOME_UNKNOWN: %s', async (name, question) => {
    const { gateway, pool } = await compare(name, question);
    expect(pool.foreign).toBeGreaterThan(0);
    expect(gateway.foreign).toBe(0);
    expect(gateway.failed).toEqual({ OUTCOME_UNKNOWN: requests - gateway.own });
    expect(gateway.own).toBeLessThan(requests);
  });

  it.each<readonly [string, Question]>([
    ['balances that name no customer', unnamedBalances],
    ['new accounts that name no customer', unnamedAccounts],
  ])('is not found out by a record without an identifier: %s', async (name, question) => {
    const { gateway } = await compare(name, question);
    expect(gateway.foreign).toBeGreaterThan(0);
  });
});
