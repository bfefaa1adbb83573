import type { FastifyInstance, FastifyRequest } from 'fastify';

import { refuse, type Answer } from './answer.ts';

export const contentTypeMessage = 'The content type must be application/json.';

/**
 * Passes every body on as unparsed text. `withJson` checks content type and syntax, so that a missing credential or an
 * injected fault is answered first.
 */
export const acceptAnyBody = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
};

const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';

/** Answers from the JSON body of a request: 415 for another content type, 400 for invalid JSON. No body is undefined. */
export const withJson = (request: FastifyRequest, respond: (body: unknown) => Answer): Answer => {
  if (!isJson(request.headers['content-type'])) return refuse(415, contentTypeMessage);
  if (typeof request.body !== 'string' || request.body === '') return respond(undefined);
  let body: unknown;
  try {
    body = JSON.parse(request.body);
  } catch {
    return refuse(400, 'The body is not valid JSON.');
  }
  return respond(body);
};
