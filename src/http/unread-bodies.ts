import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Memory of a chunk in addition to its bytes: a body sent byte by byte needs far more memory than it has bytes. */
const bytesPerChunk = 256;

/** A request body that is still arriving. */
interface UnreadBody {
  readonly socket: Socket;
  readonly startedAt: number;
  bytes: number;
}

/**
 * Limits the memory of all request bodies that are still arriving. Beyond it the slowest (bytes by time) is answered as
 * every request that does not arrive in time, 408, and its connection closed, until the others fit.
 */
export function limitUnreadBodies(app: FastifyInstance, maxBytes: number): void {
  const bodies = new Set<UnreadBody>();
  let total = 0;
  const forget = (body: UnreadBody): void => {
    if (bodies.delete(body)) total -= body.bytes;
  };
  const closeSlowest = (): void => {
    if (total <= maxBytes) return;
    const now = performance.now();
    const rateOf = ({ bytes, startedAt }: UnreadBody): number => bytes / (now - startedAt + 1);
    const [first, ...others] = bodies;
    if (first === undefined) return;
    const slowest = others.reduce((slow, body) => (rateOf(body) < rateOf(slow) ? body : slow), first);
    forget(slowest);
    app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), slowest.socket);
    closeSlowest();
  };

  app.addHook('preParsing', (request, _, payload, next) => {
    const body: UnreadBody = { socket: request.raw.socket, startedAt: performance.now(), bytes: 0 };
    bodies.add(body);
    payload.on('data', (chunk: string | Buffer) => {
      if (!bodies.has(body)) return;
      const bytes = chunk.length + bytesPerChunk;
      body.bytes += bytes;
      total += bytes;
      closeSlowest();
    });
    const onEnd = (): void => forget(body);
    payload.on('end', onEnd).on('error', onEnd);
    request.raw.on('close', onEnd);
    next();
  });
}
