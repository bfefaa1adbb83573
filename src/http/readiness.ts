import { connect } from 'node:net';

const minWaitMs = 50;
const maxWaitMs = 2_000;
const connectTimeoutMs = 2_000;

export interface Readiness {
  readonly isReady: () => boolean;
  readonly stop: () => void;
}

/**
 * Ready from the first connection to the service on. A later outage of the service does not end readiness: without the
 * gateway behind the load balancer, clients would lose its error codes.
 */
export function watchReadiness(upstream: URL): Readiness {
  let ready = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const port = Number(upstream.port || (upstream.protocol === 'https:' ? 443 : 80));
  const host = upstream.hostname.replace(/^\[|\]$/g, '');

  const attempt = (waitMs: number): void => {
    const socket = connect({ host, port, timeout: connectTimeoutMs });
    const retry = (): void => {
      socket.destroy();
      if (!stopped) timer = setTimeout(() => attempt(Math.min(waitMs * 2, maxWaitMs)), waitMs).unref();
    };
    socket.once('connect', () => {
      ready = true;
      socket.destroy();
    });
    socket.once('timeout', retry);
    socket.once('error', retry);
  };
  attempt(minWaitMs);

  return {
    isReady: () => ready && !stopped,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
