import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../domain/errors.ts';
import { isRecord } from '../upstream/decoding/field-decoders.ts';
import { isPageRequest, searchOf } from './graphql-handler.ts';
import type { IsRouter } from './router-secret.ts';
import type { TrustedDocuments } from './trusted-documents-file.ts';

interface DocumentSourceOptions {
  readonly documents: TrustedDocuments;
  /** Whether documents that are not on the manifest are refused. */
  readonly isExclusive: boolean;
  readonly isRouter: IsRouter;
}

/**
 * Replaces the hash of a trusted document by its text, and refuses documents that are not trusted. This happens before
 * Apollo sees the request: an untrusted document is never parsed, so nothing about the schema can be learnt from errors.
 */
export function createDocumentSource({ documents, isExclusive, isRouter }: DocumentSourceOptions) {
  const acceptsAny = (request: FastifyRequest): boolean => !isExclusive || isRouter(request);
  /** The text of a request's document: `query`, or that of the hash in `persistedQuery` of Apollo's clients. */
  const resolve = (query: unknown, persistedQuery: unknown, request: FastifyRequest): string | undefined => {
    if (typeof query === 'string' && query !== '') {
      if (documents.texts.has(query) || acceptsAny(request)) return query;
      throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');
    }
    if (persistedQuery === undefined) return undefined; // Apollo says what is missing
    const text = documents.byHash.get(hashIn(persistedQuery));
    if (text === undefined) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');
    return text;
  };

  /** Changes the request in place; nothing reads other extensions. Throws PERSISTED_QUERY_NOT_FOUND. */
  return async (request: FastifyRequest): Promise<void> => {
    if (request.method === 'POST') {
      const { body } = request;
      if (!isRecord(body)) return; // Apollo refuses it
      const persistedQuery = persistedQueryIn(body['extensions']);
      const query = resolve(body['query'], persistedQuery, request);
      if (persistedQuery === undefined) return;
      const { extensions: _, ...others } = body;
      request.body = { ...others, query };
    } else {
      const parameters = new URLSearchParams(searchOf(request));
      const persistedQuery = persistedQueryIn(parseJson(parameters.get('extensions')));
      const query = resolve(parameters.get('query'), persistedQuery, request);
      if (query === undefined) {
        if (acceptsAny(request) || isPageRequest(request)) return; // Apollo says what is missing
        throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');
      }
      if (persistedQuery === undefined) return;
      parameters.set('query', query);
      parameters.delete('extensions');
      request.raw.url = `?${String(parameters)}`;
    }
  };
}

function persistedQueryIn(extensions: unknown): unknown {
  return isRecord(extensions) ? extensions['persistedQuery'] : undefined;
}

/** The hash of `{ version: 1, sha256Hash }`; for anything else empty, which is no document's hash. */
function hashIn(persistedQuery: unknown): string {
  if (!isRecord(persistedQuery) || persistedQuery['version'] !== 1) return '';
  const { sha256Hash: named } = persistedQuery;
  return typeof named === 'string' ? named : '';
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined; // Apollo says what is wrong with it
  }
}
