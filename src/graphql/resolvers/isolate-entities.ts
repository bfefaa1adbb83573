import type { GraphQLSchema } from 'graphql';
import { GatewayError } from '../../domain/errors.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';

/** The resolvers of a schema by type name, as `buildSubgraphSchema` took them. */
type ResolversByType = Readonly<Record<string, object>>;

/** Resolves each reference of `_entities` alone, so that an invalid one is an error at its index, not of the whole list. */
export function isolateEntities(schema: GraphQLSchema, resolvers: ResolversByType): GraphQLSchema {
  const field = schema.getQueryType()?.getFields()['_entities'];
  const resolve = field?.resolve;
  if (field === undefined || resolve === undefined) return schema;
  field.resolve = (source, args: { readonly representations: readonly unknown[] }, context, info) =>
    args.representations.map((representation) => {
      if (!isReference(representation, resolvers)) {
        const message = 'A representation must be an object whose `__typename` is an entity of this graph.';
        return new GatewayError('BAD_USER_INPUT', {}, { message });
      }
      const [entity] = resolve(source, { representations: [representation] }, context, info) as readonly unknown[]; // one, as it was given one
      return entity;
    });
  return schema;
}

function isReference(representation: unknown, resolvers: ResolversByType): boolean {
  const name = isRecord(representation) ? representation['__typename'] : undefined;
  return typeof name === 'string' && '__resolveReference' in (resolvers[name] ?? {});
}
