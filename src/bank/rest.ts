import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { refuse, send, type Answer } from './answer.ts';
import { withJson } from './body.ts';
import { misbehave, type Faults } from './faults.ts';
import { createHandlers } from './handlers.ts';
import type { Journal } from './journal.ts';
import { credentialHeaders, findMerchant } from './merchants.ts';
import { operationNames, operations, type OperationName } from './operations.ts';
import type { Store } from './data/store.ts';

interface Parts {
  readonly store: Store;
  readonly journal: Journal;
  readonly faults: Faults;
}

/** Carries a call out for the merchant that its credential names, and for nobody without one. */
const createResponder = (store: Store) => {
  const handlers = createHandlers(store);
  return (name: OperationName, request: FastifyRequest): Answer => {
    const { method, credential } = operations[name];
    const header = credentialHeaders[credential];
    const merchant = findMerchant(credential, request.headers[header]);
    if (merchant === undefined) return refuse(401, `The ${header} header does not hold a known credential.`);
    const { id = '' } = request.params as { readonly id?: string }; // Fastify knows the path only as text.
    const call = { merchant, id, query: request.query };
    return method === 'GET'
      ? handlers[name]({ ...call, body: undefined })
      : withJson(request, (body) => handlers[name]({ ...call, body }));
  };
};

/** Mounts the published interface: every request goes into the journal, meets its fault, and then its operation. */
export const mountRest = (app: FastifyInstance, { store, journal, faults }: Parts): void => {
  const respond = createResponder(store);
  const answer = (reply: FastifyReply, operation: OperationName | null, carryOut: () => Answer) => {
    const fault = faults.take(operation);
    return fault === undefined ? send(reply, carryOut()) : misbehave(fault, reply, carryOut);
  };
  for (const name of operationNames) {
    const { method, path } = operations[name];
    app.route({
      method,
      url: path,
      onRequest: (request, _reply, done) => {
        journal.record(name, request.raw);
        done();
      },
      handler: (request, reply) => answer(reply, name, () => respond(name, request)),
    });
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) journal.record(null, request.raw);
    done();
  });
  app.setNotFoundHandler((_request, reply) => answer(reply, null, () => refuse(404, 'There is no such path.')));
};
