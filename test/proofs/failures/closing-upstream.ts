import type { Socket } from 'node:net';
import { message, startFaultUpstream, type AskedRequest } from '../../support/upstream/fault-upstream.ts';

/** How long a connection may be idle here. */
export const idleMs = 2_000;

export interface ClosingUpstream {
  readonly url: string;
  readonly requests: readonly AskedRequest[];
  /** Requests that came over a connection which was closed already, and got a reset for an answer. */
  readonly stale: () => number;
}

/**
 * A service that closes connections once they are idle for `idleMs`, without having announced it. The news of a close
 * is under way for `newsMs`, as it would be over a real distance: a request that crosses it meets a reset.
 */
export async function startClosingUpstream(newsMs: number): Promise<ClosingUpstream> {
  const timers = new WeakMap<Socket, NodeJS.Timeout>();
  const closed = new WeakSet<Socket>();
  let stale = 0;
  const answer = (socket: Socket): void => {
    clearTimeout(timers.get(socket));
    if (closed.has(socket)) {
      stale += 1;
      socket.resetAndDestroy();
      return;
    }
    socket.write(message('201 Created', '{"success":true,"data":{"id":"a1"}}'));
    timers.set(socket, setTimeout(close, idleMs, socket));
  };
  const close = (socket: Socket): void => {
    closed.add(socket);
    setTimeout(() => socket.end(), newsMs);
  };
  const { url, requests } = await startFaultUpstream(() => answer);
  return { url, requests, stale: () => stale };
}
