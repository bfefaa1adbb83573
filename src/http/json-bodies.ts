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
 * and the service would store text that the client never sent. The body whose chunk exceeds the total is refused as
 * OVERLOADED.
 */
export function parseJsonBodies(app: FastifyInstance, { maxUnreadBytes, turns }: BodyOptions): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const unread = new WeakMap<FastifyRequest, number>();
  let total = 0;
  const forget = (request: FastifyRequest): void => {
    total -= unread.get(request) ?? 0;
    unread.delete(request);
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isPlainUtf8(request)) return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    turns.wait(request, (refusal) => {
      forget(request);
      if (refusal !== undefined) done(refusal);
      else if (!isUtf8(body)) done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY());
      else void parse(request, body.toString(), done);
    });
  });
  app.addHook('preParsing', (request, reply, payload, next) => {
    const count = (chunk: Buffer): void => {
      const bytes = chunk.length + bytesPerChunk;
      total += bytes;
      unread.set(request, (unread.get(request) ?? 0) + bytes);
      if (total <= maxUnreadBytes) return;
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
}

function isPlainUtf8({ headers }: FastifyRequest): boolean {
  const charsets = (headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^\s";]*)/gi);
  const hasOther = charsets.some(([, charset = '']) => !/^utf-?8$/i.test(charset));
  return !hasOther && /^(?:identity)?$/i.test(headers['content-encoding'] ?? '');
}
