import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { accept, refuse, refuseFields, send, type Answer } from './answer.ts';
import { withJson } from './body.ts';
import { embeddedContract } from './contract.ts';
import { faultInput } from './faults.ts';
import { demoMerchants } from './merchants.ts';
import type { BankState } from './rest.ts';
import { faultsOf, listSwitches, switchInput } from './scenarios.ts';
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

const firstPage = { page: 1, perPage: 100 };

/** The customers of all merchants, each with its balance and the accounts that take a deposit. */
const listCustomers = ({ customers, ledger }: Store) =>
  demoMerchants.flatMap(({ name: merchant }) =>
    customers.list(merchant, null, firstPage).rows.map(({ id, first_name, last_name }) => ({
      id,
      merchant,
      name: `${String(first_name)} ${String(last_name)}`,
      balance: ledger.balance(String(id)).amount,
      currency: embeddedContract['money.currency'],
      accounts: ledger.listVirtualAccounts(String(id), firstPage).rows.map((account) => account['account_number']),
    })),
  );

/** Refuses a host name that somebody else has pointed at this address (DNS rebinding), and pages of other origins. */
export const refuseForeignHosts = (app: FastifyInstance): void => {
  app.addHook('onRequest', ({ headers }, reply, done) => {
    const isHere = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i.test(headers.host ?? '');
    if (isHere && /^(?:same-origin|none)$/.test(headers['sec-fetch-site'] ?? 'none')) done();
    else send(reply, refuse(403, 'This host, or a page of another origin, is not accepted.'));
  });
};

/**
 * Mounts the control API of development and tests: deposits, fault injection, the request journal, a reset. A foreign
 * web page in the same browser cannot use it: a form cannot send JSON, a request that the browser marks as another
 * origin's is refused, and so is a host name that resolves to this address (DNS rebinding).
 */
export const mountControl = (app: FastifyInstance, { store, journal, faults }: BankState): void => {
  refuseForeignHosts(app);
  const actions: Readonly<Record<string, (body: unknown) => Answer>> = {
    '/deposits': (body) => withValid(depositInput, body, (deposit) => createDeposit(store, deposit)),
    '/faults': (body) =>
      withValid(faultInput, body, (fault) =>
        faults.add(fault) ? accept('The fault was ordered.', fault, 201) : refuse(422, 'Too many faults are waiting.'),
      ),
    '/switches': (body) =>
      withValid(switchInput, body, ({ name, isOn }) => {
        faults.disarm(name);
        if (isOn) faultsOf(name).forEach((fault) => faults.add(fault, name));
        return { status: 204 };
      }),
    '/reset': () => {
      store.reset();
      journal.clear();
      faults.clear();
      return { status: 204 };
    },
  };
  for (const [path, act] of Object.entries(actions))
    app.post(path, (request, reply) => send(reply, withJson(request, act)));
  const states = {
    '/requests': () => ({ requests: journal.entries() }),
    '/faults': () => ({ faults: faults.list(), switches: listSwitches(faults.list().map(({ scenario }) => scenario)) }),
    '/customers': () => ({ customers: listCustomers(store) }),
  };
  for (const [path, read] of Object.entries(states)) app.get(path, async () => read());
};
