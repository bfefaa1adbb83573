import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { FastifyRequest, RouteHandlerMethod } from 'fastify';
import Negotiator from 'negotiator';
import type { Context, ContextOf } from '../graphql/context.ts';
import { toHttpErrorBody } from './error-body.ts';

/** The headers that Apollo Server reads under our configuration. */
const apolloHeaders = ['content-type', 'accept', 'apollo-require-preflight', 'x-apollo-operation-name'];
/** The media types that Apollo Server answers in. */
const mediaTypes = ['application/json; charset=utf-8', 'application/graphql-response+json; charset=utf-8'];
const pageType = 'text/html';

/**
 * The Fastify route handler of Apollo Server. A request whose `Accept` allows no media type of ours is refused with
 * 406 before Apollo sees it: Apollo would execute it first, and the outcome of a write would be lost.
 */
export function graphqlHandler(
  apollo: ApolloServer<Context>,
  contextOf: ContextOf<FastifyRequest>,
  headerNames: readonly string[] = apolloHeaders,
): RouteHandlerMethod {
  return async (request, reply) => {
    if (preferredType(request.headers.accept, mediaTypes) === undefined && !isPageRequest(request)) {
      return reply.code(406).send(toHttpErrorBody(406, request.id));
    }
    const {
      status = 200,
      headers,
      body,
    } = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: toApolloRequest(request, headerNames),
      context: async () => contextOf(request),
    });
    if (body.kind === 'chunked') throw new Error('Apollo Server answered in chunks, which graphql 16 cannot ask for.');
    for (const [name, value] of headers) void reply.header(name, value);
    return reply.code(status).send(body.string);
  };
}

/**
 * The parameters of a GET as Apollo Server reads them: all after the first `?`. Checks must read them here, too: a URL
 * parser drops what follows a `#`, which Apollo would execute unchecked.
 */
export function searchOf({ raw: { url = '' } }: FastifyRequest): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? '' : url.slice(queryAt);
}

/** Whether a request is answered with the Sandbox page, without an execution: a GET whose `Accept` prefers HTML. */
export function isPageRequest({ method, headers: { accept } }: FastifyRequest): boolean {
  return method === 'GET' && preferredType(accept, [...mediaTypes, pageType]) === pageType;
}

function toApolloRequest(request: FastifyRequest, headerNames: readonly string[]) {
  const { method, headers, body } = request;
  const headerMap = new HeaderMap();
  for (const name of headerNames) {
    const value = headers[name];
    if (value !== undefined) headerMap.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return { method, headers: headerMap, search: searchOf(request), body };
}

function preferredType(accept: string | undefined, types: string[]): string | undefined {
  return new Negotiator({ headers: { accept } }).mediaType(types);
}
