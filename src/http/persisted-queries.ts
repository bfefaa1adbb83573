import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../domain/errors.ts';
import { isPageRequest, searchOf } from './graphql-handler.ts';
import type { TrustedDocuments } from './trusted-documents-file.ts';

export interface DocumentSourceOptions {
  readonly documents: TrustedDocuments;
  /** Whether documents that are not on the manifest are refused. */
  readonly isExclusive: boolean;
  readonly isRouter: (request: FastifyRequest) => boolean;
}

/** The document of a request: its text, or `extensions.persistedQuery` of Apollo's clients, or both. */
interface RequestedDocument {
  readonly query: unknown;
  readonly extensions: unknown;
}

/**
 * Replaces the hash of a trusted document by its text, and refuses documents that are not trusted. This happens before
 * Apollo sees the request: an untrusted document is never parsed, so nothing about the schema can be learnt from errors.
 */
export function createDocumentSource({ documents, isExclusive, isRouter }: DocumentSourceOptions) {
  const acceptsAny = (request: FastifyRequest): boolean => !isExclusive || isRouter(request);
  const resolve = ({ query, extensions }: RequestedDocument, request: FastifyRequest): string | undefined => {
    if (typeof query === 'string' && query !== '') {
      if (documents.texts.has(query) || acceptsAny(request)) return query;
      throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');
    }
    if (!hasPersistedQuery(extensions)) return undefined; // Apollo says what is missing
    const text = documents.byHash.get(hashIn(extensions));
    if (text === undefined) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');
    return text;
  };

  /** Changes the request in place. Throws PERSISTED_QUERY_NOT_FOUND. */
  return async (request: FastifyRequest): Promise<void> => {
    if (request.method === 'POST') {
      const { body } = request;
      if (!isObject(body)) return; // Apollo refuses it
      const { extensions } = body;
      const query = resolve({ query: body['query'], extensions }, request);
      if (!hasPersistedQuery(extensions)) return;
      request.body = { ...body, query, extensions: withoutPersistedQuery(extensions) };
    } else {
      const parameters = new URLSearchParams(searchOf(request));
      const extensions = parseJson(parameters.get('extensions'));
      const query = resolve({ query: parameters.get('query') ?? undefined, extensions }, request);
      if (query === undefined) {
        if (acceptsAny(request) || isPageRequest(request)) return; // Apollo says what is missing
        throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');
      }
      if (!hasPersistedQuery(extensions)) return;
      parameters.set('query', query);
      // Nothing reads other extensions.
      parameters.delete('extensions');
      request.raw.url = `?${String(parameters)}`;
    }
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasPersistedQuery(extensions: unknown): boolean {
  return isObject(extensions) && extensions['persistedQuery'] !== undefined;
}

/** The hash of `{ persistedQuery: { version: 1, sha256Hash } }`; for anything else empty, which is no document's hash. */
function hashIn(extensions: unknown): string {
  const persistedQuery = isObject(extensions) ? extensions['persistedQuery'] : undefined;
  if (!isObject(persistedQuery) || persistedQuery['version'] !== 1) return '';
  const { sha256Hash: named } = persistedQuery;
  return typeof named === 'string' ? named : '';
}

function withoutPersistedQuery(extensions: unknown): unknown {
  if (!isObject(extensions)) return extensions;
  const { persistedQuery: _, ...others } = extensions;
  return others;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined; // Apollo says what is wrong with it
  }
}
