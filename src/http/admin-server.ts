import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { toHttpErrorBody } from './error-body.ts';
import type { Readiness } from './readiness.ts';

/** Mounts `/health/live` and `/health/ready`; the latter answers 503 before the service was reached and while stopping. */
export function mountHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_, reply) => {
    if (readiness.isReady()) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable' });
  });
}

export interface AdminOptions {
  readonly config: Pick<Config, 'host' | 'adminPort'>;
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> };
  readonly readiness: Readiness;
}

const notFoundMessage = 'There is nothing at this address. Here are /metrics, /health/live and /health/ready.';

/** Serves metrics and health for operators. It has no authentication, so its port must not be public. */
export async function startAdmin({ config, metrics, readiness }: AdminOptions) {
  const app = Fastify({ logger: false, forceCloseConnections: true, genReqId: () => randomUUID() });
  app.setNotFoundHandler(async ({ id }, reply) => reply.code(404).send(toHttpErrorBody(404, id, notFoundMessage)));
  mountHealth(app, readiness);
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  await app.listen({ host: config.host, port: config.adminPort });
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }; // a TCP server's address is one
}
