import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import Negotiator from 'negotiator';
import type { Context, ContextOf } from '../graphql/context.ts';
import { findTextExcess } from '../graphql/limits/document-limits.ts';
import { toHttpErrorBody } from './error-body.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** The one address of GraphQL. */
const url = '/graphql';
/** The media types that Apollo Server answers in. */
const mediaTypes = ['application/json; charset=utf-8', 'application/graphql-response+json; charset=utf-8'];
/** A longer `Accept` takes milliseconds to parse. */
const maxAcceptLength = 1_024;

interface HandlerOptions {
  readonly apollo: ApolloServer<Context>;
  readonly contextOf: ContextOf<FastifyRequest>;
  readonly documents: TrustedDocuments;
}

/** Mounts GraphQL: by POST, and in development by GET, where `/` leads to it. Other methods are told the allowed ones. */
export function mountGraphql(app: FastifyInstance, isProduction: boolean, options: HandlerOptions): void {
  const methods = isProduction ? ['POST'] : ['GET', 'POST'];
  const allow = [...methods, 'OPTIONS'].join(', ');
  app.route({ method: methods, url, exposeHeadRoute: false, handler: graphqlHandler(options) });
  // CORS preflights are answered before.
  app.options(url, async (_, reply) => reply.code(204).header('allow', allow).send());
  const others = app.supportedMethods.filter((name) => name !== 'OPTIONS' && !methods.includes(name));
  const refuse = async (request: FastifyRequest, reply: FastifyReply) =>
    reply.code(405).header('allow', allow).send(toHttpErrorBody(405, request.id));
  // As a hook, it refuses before a body is read.
  app.route({ method: others, url, onRequest: refuse, handler: refuse });
  if (!isProduction) app.get('/', async (_, reply) => reply.redirect(url));
}

/**
 * The Fastify route handler of Apollo Server. What Apollo would only refuse after its work is refused here: a request whose
 * `Accept` allows no media type of ours with 406 (the outcome of a write would be lost), and a document that is too long or
 * not trusted.
 * @public The integration suite of Apollo Server runs it from dist/.
 */
export function graphqlHandler({ apollo, contextOf, documents }: HandlerOptions): RouteHandlerMethod {
  return async (request, reply) => {
    const isPage = isPageRequest(request);
    if (preferredType(request.headers.accept, mediaTypes) === undefined && !isPage) {
      return reply.code(406).send(toHttpErrorBody(406, request.id));
    }
    const { method, body } = request;
    const { text, ...asked } = documents.resolve({ method, search: searchOf(request), body }, request, isPage);
    const excess = text === undefined || documents.isTrusted(text) ? undefined : findTextExcess(text);
    if (excess !== undefined) throw excess;
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { ...asked, headers },
      context: async () => contextOf(request),
    });
    const { status = 200 } = answer;
    if (answer.body.kind === 'chunked')
      throw new Error('Apollo Server answered in chunks, which graphql 16 cannot ask for.');
    for (const [name, value] of answer.headers) if (!reply.hasHeader(name)) void reply.header(name, value);
    // The Sandbox page loads scripts and a frame from Apollo; no page may frame it.
    if (isPage) reply.headers({ 'content-security-policy': "frame-ancestors 'none'" }).removeHeader('referrer-policy');
    return reply.code(status).send(answer.body.string);
  };
}

/**
 * The parameters of a GET as Apollo Server reads them: all after the first `?`. Checks must read them here, too: a URL
 * parser drops what follows a `#`, which Apollo would execute unchecked.
 */
function searchOf({ raw: { url: target = '' } }: FastifyRequest): string {
  const queryAt = target.indexOf('?');
  return queryAt === -1 ? '' : target.slice(queryAt);
}

/** Whether a request is answered with the Sandbox page, without an execution: a GET whose `Accept` prefers HTML. */
function isPageRequest({ method, headers: { accept } }: FastifyRequest): boolean {
  return method === 'GET' && preferredType(accept, [...mediaTypes, 'text/html']) === 'text/html';
}

function preferredType(accept: string | undefined, types: string[]): string | undefined {
  if ((accept?.length ?? 0) > maxAcceptLength) return undefined;
  return new Negotiator({ headers: { accept } }).mediaType(types);
}
