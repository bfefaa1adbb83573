import type { DocumentNode } from 'graphql';

const maxCharacters = 256 * 1024;
const maxAcceptLength = 256;
const maxAccepts = 100;

/** What Apollo was seen to do, and would do again. */
export interface HotMemory {
  /** The document of a text that Apollo found valid. */
  readonly documentOf: (source: string) => DocumentNode | undefined;
  readonly addDocument: (source: string, document: DocumentNode) => void;
  /** The content type that Apollo chose for an `accept` header: it hangs on nothing else. */
  readonly typeFor: (accept: string) => string | undefined;
  readonly addType: (accept: string, contentType: string) => void;
}

/** Remembers the latest documents, 256 Ki characters of them: what it forgets is answered no worse, but by Apollo. */
export function createHotMemory(): HotMemory {
  const documents = new Map<string, DocumentNode>();
  const types = new Map<string, string>();
  let characters = 0;
  return {
    documentOf: (source) => documents.get(source),
    addDocument: (source, document) => {
      if (documents.has(source) || source.length > maxCharacters) return;
      documents.set(source, document);
      characters += source.length;
      for (const oldest of documents.keys()) {
        if (characters <= maxCharacters) return;
        documents.delete(oldest);
        characters -= oldest.length;
      }
    },
    typeFor: (accept) => types.get(accept),
    addType: (accept, contentType) => {
      if (types.size < maxAccepts && accept.length <= maxAcceptLength) types.set(accept, contentType);
    },
  };
}
