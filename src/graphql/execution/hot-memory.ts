import type { DocumentNode } from 'graphql';
import { createLatest } from '../../runtime/bounded-cache.ts';

const maxDocumentCharacters = 256 * 1024;
const maxAcceptCharacters = 4 * 1024;

/** What Apollo was seen to do, and would do again. */
export interface HotMemory {
  /** The document of a text that Apollo found valid. */
  readonly documentOf: (source: string) => DocumentNode | undefined;
  readonly addDocument: (source: string, document: DocumentNode) => void;
  /** The content type that Apollo chose for an `accept` header: it hangs on nothing else. */
  readonly typeFor: (accept: string) => string | undefined;
  readonly addType: (accept: string, contentType: string) => void;
}

/**
 * Remembers the latest documents, 256 Ki characters of them, and the latest `accept` headers, 4 Ki: what it forgets is
 * answered no worse, but by Apollo.
 */
export function createHotMemory(): HotMemory {
  const documents = createLatest<DocumentNode>(maxDocumentCharacters);
  const types = createLatest<string>(maxAcceptCharacters);
  return {
    documentOf: documents.get,
    addDocument: documents.add,
    typeFor: types.get,
    addType: types.add,
  };
}
