import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { refuse, send, type Answer } from './answer.ts';
import { withJson } from './body.ts';
import { injectFault, type Faults } from './faults.ts';
import { createHandlers } from './handlers.ts';
import type { Journal } from './journal.ts';
import { credentialHeaders, findMerchant } from './merchants.ts';
import type { OperationName } from '../contract/operation-rows.ts';
import { operationOf, operations } from './operations.ts';
import type { Store } from './data/store.ts';

/** Everything that the REST API and the control API share. */
export interface BankState {
  readonly store: Store;
  readonly journal: Journal;
  readonly faults: Faults;
}

/** Creates the function that executes a call for the merchant of its credential; 401 without a known one. */
const createResponder = (store: Store) => {
  const handlers = createHandlers(store);
  return (name: OperationName, request: FastifyRequest): Answer => {
    const { method, credential } = operationOf(name);
    const header = credentialHeaders[credential];
    const merchant = findMerchant(credential, request.headers[header]);
    if (merchant === undefined) return refuse(401, `The ${header} header does not hold a known credential.`);
    const { id = '' } = request.params as { readonly id?: string }; // Fastify's type of route parameters is unknown.
    const handle = (body?: unknown): Answer => handlers[name]({ merchant, id, query: request.query, body });
    return method === 'GET' ? handle() : withJson(request, handle);
  };
};

/** Mounts the published interface: a request is recorded in the journal, then answered by a fault or its operation. */
export const mountRest = (app: FastifyInstance, { store, journal, faults }: BankState): void => {
  const respond = createResponder(store);
  const answer = (reply: FastifyReply, operation: OperationName | null, execute: () => Answer) => {
    const fault = faults.take(operation);
    return fault === undefined ? send(reply, execute()) : injectFault(fault, reply, execute);
  };
  for (const { name, method, path } of operations) {
    app.route({
      method,
      url: path,
      onRequest: (request, reply, done) => {
        journal.record(name, request.raw, reply.raw);
        done();
      },
      handler: (request, reply) => answer(reply, name, () => respond(name, request)),
    });
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) journal.record(null, request.raw, reply.raw);
    done();
  });
  app.setNotFoundHandler((_request, reply) => answer(reply, null, () => refuse(404, 'There is no such path.')));
};
