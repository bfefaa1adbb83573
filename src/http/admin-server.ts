import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Logger } from '../runtime/log.ts';

const pollMs = 500;

type Readiness = ReturnType<typeof watchReadiness>;

/**
 * Ready from the first connection to the service on. A later outage of the service does not end readiness: without the
 * gateway behind the load balancer, clients would lose its error codes.
 */
export function watchReadiness(isReachable: () => Promise<boolean>) {
  let ready = false;
  let stopped = false;
  const poll = async (): Promise<void> => {
    ready = await isReachable();
    if (!ready && !stopped) setTimeout(() => void poll(), pollMs).unref();
  };
  void poll();
  return { isReady: (): boolean => ready && !stopped, stop: () => void (stopped = true) };
}

/** Mounts `/health/live` and `/health/ready`; the latter answers 503 before the service was reached and while stopping. */
export function mountHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_, reply) => {
    if (readiness.isReady()) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable' });
  });
}

interface AdminOptions {
  readonly config: Pick<Config, 'host' | 'adminPort' | 'isAdminPortGiven'>;
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> };
  readonly readiness: Readiness;
  readonly log: Logger;
}

/**
 * Serves metrics and health for operators. It has no authentication, so its port must not be public. Where ADMIN_PORT is not
 * set, a port in use, most likely by another gateway process, only costs the metrics.
 */
export async function startAdmin({ config, metrics, readiness, log }: AdminOptions) {
  const { host, adminPort: port } = config;
  if (port === 0) return undefined;
  const app = Fastify({ logger: false, forceCloseConnections: true });
  mountHealth(app, readiness);
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (config.isAdminPortGiven) throw error;
    log.warn({ port }, 'no metrics: the default ADMIN_PORT is taken');
    return undefined;
  }
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }; // a TCP server's address is one
}
