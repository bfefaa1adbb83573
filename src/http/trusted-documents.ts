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

export type TrustedDocuments = ReturnType<typeof createTrustedDocuments>;

export function createTrustedDocuments(
  { trustedDocumentsFile: file, trustedDocumentsOnly: isExclusive }: Config,
  isRouter: IsRouter,
) {
  const byHash = file === undefined ? undefined : readManifest(file);
  const texts: ReadonlySet<string> = new Set(byHash?.values());
  const notFound = (): GatewayError => new GatewayError('PERSISTED_QUERY_NOT_FOUND');
  return {
    texts,
    /** Whether a document's text is on the manifest. */
    isTrusted: (text: string): boolean => texts.has(text),
    /**
     * The text of a request's document, undefined where Apollo says what is missing, and the request with the hash of a
     * trusted document replaced by its text. Throws PERSISTED_QUERY_NOT_FOUND, also where only trusted documents are
     * accepted: any other is never parsed, so nothing about the schema can be learnt from errors.
     */
    resolve: (
      asked: Asked,
      request: FastifyRequest,
      isPage: boolean,
    ): Asked & { readonly text: string | undefined } => {
      const { query, extensions, withText } = asked.method === 'GET' ? readSearch(asked) : readBody(asked);
      const hash = byHash === undefined ? undefined : hashIn(extensions); // without a manifest Apollo refuses it
      const text = typeof query === 'string' && query !== '' ? query : byHash?.get(hash ?? '');
      if (text === undefined && hash !== undefined) throw notFound();
      const mayBeOther = !isExclusive || isPage || isRouter(request) || (text === undefined && asked.method !== 'GET');
      if (!mayBeOther && (text === undefined || !texts.has(text))) throw notFound();
      return { ...(text === undefined || hash === undefined ? asked : withText(text)), text };
    },
  };
}

function readBody(asked: Asked) {
  const { query, extensions, ...others } = isRecord(asked.body) ? asked.body : {};
  return { query, extensions, withText: (text: string): Asked => ({ ...asked, body: { ...others, query: text } }) };
}

function readSearch(asked: Asked) {
  const parameters = new URLSearchParams(asked.search);
  const withText = (text: string): Asked => {
    parameters.set('query', text);
    parameters.delete('extensions');
    return { ...asked, search: `?${String(parameters)}` };
  };
  return { query: parameters.get('query'), extensions: parseJson(parameters.get('extensions')), withText };
}

/** The hash of `{ version: 1, sha256Hash }`, empty where that is malformed; undefined where there is no `persistedQuery`. */
function hashIn(extensions: unknown): string | undefined {
  const persistedQuery = isRecord(extensions) ? extensions['persistedQuery'] : undefined;
  if (persistedQuery === undefined) return undefined;
  const { version, sha256Hash } = isRecord(persistedQuery) ? persistedQuery : {};
  return version === 1 && typeof sha256Hash === 'string' ? sha256Hash : '';
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined; // Apollo says what is wrong with it
  }
}
