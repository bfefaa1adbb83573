import { fastify, type FastifyError, type FastifyInstance } from 'fastify';

import { refuse, send } from './answer.ts';
import { acceptAnyBody, contentTypeMessage } from './body.ts';
import { mountControl, refuseForeignHosts } from './control.ts';
import { createFaults } from './faults.ts';
import { createJournal } from './journal.ts';
import { mountRest } from './rest.ts';
import { faultsOf, type ScenarioName } from './scenarios.ts';
import { openStore, type Store } from './data/store.ts';

/** A running embedded bank: a real REST service with invented data, for development, demonstrations and tests. */
export interface EmbeddedBank {
  /** The base URL, on the loopback interface, without a trailing slash. */
  readonly url: string;
  /** Gives the control API to the gateway's explorer, too; the bank's own address then leads there. */
  readonly mountControl: (gateway: FastifyInstance) => void;
  /** Stops at once and cuts open connections. */
  readonly close: () => Promise<void>;
}

const notFound = refuse(404, 'There is no such path.');

/** Errors that Fastify raises get fixed messages, which never quote a request or a stack. */
const setErrorAnswers = (app: FastifyInstance): void => {
  app.setErrorHandler<FastifyError>(({ statusCode: status = 500, stack }, request, reply) => {
    if (request.is404) send(reply, notFound);
    else if (status === 413) send(reply, refuse(status, 'The body is larger than 64 KiB.'));
    else if (status === 415) send(reply, refuse(status, contentTypeMessage));
    else if (status < 500) send(reply, refuse(status, 'The request cannot be read.'));
    else {
      process.stderr.write(`The embedded bank failed: ${stack}\n`);
      send(reply, refuse(500, 'Something went wrong inside the embedded bank.'));
    }
  });
  app.setNotFoundHandler((_request, reply) => send(reply, notFound));
};

const createServer = (store: Store, scenario: ScenarioName | undefined) => {
  const journal = createJournal();
  const faults = createFaults();
  if (scenario !== undefined) faultsOf(scenario).forEach((fault) => faults.add(fault, scenario));
  const app = fastify({
    logger: false,
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 16_384 },
    // Fastify refuses a path with an invalid percent-encoding before it runs a route or a hook.
    frameworkErrors: (_error, request, reply) => {
      if (request.raw.url?.startsWith('/api/v1/') === true) journal.record(null, request.raw, reply.raw);
      send(reply, notFound);
    },
  });
  acceptAnyBody(app);
  setErrorAnswers(app);
  const state = { store, journal, faults };
  app.register(async (rest) => mountRest(rest, state), { prefix: '/api/v1' });
  app.register(async (control) => mountControl(control, state), { prefix: '/_bank' });
  let gateway: FastifyInstance | undefined;
  app.register(async (home) => {
    refuseForeignHosts(home);
    home.get('/', async ({ hostname }, reply) => {
      if (gateway === undefined) return reply.callNotFound();
      return reply.redirect(`http://${hostname}:${new URL(gateway.listeningOrigin).port}/explorer#bank`);
    });
  });
  app.addHook('onClose', (_app, done) => {
    store.close();
    done();
  });
  const mount = (mounted: FastifyInstance): void => {
    gateway = mounted;
    acceptAnyBody(mounted);
    mountControl(mounted, state);
  };
  return { app, mount };
};

/**
 * Starts the embedded bank on the loopback interface. `port` 0 takes any free one; `database` is `:memory:` or a file,
 * which is created with the seed data if it does not exist.
 */
export const startBank = async (options: {
  readonly port: number;
  readonly database: string;
  /** The faults that it starts with, until a reset. */
  readonly scenario?: ScenarioName | undefined;
}): Promise<EmbeddedBank> => {
  const { app, mount } = createServer(openStore(options.database), options.scenario);
  try {
    const url = await app.listen({ host: '127.0.0.1', port: options.port });
    return { url, mountControl: mount, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
};
