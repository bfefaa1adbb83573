import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { accept, refuse, refuseFields, send, type Answer } from './answer.ts';
import { withJson } from './body.ts';
import { faultInput } from './faults.ts';
import type { BankState } from './rest.ts';
import { createId, type Store } from './data/store.ts';
import { amountInput, objectMessage, withValid } from './validate.ts';

const depositInput = z.strictObject(
  { accountNumber: z.string(), amount: amountInput, narration: z.string().min(1).optional() },
  objectMessage,
);

/** The most that an amount of 18 digits can show; it also keeps every sum within SQLite's 64-bit integers. */
const maxBalanceKobo = 10n ** 18n - 1n;

const createDeposit = ({ ledger }: Store, input: z.output<typeof depositInput>): Answer => {
  const { accountNumber, amount: amountKobo, narration = 'Deposit' } = input;
  const payee = ledger.findPayee(accountNumber);
  if (payee === undefined) return refuse(404, 'There is no such account.');
  const { customer } = payee;
  if (payee.amountKobo !== null && payee.amountKobo !== amountKobo)
    return refuseFields({ amount: ['Must be the amount of the one-time account.'] });
  if (ledger.balance(customer).kobo + amountKobo > maxBalanceKobo)
    return refuseFields({ amount: ['Must leave the balance within 18 digits.'] });
  const ids = { id: createId('txn'), reference: createId('dep') };
  const now = new Date().toISOString();
  const transaction = ledger.insertTransaction({ customer, ...ids, narration, type: 'credit', amountKobo, now });
  return accept('The deposit was made.', transaction, 201);
};

/** Refuses a host name that somebody else has pointed at this address (DNS rebinding). */
export const refuseForeignHosts = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (/^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i.test(request.headers.host ?? '')) done();
    else send(reply, refuse(403, 'This host is not accepted.'));
  });
};

/**
 * Mounts the control API of development and tests: deposits, fault injection, the request journal, a reset. A foreign
 * web page in the same browser cannot use it: a form cannot send JSON, a script gets no CORS headers, and a host name
 * that resolves to this address (DNS rebinding) is refused.
 */
export const mountControl = (app: FastifyInstance, { store, journal, faults }: BankState): void => {
  refuseForeignHosts(app);
  const actions: Readonly<Record<string, (body: unknown) => Answer>> = {
    '/deposits': (body) => withValid(depositInput, body, (deposit) => createDeposit(store, deposit)),
    '/faults': (body) =>
      withValid(faultInput, body, (fault) =>
        faults.add(fault) ? accept('The fault was ordered.', fault, 201) : refuse(422, 'Too many faults are waiting.'),
      ),
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
