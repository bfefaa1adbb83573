import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { accept, refuse, refuseFields, send, type Answer } from './answer.ts';
import { withJson } from './body.ts';
import { faultInput, type Faults } from './faults.ts';
import type { Journal } from './journal.ts';
import { createId, type Store } from './data/store.ts';
import { amountInput, check, objectMessage } from './validate.ts';

interface Parts {
  readonly store: Store;
  readonly journal: Journal;
  readonly faults: Faults;
}

const depositInput = z.strictObject(
  { accountNumber: z.string(), amount: amountInput, narration: z.string().min(1).optional() },
  objectMessage,
);

/** What the amounts of the interface can show, 18 digits; it also keeps every sum within SQLite's integers. */
const largestBalanceKobo = 10n ** 18n - 1n;

const createDeposit =
  ({ ledger }: Store) =>
  (body: unknown): Answer => {
    const checked = check(depositInput, body);
    if ('errors' in checked) return refuseFields(checked.errors);
    const { accountNumber, amount: amountKobo, narration = 'Deposit' } = checked.value;
    const payee = ledger.findPayee(accountNumber);
    if (payee === undefined) return refuse(404, 'There is no such account.');
    const { customer } = payee;
    if (payee.amountKobo !== null && payee.amountKobo !== amountKobo)
      return refuseFields({ amount: ['Must be the amount of the one-time account.'] });
    if (ledger.balance(customer).kobo + amountKobo > largestBalanceKobo)
      return refuseFields({ amount: ['Must leave the balance within 18 digits.'] });
    const id = createId('txn');
    const now = new Date().toISOString();
    const transaction = {
      customer,
      id,
      reference: createId('dep'),
      narration,
      type: 'credit',
      amountKobo,
      now,
    } as const;
    return accept('The deposit was made.', ledger.insertTransaction(transaction), 201);
  };

/**
 * Mounts what development and tests use behind the interface's back: money coming in, faults, the journal, a reset. A
 * foreign web page in the same browser reaches none of it: a form cannot send JSON, a script gets no CORS headers, and
 * a name that was made to point here is not an accepted host.
 */
export const mountControl = (app: FastifyInstance, { store, journal, faults }: Parts): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (/^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i.test(request.headers.host ?? '')) done();
    else send(reply, refuse(403, 'This host is not accepted.'));
  });
  const actions: Readonly<Record<string, (body: unknown) => Answer>> = {
    '/deposits': createDeposit(store),
    '/faults': (body) => {
      const checked = check(faultInput, body);
      if ('errors' in checked) return refuseFields(checked.errors);
      return faults.add(checked.value)
        ? accept('The fault was ordered.', checked.value, 201)
        : refuse(422, 'Too many faults are waiting.');
    },
    '/reset': () => {
      store.reset();
      journal.clear();
      faults.clear();
      return { status: 204 };
    },
  };
  for (const [path, act] of Object.entries(actions))
    app.post(path, (request, reply) => send(reply, withJson(request, act)));
  app.get('/requests', (_request, reply) => send(reply, { status: 200, body: { requests: journal.entries() } }));
};
