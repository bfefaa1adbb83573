import type { FastifyInstance, FastifyReply } from 'fastify';
import { GraphQLError, introspectionFromSchema } from 'graphql';
import type { Config } from '../../config/config.ts';
import type { Contract } from '../../contract/contract.ts';
import { writeNames } from '../../contract/operation-rows.ts';
import { createExplain, type Question } from '../../graphql/explain/explain-operation.ts';
import type { SandboxStart } from '../../graphql/sandbox.ts';
import { constantHeaders } from '../../upstream/credentials/request-headers.ts';
import type { Operations } from '../../upstream/operations.ts';
import { readAssets, type Asset } from './assets.ts';
import { createDocuments } from './documents.ts';

/** The page loads files from this origin and sends requests to it, to no other. GraphiQL's editor writes style sheets. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const missing = 'The explorer needs packages that this installation left out: install without --omit=optional.\n';

interface ExplorerOptions {
  readonly config: Config;
  readonly contract: Contract;
  readonly operations: Operations;
  /** The service's base URL. */
  readonly upstream: URL;
  readonly sandboxStart?: SandboxStart;
  /** The address of the embedded bank's page; absent with another service. */
  readonly bankUrl?: string;
}

/**
 * Mounts the explorer, for development: a page that needs no network, from files of optional packages, and
 * `POST /explorer/explain`, which returns the worst-case calls of an operation. The schema comes with the page, so that no
 * introspection goes through the gateway. Where introspection is off there is no explanation either, since its faults name
 * fields.
 */
export function mountExplorer(
  app: FastifyInstance,
  { config, contract, operations, upstream, sandboxStart: start, bankUrl }: ExplorerOptions,
): void {
  // Created at the first use, so that a process whose explorer is not opened does no work for it.
  let created: ReturnType<typeof createExplain> | undefined;
  const explainer = () => (created ??= createExplain(config, contract, operations));
  const assets = readAssets();
  const documents = [...(start === undefined ? [] : [start.document]), ...createDocuments(config.typePrefix)];
  const names = Object.values(operations).map(({ name }) => name);
  const credentials = Object.fromEntries(names.map((name) => [name, contract[`${name}.credentials`]]));
  // The page makes a `curl` command of a call from these.
  const service = {
    url: upstream.href.replace(/\/$/, ''),
    privateKeyHeader: config.privateKeyHeader,
    credentials,
    mediaType: contract['service.contentType'],
    headers: constantHeaders(contract, ['authorization', config.privateKeyHeader]),
    idempotencyHeader: contract['writes.idempotencyHeader'],
    writes: writeNames,
  };
  app.get('/explorer', async (_, reply) => sendPage(reply, assets));
  app.get<{ Params: { readonly name: string } }>('/explorer/assets/:name', async ({ params }, reply) => {
    const asset = assets.get(params.name);
    return asset === undefined ? reply.callNotFound() : reply.type(asset.type).send(asset.read());
  });
  const hasSchema = config.introspection && !config.trustedDocumentsOnly;
  app.get('/explorer/start', async () => ({ headers: start?.headers, documents, bankUrl, service, hasSchema }));
  if (!hasSchema) return;
  app.get('/explorer/schema', async () => ({ data: introspectionFromSchema(explainer().schema) }));
  app.post('/explorer/explain', async ({ body }, reply) => {
    try {
      return explainer().explain(toQuestion(body));
    } catch (error) {
      return reply.code(400).send({ errors: toErrors(error) });
    }
  });
}

function sendPage(reply: FastifyReply, assets: ReadonlyMap<string, Asset>): FastifyReply {
  const page = assets.has('graphiql.js') ? assets.get('page.html') : undefined;
  if (page === undefined) return reply.code(404).type('text/plain').send(missing);
  return reply.header('content-security-policy', pagePolicy).type(page.type).send(page.read());
}

function toQuestion(body: unknown): Question {
  const { query, operationName, variables } = { ...(body as Readonly<Record<string, unknown>> | null) }; // any JSON value spreads
  return {
    document: typeof query === 'string' ? query : '',
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: typeof variables === 'object' && variables !== null ? { ...variables } : {},
  };
}

/** The messages of graphql-js, which quote the document and nothing else. */
function toErrors(error: unknown): readonly { readonly message: string }[] {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map((fault) => {
    if (fault instanceof GraphQLError) return { message: fault.message };
    throw fault;
  });
}
