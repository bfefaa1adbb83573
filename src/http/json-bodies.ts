import { isUtf8 } from 'node:buffer';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { overloaded, type Turns } from './turns.ts';

/** Memory of a chunk in addition to its bytes: a body that arrives byte by byte needs more than it has bytes. */
const bytesPerChunk = 256;

interface BodyOptions {
  /** Bytes of all bodies that arrive or wait for their turn. */
  readonly maxUnreadBytes: number;
  readonly turns: Turns;
}

/**
 * Parses JSON bodies as Fastify does, each in its turn, but refuses what would be decoded wrongly or not at all: a charset
 * other than UTF-8 and a compressed body with 415, invalid UTF-8 with 400. Fastify would replace invalid bytes by U+FFFD,
 * and the service would store text that the client never sent.
 */
export function parseJsonBodies(app: FastifyInstance, { maxUnreadBytes, turns }: BodyOptions): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const unread = limitUnreadBodies(app, maxUnreadBytes, turns);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isPlainUtf8(request)) return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    turns.wait(request, (refusal) => {
      unread.forget(request);
      if (refusal !== undefined) done(refusal);
      else if (!isUtf8(body)) done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY());
      else void parse(request, body.toString(), done);
    });
  });
}

/**
 * Counts the bytes of bodies until their turn. The body whose chunk exceeds the limit is refused as OVERLOADED. Callers that
 * are not proven have half of it, so that they cannot take the room of all others.
 */
function limitUnreadBodies(app: FastifyInstance, maxBytes: number, turns: Turns) {
  const unread = new WeakMap<FastifyRequest, { bytes: number; readonly isProven: boolean }>();
  let total = 0;
  let ofOthers = 0;
  const add = (request: FastifyRequest, bytes: number): void => {
    const body = unread.get(request) ?? { bytes: 0, isProven: turns.isProven(request) };
    unread.set(request, body);
    body.bytes += bytes;
    total += bytes;
    if (!body.isProven) ofOthers += bytes;
  };
  const forget = (request: FastifyRequest): void => {
    const body = unread.get(request);
    if (body === undefined) return;
    add(request, -body.bytes);
    unread.delete(request);
  };
  app.addHook('preParsing', (request, reply, payload, next) => {
    const count = (chunk: Buffer): void => {
      add(request, chunk.length + bytesPerChunk);
      if (total <= maxBytes && (unread.get(request)?.isProven === true || ofOthers <= maxBytes / 2)) return;
      payload.off('data', count);
      // Fastify answers an error of the stream and closes the connection.
      payload.emit('error', overloaded());
    };
    payload.on('data', count);
    reply.raw.once('close', () => {
      forget(request);
      turns.leave(request);
    });
    next();
  });
  return { forget };
}

function isPlainUtf8({ headers }: FastifyRequest): boolean {
  const charsets = (headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^\s";]*)/gi);
  const hasOther = charsets.some(([, charset = '']) => !/^utf-?8$/i.test(charset));
  return !hasOther && /^(?:identity)?$/i.test(headers['content-encoding'] ?? '');
}
