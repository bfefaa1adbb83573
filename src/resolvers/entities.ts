import type { GraphQLSchema } from 'graphql';
import { GatewayError } from '../errors.ts';
import { resolvers } from './resolvers.ts';

/**
 * Lets each of a router's references stand for itself: one that names no entity of this graph, or is no reference at
 * all, is the error of its own slot and not of the whole list.
 */
export function resolveEntitiesApart(schema: GraphQLSchema): GraphQLSchema {
  const field = schema.getQueryType()?.getFields()['_entities'];
  const resolve = field?.resolve;
  if (field === undefined || resolve === undefined) return schema;
  field.resolve = (source, args: { readonly representations: readonly unknown[] }, context, info) =>
    args.representations.map((representation) => {
      if (!isReference(representation)) {
        const message = 'A representation must be an object whose `__typename` is an entity of this graph.';
        return new GatewayError('BAD_USER_INPUT', {}, { message });
      }
      const [entity] = resolve(source, { representations: [representation] }, context, info) as readonly unknown[]; // as many as it was given
      return entity;
    });
  return schema;
}

function isReference(representation: unknown): boolean {
  if (typeof representation !== 'object' || representation === null) return false;
  const { __typename: name } = representation as { readonly __typename?: unknown }; // any object may be asked for a name
  const type: unknown =
    typeof name === 'string' && Object.hasOwn(resolvers, name) ? resolvers[name as keyof typeof resolvers] : undefined; // hasOwn has found it
  return typeof type === 'object' && type !== null && '__resolveReference' in type;
}
