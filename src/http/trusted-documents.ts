import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../domain/errors.ts';
import { isRecord } from '../upstream/decoding/field-decoders.ts';
import type { IsRouter } from './router-secret.ts';
import { readManifest } from './trusted-documents-file.ts';

/** What Apollo Server reads of a request, beside its headers. */
interface Asked {
  readonly method: string;
  readonly search: string;
  readonly body: unknown;
}

export interface TrustedDocuments {
  /** Whether a document's text is on the manifest. */
  readonly isTrusted: (text: string) => boolean;
  /**
   * The text of a request's document, undefined where Apollo says what is missing, and the request with the hash of a
   * trusted document replaced by its text. Throws PERSISTED_QUERY_NOT_FOUND, also where only trusted documents are accepted:
   * any other is never parsed, so nothing about the schema can be learnt from errors.
   */
  readonly resolve: (
    asked: Asked,
    request: FastifyRequest,
    isPage: boolean,
  ) => Asked & { readonly text: string | undefined };
}

export function createTrustedDocuments(
  { trustedDocumentsFile: file, trustedDocumentsOnly: isExclusive }: Config,
  isRouter: IsRouter,
): TrustedDocuments {
  const byHash = file === undefined ? undefined : readManifest(file);
  const texts: ReadonlySet<unknown> = new Set(byHash?.values());

  /** A hash that Apollo's clients send in place of a text; without a manifest Apollo refuses it. */
  const findText = (query: string | undefined, hash: unknown): string | undefined => {
    if (query !== undefined || hash === undefined) return query;
    const text = byHash?.get(typeof hash === 'string' ? hash : '');
    if (text === undefined) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');
    return text;
  };
  return {
    isTrusted: (text) => texts.has(text),
    resolve: (asked, request, isPage) => {
      const { query, extensions, withText } = asked.method === 'GET' ? readSearch(asked) : readBody(asked);
      const hash = byHash === undefined ? undefined : hashIn(extensions);
      const text = findText(query, hash);
      const isRefused = isExclusive && !texts.has(text) && !isRouter(request) && !isPage;
      if (isRefused && (text !== undefined || asked.method === 'GET'))
        throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');
      return { ...(hash === undefined || text === undefined ? asked : withText(text)), text };
    },
  };
}

function readBody(asked: Asked) {
  const { query, extensions, ...others } = isRecord(asked.body) ? asked.body : {};
  const withText = (text: string): Asked => ({ ...asked, body: { ...others, query: text } });
  return { query: toText(query), extensions, withText };
}

function readSearch(asked: Asked) {
  const parameters = new URLSearchParams(asked.search);
  const withText = (text: string): Asked => {
    parameters.set('query', text);
    parameters.delete('extensions');
    return { ...asked, search: `?${String(parameters)}` };
  };
  return { query: toText(parameters.get('query')), extensions: parseJson(parameters.get('extensions')), withText };
}

function toText(query: unknown): string | undefined {
  return typeof query === 'string' && query !== '' ? query : undefined;
}

/** The hash of `{ version: 1, sha256Hash }`, null where that is malformed; undefined where there is no `persistedQuery`. */
function hashIn(extensions: unknown): unknown {
  const persistedQuery = isRecord(extensions) ? extensions['persistedQuery'] : undefined;
  if (persistedQuery === undefined) return undefined;
  return isRecord(persistedQuery) && persistedQuery['version'] === 1 ? (persistedQuery['sha256Hash'] ?? null) : null;
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined; // Apollo says what is wrong with it
  }
}
