import { isUtf8 } from 'node:buffer';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

/**
 * Parses JSON bodies as Fastify does, but refuses what it would decode wrongly or not at all: a charset other than UTF-8
 * and a compressed body with 415, invalid UTF-8 with 400. Fastify would replace invalid bytes by U+FFFD, and the service
 * would store text that the client never sent.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isPlainUtf8(request)) done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    else if (!isUtf8(body)) done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY());
    else void parse(request, body.toString(), done);
  });
}

function isPlainUtf8({ headers }: FastifyRequest): boolean {
  const charsets = (headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^\s";]*)/gi);
  const hasOther = charsets.some(([, charset = '']) => !/^utf-?8$/i.test(charset));
  return !hasOther && /^(?:identity)?$/i.test(headers['content-encoding'] ?? '');
}
