import type { ApolloServerOptions } from '@apollo/server';
import { visit, type DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Nodes of all documents that are kept parsed, valid and planned (test/proofs/operation/caches.test.ts measures their memory). */
const maxNodes = 64 * 1024;

type DocumentStore = NonNullable<ApolloServerOptions<object>['documentStore']>;

/** Apollo's store of documents, bounded by their size. An operation's plan lives as long as its document does. */
export function createDocumentStore(): DocumentStore {
  const documents = new LRUCache<string, DocumentNode>({ maxSize: maxNodes, sizeCalculation: countNodes });
  return {
    get: async (key) => documents.get(key),
    set: async (key, document) => void documents.set(key, document),
    delete: async (key) => documents.delete(key),
  };
}

function countNodes(document: DocumentNode): number {
  let count = 0;
  visit(document, { enter: () => void (count += 1) });
  return count;
}
