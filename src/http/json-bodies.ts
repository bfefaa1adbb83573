import { isUtf8 } from 'node:buffer';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { overloaded, type Turns } from './turns.ts';

/** Memory of a chunk in addition to its bytes: a body that arrives byte by byte needs more than it has bytes. */
const bytesPerChunk = 256;
const maxTypeLength = 256;

/**
 * Parses JSON bodies as Fastify does, each in its turn, but refuses what would be decoded wrongly or not at all: a charset
 * other than UTF-8 and a compressed body with 415, invalid UTF-8 with 400. Fastify would replace invalid bytes by U+FFFD,
 * and the service would store text that the client never sent.
 */
export function parseJsonBodies(app: FastifyInstance, maxUnreadBytes: number, turns: Turns): void {
  // Looking for names such as `constructor` takes ten times as long, and nothing merges bodies.
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  const endCounting = limitUnreadBodies(app, maxUnreadBytes, turns);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isPlainUtf8(request)) return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    turns.wait(request, (refusal) => {
      endCounting(request);
      if (refusal !== undefined) done(refusal);
      else if (!isUtf8(body)) done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY());
      else void parse(request, body.toString(), done);
    });
  });
}

/** On a request: the bytes of its body, until its turn. A closure in their place keeps requests until a full collection. */
const unreadKey = Symbol('unread');
type CountedRequest = FastifyRequest & { [unreadKey]?: { bytes: number; readonly kind: 'proven' | 'others' } };

/**
 * Counts the bytes of bodies, and returns the function that ends that for a request. The body whose chunk exceeds the limit
 * is refused as OVERLOADED. Callers that are not proven have half of it, so that they cannot take the room of all others.
 */
function limitUnreadBodies(app: FastifyInstance, maxBytes: number, turns: Turns): (request: CountedRequest) => void {
  const totals = { proven: 0, others: 0 };
  const add = ({ [unreadKey]: unread }: CountedRequest, count: number): void => {
    if (unread === undefined) return;
    unread.bytes += count;
    totals[unread.kind] += count;
  };
  const endCounting = (request: CountedRequest): void => add(request, -(request[unreadKey]?.bytes ?? 0));
  app.addHook('preParsing', (request: CountedRequest, reply, payload, next) => {
    const kind = turns.isProven(request) ? 'proven' : 'others';
    request[unreadKey] = { bytes: 0, kind };
    const count = (chunk: Buffer): void => {
      add(request, chunk.length + bytesPerChunk);
      const isTooMuch = totals.proven + totals.others > maxBytes || (kind === 'others' && totals.others > maxBytes / 2);
      if (!isTooMuch) return;
      payload.off('data', count);
      // Fastify answers an error of the stream and closes the connection.
      payload.emit('error', overloaded());
    };
    payload.on('data', count);
    reply.raw.once('close', () => {
      endCounting(request);
      turns.leave(request);
    });
    next();
  });
  return endCounting;
}

function isPlainUtf8({ headers }: FastifyRequest): boolean {
  // A long run of spaces takes Apollo's parser time by the square of its length.
  if ((headers['content-type'] ?? '').length > maxTypeLength) return false;
  const charsets = (headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^\s";]*)/gi);
  const hasOther = charsets.some(([, charset = '']) => !/^utf-?8$/i.test(charset));
  return !hasOther && /^(?:identity)?$/i.test(headers['content-encoding'] ?? '');
}
