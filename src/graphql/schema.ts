import { buildSubgraphSchema } from '@apollo/subgraph';
import { buildASTSchema, lexicographicSortSchema, parse, type DocumentNode, type GraphQLSchema } from 'graphql';
import type { Contract } from '../contract/contract.ts';
import { readSchemaFile } from '../contract/graph-names.ts';
import { withExtras } from './extra-schema.ts';
import { isolateEntities } from './resolvers/isolate-entities.ts';
import { refuseRoundedIdentifiers } from './resolvers/scalars.ts';
import { resolvers as unprefixedResolvers } from './resolvers/index.ts';
import { prefixDocument, prefixResolvers, type ResolversByType } from './type-prefix.ts';

type Extras = Pick<Contract, 'extras'>;

/** The federation subgraph schema with its resolvers and what the contract adds; TYPE_PREFIX is applied to its names. */
export function createSchema(typePrefix: string, contract: Extras = { extras: [] }): GraphQLSchema {
  refuseRoundedIdentifiers();
  const typeDefs = createDocument(typePrefix, contract);
  const resolvers = resolversUnder(typePrefix);
  return isolateEntities(buildSubgraphSchema([{ typeDefs, resolvers }]), resolvers);
}

/** The schema for frontends: without what federation defines, in the order of src/client/schema.graphql. */
export function createClientSchema(typePrefix: string, contract: Extras): GraphQLSchema {
  return lexicographicSortSchema(buildASTSchema(createDocument(typePrefix, contract), { assumeValidSDL: true }));
}

function createDocument(typePrefix: string, { extras }: Extras): DocumentNode {
  return prefixDocument(withExtras(parse(readSchemaFile()), extras), typePrefix);
}

export function resolversUnder(typePrefix: string): ResolversByType {
  return prefixResolvers(unprefixedResolvers as unknown as ResolversByType, typePrefix); // each field has arguments of its own
}

/** The root fields of this graph, and federation's `_entities`. */
export function listRootFields(typePrefix: string): readonly string[] {
  const { Query = {}, Mutation = {} } = resolversUnder(typePrefix);
  return [...Object.keys(Query), ...Object.keys(Mutation), '_entities'];
}
