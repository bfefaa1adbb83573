import type { FastifyReply, FastifyRequest } from 'fastify';
import { getOperationAST, OperationTypeNode, type GraphQLError, type GraphQLSchema } from 'graphql';
import type { ContextOf } from '../../http/request-lifecycle.ts';
import type { Executed } from './run-plan.ts';
import { createExecutor } from './planned-executor.ts';
import { formatError } from '../format-error.ts';
import type { HotMemory } from './hot-memory.ts';
import { describeError, type Logger } from '../../runtime/log.ts';
import type { Asked, OperationListener } from '../operation-listener.ts';

const longText = 8_192;

export interface HotQueriesOptions {
  readonly schema: GraphQLSchema;
  readonly memory: HotMemory;
  readonly listener: Required<OperationListener>;
  readonly contextOf: ContextOf;
  readonly log: Logger;
}

export interface HotQueries {
  /** Answers a request, or says that Apollo has to. */
  readonly take: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** Of an answer that Apollo gave. */
  readonly onApolloAnswer: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Learns which documents are valid. */
  readonly listener: OperationListener;
}

/**
 * Answers queries whose documents Apollo has found valid before, by their plans, as Apollo would: under the same gate,
 * with the same errors and headers. Whatever is out of the ordinary is left to Apollo: it alone says what is wrong with
 * a request.
 */
export function createHotQueries({ schema, memory, listener, contextOf, log }: HotQueriesOptions): HotQueries {
  const execute = createExecutor(schema);
  const recall = (request: FastifyRequest): Asked | undefined => {
    const asked = readBody(request.body);
    const document = asked === undefined ? undefined : memory.documentOf(asked.source);
    if (asked === undefined || document === undefined) return undefined;
    const { source, variables, operationName } = asked;
    const operation = getOperationAST(document, operationName);
    if (!operation) return undefined;
    const secret = request.headers['x-router-secret'];
    const routerSecret = Array.isArray(secret) ? secret.join(', ') : secret;
    return { schema, source, document, operation, variables, routerSecret, context: contextOf(request) };
  };

  /** Undefined where the operation is refused, too: Apollo will hear the same, and put it into words. */
  const start = (asked: Asked): Executed | Promise<Executed> | undefined => {
    try {
      listener.onOperation(asked);
    } catch {
      return undefined;
    }
    return execute(asked);
  };

  const answer = (asked: Asked, { data, errors }: Executed): string | Buffer => {
    const { context } = asked;
    if (errors !== undefined) listener.onErrors(errors, context);
    const told = errors === undefined ? { data } : { errors: errors.map(toAnswer), data };
    listener.onAnswer(told, context, asked);
    return withLineBreak(JSON.stringify(told));
  };

  return {
    take: (request, reply) => {
      const type = memory.typeFor(request.headers.accept ?? '');
      const asked = type === undefined ? undefined : recall(request);
      const executed = asked === undefined ? undefined : start(asked);
      if (type === undefined || asked === undefined || executed === undefined) return false;
      const send = (result: Executed): void => void reply.header('content-type', type).send(answer(asked, result));
      if (!(executed instanceof Promise)) send(executed);
      else {
        executed.then(send).catch((error: unknown) => {
          log.error({ requestId: request.id, ...describeError(error) }, 'internal error');
          void reply.send(error);
        });
      }
      return true;
    },
    onApolloAnswer: ({ method, headers: { accept = '' } }, reply) => {
      const isAnswer = method === 'POST' && reply.statusCode === 200;
      if (isAnswer) memory.addType(accept, String(reply.getHeader('content-type')));
    },
    listener: {
      onAnswer: (_, _context, asked) => {
        if (asked?.operation.operation === OperationTypeNode.QUERY) memory.addDocument(asked.source, asked.document);
      },
    },
  };
}

/** An ordinary body; undefined for every other, and for one whose document has to be found first. */
function readBody(body: unknown) {
  if (!isObject(body)) return undefined;
  const { query: source, variables = null, operationName = null, extensions = null } = body;
  if (typeof source !== 'string') return undefined;
  if (operationName !== null && typeof operationName !== 'string') return undefined;
  if (variables !== null && !isObject(variables)) return undefined;
  if (extensions !== null && (!isObject(extensions) || 'persistedQuery' in extensions)) return undefined;
  return { source, operationName, variables: variables ?? {} };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As Apollo ends its answers. A long text, with one more sign to it, would be copied once more on its way. */
function withLineBreak(text: string): string | Buffer {
  if (text.length < longText) return `${text}\n`;
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text) + 1);
  bytes.write(text);
  bytes.write('\n', bytes.length - 1);
  return bytes;
}

/** An error as Apollo would hand it to the formatter. */
function toAnswer(error: GraphQLError) {
  const { code = 'INTERNAL_SERVER_ERROR' } = error.extensions;
  return formatError({ ...error.toJSON(), extensions: { ...error.extensions, code } }, error);
}
