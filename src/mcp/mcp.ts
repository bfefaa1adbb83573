import { createMcpHandler, fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FormattedExecutionResult, GraphQLSchema } from 'graphql';
import type { Context, ContextOf } from '../graphql/context.ts';
import { toHttpErrorBody } from '../http/error-body.ts';
import { version } from '../runtime/version.ts';
import { createTools } from './tools.ts';

const url = '/mcp';
/** The headers that the protocol's library is given: no credential. */
const protocolHeader = /^(?:accept|content-type|mcp-.*)$/;

type Variables = Readonly<Record<string, unknown>>;

interface MountOptions {
  readonly apollo: ApolloServer<Context>;
  readonly contextOf: ContextOf<FastifyRequest>;
}

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/**
 * Creates the tools of `/mcp`, one for each query among trusted documents, and the function that mounts the Model Context
 * Protocol: Streamable HTTP without sessions and streams. Throws where two queries have one name.
 */
export function createMcp(documents: Iterable<string>, schema: GraphQLSchema) {
  const tools = createTools(documents, schema).map(({ input, output, ...tool }) => ({
    ...tool,
    inputSchema: fromJsonSchema<Variables>(input),
    outputSchema: fromJsonSchema(output),
  }));
  const createServer = (run: (query: string, variables: Variables) => Promise<CallToolResult>): McpServer => {
    const server = new McpServer({ name: 'settlement-graph', version });
    for (const { name, query, ...tool } of tools)
      server.registerTool(name, { ...tool, annotations }, (variables) => run(query, variables));
    return server;
  };
  const mount = (app: FastifyInstance, { apollo, contextOf }: MountOptions): void => {
    /** Runs a document as the GraphQL request of this HTTP request, with its credentials. */
    const run = async (request: FastifyRequest, query: string, variables: Variables): Promise<CallToolResult> => {
      const contextValue = contextOf(request);
      contextValue.tally.client = 'mcp';
      const { body } = await apollo.executeOperation({ query, variables }, { contextValue });
      return toResult(body.kind === 'single' ? body.singleResult : {}); // graphql 16 answers at once
    };
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url,
      handler: async (request, reply) => {
        const { method, headers, body } = request;
        // An older protocol's batch would be several GraphQL requests, in cost and log one.
        if (Array.isArray(body)) return reply.code(400).send(toHttpErrorBody(400, request.id));
        const handler = createMcpHandler(() => createServer((query, variables) => run(request, query, variables)), {
          maxSubscriptions: 0,
        });
        const lines = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
        const ofProtocol = lines.filter(([name]) => protocolHeader.test(name));
        const asked = new Request(`http://localhost${url}`, { method, headers: ofProtocol });
        const answer = await handler.fetch(asked, { parsedBody: body });
        for (const [name, value] of answer.headers) if (!reply.hasHeader(name)) void reply.header(name, value);
        return reply.code(answer.status).send(await answer.text());
      },
    });
  };
  return { toolNames: tools.map(({ name }) => name), mount };
}

/** Every error is `isError`, by its code alone: an agent must not take for whole what is not. */
function toResult({ data, errors = [] }: FormattedExecutionResult): CallToolResult {
  if (errors.length === 0 && data != null)
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
  const texts = errors.map(({ extensions }) => {
    const { code, retryable = false } = extensions ?? {};
    return JSON.stringify({ code, retryable });
  });
  return { isError: true, content: [{ type: 'text', text: `{"errors":[${[...new Set(texts)].join(',')}]}` }] };
}
