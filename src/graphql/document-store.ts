import type { ApolloServerOptions } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/**
 * Characters of all documents that are kept parsed, valid and planned. A small document takes about 170 bytes of memory
 * for each of its characters, plan included (test/proofs/caches.test.ts).
 */
const maxCharacters = 256 * 1024;

type DocumentStore = NonNullable<ApolloServerOptions<object>['documentStore']>;

/** Apollo's store of documents, bounded by their size. An operation's plan lives as long as its document does. */
export function createDocumentStore(): DocumentStore {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: maxCharacters,
    sizeCalculation: ({ loc }) => Math.max(loc?.end ?? 0, 1),
  });
  return {
    get: async (key) => documents.get(key),
    set: async (key, document) => void documents.set(key, document),
    delete: async (key) => documents.delete(key),
  };
}
