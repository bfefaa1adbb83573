/** Creates under keys, each with a reference of its own, and what was told of them beside what the bank recorded. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const document = `mutation ($input: CreateCustomerInput!) {
  createCustomer(input: $input) { customer { id } userErrors { message } }
}`;
const customer = {
  firstName: 'Ada',
  lastName: 'Walker',
  nin: '00000000000',
  dateOfBirth: '1990-01-31',
  phone: '+2340000000000',
  email: 'ada@example.com',
  type: 'wallet',
  collectionWalletId: 'wal_0001',
};
const perSecond = 5;
/** One client in so many leaves soon after it has asked. */
const leavesEach = 10;
const leavesAfterMs = 8;
/** How often a create is asked for again that was told as not done, or not told. */
const tries = 40;
const pauseMs = 500;

interface Answer {
  readonly data?: { readonly createCustomer?: { readonly customer: object | null } | null };
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

export function startCreates(url: string, headers: Readonly<Record<string, string>>) {
  /** All that was told of each reference: `done`, `refused`, the code of the error, or `left`; the last one counts. */
  const told = new Map<string, readonly string[]>();

  const create = async (reference: string, signal: AbortSignal | null): Promise<string> => {
    const variables = { input: { ...customer, reference, idempotencyKey: `key-of-${reference}` } };
    const request = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: document, variables }),
      signal,
    };
    try {
      const { data, errors = [] } = (await (await fetch(`${url}/graphql`, request)).json()) as Answer;
      const isDone = (data?.createCustomer?.customer ?? null) !== null;
      return errors[0]?.extensions.code ?? (isDone ? 'done' : 'refused');
    } catch {
      return 'left';
    }
  };
  const ask = async (reference: string, signal: AbortSignal | null = null): Promise<void> => {
    const answer = await create(reference, signal);
    told.set(reference, [...(told.get(reference) ?? []), answer]);
  };
  const toldLast = (...wanted: readonly string[]) =>
    [...told].filter(([, all]) => wanted.includes(all.at(-1) ?? '')).map(([reference]) => reference);
  const unsettled = () => {
    const settled = new Set(toldLast('done', 'refused', 'OUTCOME_UNKNOWN'));
    return [...told.keys()].filter((reference) => !settled.has(reference));
  };

  let count = 0;
  return {
    /** Creates by the clock for so many seconds. */
    run: async (seconds: number): Promise<void> => {
      const asking: Promise<void>[] = [];
      for (let index = 0; index < seconds * perSecond; index += 1) {
        count += 1;
        asking.push(ask(`soak-${count}`, count % leavesEach === 0 ? AbortSignal.timeout(leavesAfterMs) : null));
        await delay(1000 / perSecond);
      }
      await Promise.all(asking);
    },
    /** Asks again, under the same key, for each create of which no outcome was told. */
    settle: async (): Promise<void> => {
      for (let tried = 0; tried < tries && unsettled().length > 0; tried += 1) {
        for (const reference of unsettled()) await ask(reference);
        await delay(pauseMs);
      }
    },
    /** Compares what was told with what stands in the bank's database. */
    compare: (databaseFile: string) => {
      const database = new DatabaseSync(databaseFile, { readOnly: true });
      const rows = database.prepare('SELECT reference FROM customers').all() as { readonly reference: string }[];
      database.close();
      const recorded = new Set(rows.map(({ reference }) => reference));
      const inVain = (references: readonly string[]) => references.filter((reference) => !recorded.has(reference));
      const [done, unknown] = [toldLast('done'), toldLast('OUTCOME_UNKNOWN')];
      // Only a create that was sent twice is refused, since nobody else uses its reference.
      const contradicted = [...inVain(done), ...toldLast('refused')];
      return {
        creates: told.size,
        done: done.length,
        unknown: unknown.length,
        unknownInVain: inVain(unknown).length,
        unsettled: unsettled().length,
        contradicted: contradicted.map((reference) => `${reference}: ${told.get(reference)?.join(', ')}`),
      };
    },
  };
}
