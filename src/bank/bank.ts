import { fastify, type FastifyError, type FastifyInstance } from 'fastify';

import { refuse, send } from './answer.ts';
import { acceptAnyBody } from './body.ts';
import { mountControl } from './control.ts';
import { createFaults } from './faults.ts';
import { createJournal } from './journal.ts';
import { mountRest } from './rest.ts';
import { openStore, type Store } from './data/store.ts';

export { demoMerchants } from './merchants.ts';

/** A running embedded bank: a real REST service with made-up data, for development, demonstrations and tests. */
export interface EmbeddedBank {
  /** Its base URL, on the loopback interface, without a slash at the end. */
  readonly url: string;
  /** Ends it at once, open connections included. */
  readonly close: () => Promise<void>;
}

const notFound = refuse(404, 'There is no such path.');

/** What Fastify itself refuses is put in words of our own, which never quote a request or a stack. */
const answerErrors = (app: FastifyInstance): void => {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (request.is404) send(reply, notFound);
    else if (error.statusCode === 413) send(reply, refuse(413, 'The body is larger than 64 KiB.'));
    else if (error.statusCode === 415) send(reply, refuse(415, 'The content type must be application/json.'));
    else if (error.statusCode !== undefined && error.statusCode < 500)
      send(reply, refuse(error.statusCode, 'The request cannot be read.'));
    else send(reply, refuse(500, 'Something went wrong inside the embedded bank.'));
  });
  app.setNotFoundHandler((_request, reply) => send(reply, notFound));
};

const createServer = (store: Store): FastifyInstance => {
  const journal = createJournal();
  const faults = createFaults();
  const app = fastify({
    logger: false,
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 16_384 },
    // A path with a broken escape is refused before there is a route or a hook.
    frameworkErrors: (_error, request, reply) => {
      if (request.raw.url?.startsWith('/api/v1/') === true) journal.record(null, request.raw);
      send(reply, notFound);
    },
  });
  acceptAnyBody(app);
  answerErrors(app);
  const parts = { store, journal, faults };
  app.register(async (rest) => mountRest(rest, parts), { prefix: '/api/v1' });
  app.register(async (control) => mountControl(control, parts), { prefix: '/_bank' });
  app.addHook('onClose', (_app, done) => {
    store.close();
    done();
  });
  return app;
};

/**
 * Starts the embedded bank on the loopback interface. `port` 0 takes any free one; `database` is `:memory:` or a file,
 * which is created with the demo data and keeps what happens from then on.
 */
export const startBank = async (options: {
  readonly port: number;
  readonly database: string;
}): Promise<EmbeddedBank> => {
  const app = createServer(openStore(options.database));
  try {
    const url = await app.listen({ host: '127.0.0.1', port: options.port });
    return { url, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
};
