import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { joinChunks } from './chunked-body.ts';
import { maxBodyBytes } from '../error-body.ts';

/** Memory of a chunk in addition to its bytes: a body that arrives in small pieces needs more than it has bytes. */
const bytesPerChunk = 256;

/** Half-life of a byte in the measured speed, so that a body that stalls falls behind one that still arrives. */
const halfLifeMs = 500;

/** A request body that is still arriving. */
interface UnreadBody {
  readonly socket: Socket;
  readonly startedAt: number;
  bytes: number;
  /** Bytes, weighted by their age at `arrivedAt`, when the latest chunk arrived. */
  recentBytes: number;
  arrivedAt: number;
}

/**
 * Limits the memory of all request bodies that are still arriving. Beyond the limit the slowest body of at least average
 * size is refused with 408, as a request that does not arrive in time, and its connection closed, until the others fit.
 * Smaller ones stay: closing them frees little, and queries are small.
 */
export function limitUnreadBodies(app: FastifyInstance, maxBytes: number): void {
  const bodies = new Set<UnreadBody>();
  let total = 0;
  const forget = (body: UnreadBody): void => {
    if (bodies.delete(body)) total -= body.bytes;
  };
  const closeSlowest = (now: number): void => {
    if (total <= maxBytes) return;
    const averageBytes = total / bodies.size;
    let slowest: UnreadBody | undefined;
    let lowestRate = Infinity;
    for (const body of bodies) {
      if (body.bytes < averageBytes) continue;
      const rate = recentBytesOf(body, now) / (1 - halving(now - body.startedAt + 1));
      if (rate >= lowestRate) continue;
      lowestRate = rate;
      slowest = body;
    }
    if (slowest === undefined) return;
    forget(slowest);
    app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), slowest.socket);
    // At once: until the answer has left, a busy process would read on, and those bytes are no longer counted.
    slowest.socket.destroy();
    closeSlowest(now);
  };

  app.addHook('preParsing', (request, _, payload, next) => {
    const startedAt = performance.now();
    const body: UnreadBody = { socket: request.raw.socket, startedAt, bytes: 0, recentBytes: 0, arrivedAt: startedAt };
    bodies.add(body);
    payload.on('data', (chunk: string | Buffer) => {
      if (!bodies.has(body)) return;
      const bytes = chunk.length + bytesPerChunk;
      const now = performance.now();
      body.recentBytes = recentBytesOf(body, now) + bytes;
      body.arrivedAt = now;
      body.bytes += bytes;
      total += bytes;
      closeSlowest(now);
    });
    // Node emits this once the body has arrived or is given up, before the answer.
    request.raw.on('close', () => forget(body));
    if (request.headers['transfer-encoding'] === undefined) next();
    else next(null, joinChunks(payload, maxBodyBytes));
  });
}

function recentBytesOf({ recentBytes, arrivedAt }: UnreadBody, now: number): number {
  return recentBytes * halving(now - arrivedAt);
}

function halving(elapsedMs: number): number {
  return 2 ** (-elapsedMs / halfLifeMs);
}
