import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Readiness } from './readiness.ts';

/** `/health/live` and `/health/ready`, the latter 503 until the service could be reached and from the drain on. */
export function mountHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_, reply) => {
    if (readiness.isReady()) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable' });
  });
}

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> };
  readonly readiness: Readiness;
}

export interface AdminServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** The operators' own port: metrics and health. It answers anybody who reaches it, and so must not be public. */
export async function startAdmin({ host, port, metrics, readiness }: AdminOptions): Promise<AdminServer> {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  mountHealth(app, readiness);
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  await app.listen({ host, port });
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }; // a TCP server's address is one
}
