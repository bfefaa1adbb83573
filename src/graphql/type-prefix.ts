import {
  GraphQLScalarType,
  isTypeDefinitionNode,
  Kind,
  visit,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLFieldResolver,
  type NameNode,
  type ObjectTypeDefinitionNode,
} from 'graphql';
import type { Context } from './context.ts';

type Resolve = GraphQLFieldResolver<unknown, Context>;
type ResolversOfType = GraphQLScalarType | Readonly<Record<string, Resolve>>;
export type ResolversByType = Readonly<Record<string, ResolversOfType>>;

const rootTypes: ReadonlySet<string> = new Set(['Query', 'Mutation']);

/** A root field's name: `createCustomer` under the prefix `Settlement` is `settlementCreateCustomer`. */
export function prefixedField(name: string, prefix: string): string {
  if (prefix === '') return name;
  const start = prefix.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
  return `${start}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/**
 * Prefixes every type that the schema defines, scalars included, and every root field, so that it composes beside a
 * subgraph with the same type names. Names that GraphQL and federation define stay, and with an empty prefix all do.
 */
export function prefixDocument(document: DocumentNode, prefix: string): DocumentNode {
  const typeNames = new Set(
    document.definitions.flatMap((node) => (isTypeDefinitionNode(node) && !isRoot(node) ? node.name.value : [])),
  );
  const prefixed = (name: NameNode): NameNode => ({ ...name, value: `${prefix}${name.value}` });
  const definitions = document.definitions.map((node): DefinitionNode => {
    if (isRoot(node)) return prefixFields(node, prefix);
    return isTypeDefinitionNode(node) ? { ...node, name: prefixed(node.name) } : node;
  });
  return visit(
    { ...document, definitions },
    { NamedType: ({ name, ...node }) => (typeNames.has(name.value) ? { ...node, name: prefixed(name) } : undefined) },
  );
}

/** Prefixes the resolvers likewise. */
export function prefixResolvers(resolvers: ResolversByType, prefix: string): ResolversByType {
  return Object.fromEntries(
    Object.entries(resolvers).map(([name, ofType]): [string, ResolversOfType] => {
      if (ofType instanceof GraphQLScalarType) {
        return [`${prefix}${name}`, new GraphQLScalarType({ ...ofType.toConfig(), name: `${prefix}${name}` })];
      }
      return rootTypes.has(name) ? [name, prefixRoot(ofType, prefix)] : [`${prefix}${name}`, ofType];
    }),
  );
}

function isRoot(node: DefinitionNode): node is ObjectTypeDefinitionNode {
  return node.kind === Kind.OBJECT_TYPE_DEFINITION && rootTypes.has(node.name.value);
}

function prefixFields(node: ObjectTypeDefinitionNode, prefix: string): ObjectTypeDefinitionNode {
  const fields = (node.fields ?? []).map((field) => {
    const value = prefixedField(field.name.value, prefix);
    return { ...field, name: { ...field.name, value } };
  });
  return { ...node, fields };
}

function prefixRoot(fields: Readonly<Record<string, Resolve>>, prefix: string): Readonly<Record<string, Resolve>> {
  return Object.fromEntries(Object.entries(fields).map(([name, resolve]) => [prefixedField(name, prefix), resolve]));
}
