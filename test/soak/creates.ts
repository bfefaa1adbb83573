/** Creates under keys, each with a reference of its own, and what was told of them beside what the bank recorded. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const document = `mutation ($input: CreateCustomerInput!) {
  createCustomer(input: $input) { customer { id } userErrors { message } }
}`;
const perSecond = 5;
/** One client in so many leaves soon after it has asked. */
const leavesEach = 10;
const leavesAfterMs = 8;
/** How often a create is asked for again that was told as not done, or not told. */
const tries = 40;
const pauseMs = 500;

/** `done`, `refused`, the code of the error, or `left` where the client did not wait. */
type Told = string;

export function startCreates(url: string, headers: Readonly<Record<string, string>>) {
  /** All that was told of each reference; the last one counts. */
  const told = new Map<string, readonly Told[]>();
  let count = 0;

  const create = async (reference: string, signal: AbortSignal | null): Promise<Told> => {
    const customer = {
      firstName: 'Ada',
      lastName: 'Walker',
      nin: '00000000000',
      dateOfBirth: '1990-01-31',
      bvn: '',
      phone: '+2340000000000',
      email: 'ada@example.com',
      type: 'wallet',
      collectionWalletId: 'wal_0001',
    };
    const variables = { input: { ...customer, reference, idempotencyKey: `key-of-${reference}` } };
    const body = JSON.stringify({ query: document, variables });
    try {
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal,
      });
      const { data, errors } = (await answer.json()) as {
        readonly data?: { readonly createCustomer?: { readonly customer: object | null } | null };
        readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
      };
      const [error] = errors ?? [];
      if (error !== undefined) return error.extensions.code;
      return (data?.createCustomer?.customer ?? null) === null ? 'refused' : 'done';
    } catch {
      return 'left';
    }
  };

  const ask = async (reference: string, signal: AbortSignal | null): Promise<void> => {
    const answer = await create(reference, signal);
    told.set(reference, [...(told.get(reference) ?? []), answer]);
  };
  const lastTold = (reference: string): Told | undefined => told.get(reference)?.at(-1);
  const isSettled = (reference: string): boolean =>
    ['done', 'refused', 'OUTCOME_UNKNOWN'].includes(lastTold(reference) ?? '');

  return {
    /** Creates by the clock for so many seconds. */
    run: async (seconds: number): Promise<void> => {
      const asking: Promise<unknown>[] = [];
      for (let index = 0; index < seconds * perSecond; index += 1) {
        count += 1;
        const reference = `soak-${count}`;
        const signal = count % leavesEach === 0 ? AbortSignal.timeout(leavesAfterMs) : null;
        asking.push(ask(reference, signal));
        await delay(1000 / perSecond);
      }
      await Promise.all(asking);
    },
    /** Asks again, under the same key, for each create of which no outcome was told. */
    settle: async (): Promise<void> => {
      for (let tried = 0; tried < tries; tried += 1) {
        const open = [...told.keys()].filter((reference) => !isSettled(reference));
        if (open.length === 0) return;
        for (const reference of open) await ask(reference, null);
        await delay(pauseMs);
      }
    },
    /** Compares what was told with what stands in the bank's database. */
    compare: (databaseFile: string) => {
      const database = new DatabaseSync(databaseFile, { readOnly: true });
      const rows = database.prepare('SELECT reference, created_at FROM customers').all() as {
        readonly reference: string;
        readonly created_at: string;
      }[];
      database.close();
      const recorded = new Map(rows.map(({ reference, created_at: moment }) => [reference, moment]));
      const withTold = (wanted: Told) => [...told.keys()].filter((reference) => lastTold(reference) === wanted);
      const done = withTold('done');
      const unknown = withTold('OUTCOME_UNKNOWN');
      return {
        creates: told.size,
        done: done.length,
        unknown: unknown.length,
        unknownInVain: unknown.filter((reference) => !recorded.has(reference)).length,
        unsettled: [...told.keys()].filter((reference) => !isSettled(reference)).length,
        // Only a create that was sent twice is refused, since nobody else uses its reference.
        contradicted: [...done.filter((reference) => !recorded.has(reference)), ...withTold('refused')].map(
          (reference) =>
            `${reference}: ${told.get(reference)?.join(', ')}; recorded: ${recorded.get(reference) ?? 'never'}`,
        ),
      };
    },
  };
}
