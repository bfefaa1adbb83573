import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse, type GraphQLSchema } from 'graphql';
import { isolateEntities } from './resolvers/isolate-entities.ts';
import { resolvers as unprefixedResolvers } from './resolvers/index.ts';
import { prefixDocument, prefixResolvers, type ResolversByType } from './type-prefix.ts';

/** The federation subgraph schema with its resolvers; TYPE_PREFIX is applied to its names. */
export function createSchema(typePrefix: string): GraphQLSchema {
  const typeDefs = prefixDocument(parse(readSchemaFile()), typePrefix);
  const resolvers = resolversUnder(typePrefix);
  return isolateEntities(buildSubgraphSchema([{ typeDefs, resolvers }]), resolvers);
}

/** The resolvers under the prefixed names. */
export function resolversUnder(typePrefix: string): ResolversByType {
  return prefixResolvers(unprefixedResolvers as unknown as ResolversByType, typePrefix); // each field has arguments of its own
}

/** The root fields of this graph, and federation's `_entities`. */
export function listRootFields(typePrefix: string): readonly string[] {
  const { Query = {}, Mutation = {} } = resolversUnder(typePrefix);
  return [...Object.keys(Query), ...Object.keys(Mutation), '_entities'];
}

/** The text of schema.graphql, which lies beside both src and the compiled dist. */
export function readSchemaFile(): string {
  return readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
}
