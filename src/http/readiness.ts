import { connect } from 'node:net';

const firstWaitMs = 50;
const longestWaitMs = 2_000;
const connectTimeoutMs = 2_000;

export interface Readiness {
  readonly isReady: () => boolean;
  readonly stop: () => void;
}

/**
 * Ready once a connection to the service could be opened, and from then on: an outage later is the service's, and taking
 * the gateway out of a balancer for it would only hide it.
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
      if (!stopped) timer = setTimeout(() => attempt(Math.min(waitMs * 2, longestWaitMs)), waitMs).unref();
    };
    socket.once('connect', () => {
      ready = true;
      socket.destroy();
    });
    socket.once('timeout', retry);
    socket.once('error', retry);
  };
  attempt(firstWaitMs);

  return {
    isReady: () => ready && !stopped,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
