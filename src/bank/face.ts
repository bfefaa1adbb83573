import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { refuseForeignHosts } from './control.ts';
import { demoMerchants } from './merchants.ts';
import { writeNames } from '../contract/operation-rows.ts';
import type { BankState } from './rest.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const files = {
  '/': ['index.html', 'text/html'],
  '/_bank/face.js': ['face.js', 'text/javascript'],
  '/_bank/face.css': ['face.css', 'text/css'],
} as const;
const firstPage = { page: 1, perPage: 100 };

/** Mounts the bank's own web page: it shows the journal and the customers, and uses the control API. */
export const mountFace = (app: FastifyInstance, { store: { customers, ledger } }: BankState): void => {
  refuseForeignHosts(app);
  for (const [path, [name, type]] of Object.entries(files))
    app.get(path, async (_request, reply) =>
      reply
        .headers({
          'content-type': `${type}; charset=utf-8`,
          'content-security-policy': policy,
          'cache-control': 'no-store',
        })
        .send(readFileSync(join(import.meta.dirname, 'face', name))),
    );
  app.get('/_bank/customers', async () => ({
    writes: writeNames,
    customers: demoMerchants.flatMap(({ name: merchant }) =>
      customers.list(merchant, null, firstPage).rows.map(({ id, reference, first_name, last_name }) => ({
        id,
        reference,
        merchant,
        name: `${String(first_name)} ${String(last_name)}`,
        balance: ledger.balance(String(id)).amount,
        accounts: ledger.listVirtualAccounts(String(id), firstPage).rows.map((account) => account['account_number']),
      })),
    ),
  }));
};
