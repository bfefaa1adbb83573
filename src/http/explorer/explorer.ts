import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { GraphQLError, introspectionFromSchema } from 'graphql';
import { parse } from 'yaml';
import type { Config } from '../../config/config.ts';
import type { Contract } from '../../contract/contract.ts';
import { createExplain } from '../../graphql/explain/explain-operation.ts';
import type { SandboxStart } from '../../graphql/sandbox.ts';
import { prefixedField } from '../../graphql/type-prefix.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import type { Operations } from '../../upstream/operations.ts';

/** What `npm run build:explorer` has written, compressed: of a clone and of the package alike. */
const folder = join(import.meta.dirname, '../../../dist/explorer');
/** The page loads files from this origin and sends requests to it, to no other. GraphiQL's editor writes style sheets. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ttf': 'font/ttf',
};
const missing = 'The explorer is not built: run `npm run build:explorer`.\n';

interface ExplorerOptions {
  readonly config: Config;
  readonly contract: Contract;
  readonly operations: Operations;
  /** The service's base URL. */
  readonly upstream: URL;
  /** Undefined with a service of one's own. */
  readonly demo?: Demo | undefined;
}

/** The embedded bank, of which the explorer shows a pane, and the merchants as whom its tabs can ask. */
export interface Demo extends SandboxStart {
  readonly merchants: readonly { readonly name: string; readonly headers: Readonly<Record<string, string>> }[];
  readonly mountBank: (app: FastifyInstance) => void;
}

/**
 * Mounts the explorer, for development: a page that needs no network, and `POST /explorer/explain`, which returns the
 * worst-case calls of an operation. The schema comes with the page, so that no introspection goes through the gateway.
 * Where introspection is off there is no explanation either, since its faults name fields.
 */
export function mountExplorer(app: FastifyInstance, options: ExplorerOptions): void {
  const { config, contract, operations, upstream, demo } = options;
  // Created at the first use, so that a process whose explorer is not opened does no work for it.
  let created: ReturnType<typeof createExplain> | undefined;
  const explainer = () => (created ??= createExplain(config, contract, operations));
  const sendAsset = (reply: FastifyReply, name: string) => {
    const file = readAsset(name);
    if (file === undefined) return reply.callNotFound();
    // Two workers of the editor are one file.
    const type = types[extname(name)] ?? 'text/plain';
    void reply.headers({ 'content-encoding': 'gzip', 'cache-control': 'private, max-age=60', 'content-type': type });
    return reply.send(file);
  };
  app.get('/explorer', async (_, reply) => {
    if (readAsset('page.html') === undefined) return reply.code(404).type('text/plain').send(missing);
    return sendAsset(reply.header('content-security-policy', pagePolicy), 'page.html');
  });
  app.get<{ Params: { readonly name: string } }>('/explorer/assets/:name', async ({ params }, reply) =>
    sendAsset(reply, params.name),
  );
  const hasSchema = config.introspection && !config.trustedDocumentsOnly;
  // Before another service no operation is prefilled: one click would make a real create.
  const listTabs = () => (demo === undefined ? [] : [{ query: demo.document }, ...listLessons(config.typePrefix)]);
  const { merchants } = demo ?? {};
  app.get('/explorer/start', async () => ({ merchants, tabs: listTabs(), url: upstream.href, hasSchema }));
  if (demo !== undefined) app.register(async (bank) => demo.mountBank(bank), { prefix: '/explorer/bank' });
  if (!hasSchema) return;
  app.get('/explorer/schema', async () => ({ data: introspectionFromSchema(explainer().schema) }));
  app.post('/explorer/explain', async ({ body }, reply) => {
    const { query, operationName, variables } = isRecord(body) ? body : {};
    try {
      return explainer().explain({
        document: typeof query === 'string' ? query : '',
        operationName: typeof operationName === 'string' ? operationName : undefined,
        variables: isRecord(variables) ? variables : {},
      });
    } catch (error) {
      const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      if (!errors.every((fault) => fault instanceof GraphQLError)) throw error;
      // The messages of graphql-js, which quote the document and nothing else.
      return reply.code(400).send({ errors: errors.map(({ message }) => ({ message })) });
    }
  });
}

/** Reads a file of the page, compressed by gzip; undefined where there is none of this name. */
function readAsset(name: string): Buffer | undefined {
  const path = join(folder, `${basename(name)}.gz`);
  return existsSync(path) ? readFileSync(path) : undefined;
}

/** The lessons as tabs of GraphiQL, under the names that fields and inputs have. */
function listLessons(typePrefix: string) {
  const text = gunzipSync(readAsset('lessons.yaml') ?? '').toString();
  const lessons = parse(text, { merge: true }) as readonly { readonly query: string; readonly variables: object }[]; // a file of our own
  return lessons.map(({ query, variables }) => ({
    query: query
      .replaceAll(/^ {2}(\w+)(?=\()/gm, (_, name: string) => `  ${prefixedField(name, typePrefix)}`)
      .replaceAll(/: (\w+Input!)/g, `: ${typePrefix}$1`),
    variables: JSON.stringify(variables, null, 2),
  }));
}
