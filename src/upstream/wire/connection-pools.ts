import { Client, Pool, type Dispatcher } from 'undici';

const connectTimeoutMs = 5_000;
/** Shorter than any server keeps an idle socket: a write must not meet one that is being closed. */
const writeIdleMs = 900;

type Request = Dispatcher.DispatchOptions;

/** What hears of a call on the wire, and knows by which line it goes. */
export interface Handler extends Dispatcher.DispatchHandler {
  line: Client | undefined;
}

/** The connections to the service, so many at the most for reads and for writes each. */
export interface Lines {
  readonly send: (request: Request, handler: Handler, isWrite: boolean) => void;
  /** Says that a line has answered a read: the next read that is sent goes by it, until that is withdrawn. */
  readonly offer: (line: Client | undefined) => void;
  readonly withdraw: () => void;
  readonly close: () => Promise<void>;
}

/** A read that goes by a line that has just answered. */
interface Handed {
  readonly line: Client;
  readonly request: Request;
  readonly handler: Handler;
}

/**
 * undici's pools, beside which a line that has just answered takes the next read: that saves the pool's search for an
 * idle one and all that it does with lines that become idle, a tenth of what a call costs on the wire. As with the
 * pool's own, a turn of the event loop lies between an answer and the next request: what a service says unasked, or that
 * it hangs up, is heard before, and never taken for the answer to somebody else.
 */
export function createLines(origin: string, connections: number): Lines {
  const options = {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  } satisfies Pool.Options;
  const createLine = (address: URL, given: object): Client => {
    const line = new Client(address, given);
    const dispatch = line.dispatch.bind(line);
    line.dispatch = (request: Request, handler: Handler) => {
      if (handler.line === undefined) inPool -= 1;
      handler.line = line;
      return dispatch(request, handler);
    };
    return line;
  };
  const reads = new Pool(origin, { ...options, factory: createLine });
  const writes = new Pool(origin, { ...options, keepAliveTimeout: writeIdleMs, keepAliveMaxTimeout: writeIdleMs });
  const handed: Handed[] = [];
  /** Reads for which the pool has no line yet. */
  let inPool = 0;
  let free: Client | undefined;

  const toPool = (request: Request, handler: Handler): void => {
    inPool += 1;
    reads.dispatch(request, handler);
  };
  /** In the turn's last phase, as the pool would: so the next turn's first one lies before the request is written. */
  const sendHanded = (): void => {
    for (const { line, request, handler } of handed.splice(0)) {
      // Nobody overtakes those that wait in the pool.
      if (inPool > 0 || line.closed || line.destroyed) toPool(request, handler);
      else {
        handler.line = line;
        line.dispatch(request, handler);
      }
    }
  };

  return {
    send: (request, handler, isWrite) => {
      if (isWrite) writes.dispatch(request, handler);
      else if (free === undefined) toPool(request, handler);
      else {
        if (handed.push({ line: free, request, handler }) === 1) setImmediate(sendHanded);
        free = undefined;
      }
    },
    offer: (line) => {
      free = line;
    },
    withdraw: () => {
      free = undefined;
    },
    close: async () => {
      // Writes in flight run to their own end, which their time-outs bound.
      await Promise.all([reads.destroy(), writes.close()]);
    },
  };
}
