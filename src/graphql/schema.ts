import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse, type GraphQLSchema } from 'graphql';
import { resolveEntitiesApart } from './resolvers/isolate-entities.ts';
import { resolvers } from './resolvers/index.ts';
import { prefixDocument, prefixResolvers, type ResolversByType } from './type-prefix.ts';

/** The schema as a federation subgraph, with its resolvers, under the names that TYPE_PREFIX gives. */
export function createSchema(typePrefix: string): GraphQLSchema {
  const typeDefs = prefixDocument(parse(readSchemaFile()), typePrefix);
  const named = resolversUnder(typePrefix);
  return resolveEntitiesApart(buildSubgraphSchema([{ typeDefs, resolvers: named }]), named);
}

/** The resolvers of that schema, by its names. */
export function resolversUnder(typePrefix: string): ResolversByType {
  return prefixResolvers(resolvers as ResolversByType, typePrefix); // generated types know each field's own arguments
}

/** The text of schema.graphql, which stands beside src and beside the compiled dist alike. */
export function readSchemaFile(): string {
  return readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
}
