import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { GatewayError } from '../../domain/errors.ts';
import type { Loader } from '../loader.ts';
import { collectFields, leftOutBy } from '../collect-fields.ts';
import type { EntityRead } from '../../upstream/operation.ts';

/**
 * The entity behind a router's reference. Its record is read, and an unknown one is null, exactly when a field is
 * selected that needs the record; a reference of which only the id and fields with calls of their own are wanted costs
 * no read, and so does not assert that the record exists. Async, since a throw here would take the other entities along.
 */
export async function resolveReference<Value extends { readonly id: string }>(
  { __typename: typeName, id }: { readonly __typename: string; readonly id: unknown },
  operation: EntityRead<Value>,
  load: Loader['load'],
  info: GraphQLResolveInfo,
): Promise<Value | null> {
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
    throw new GatewayError('BAD_USER_INPUT', {}, { message: 'A reference needs an `id` that is text or an integer.' });
  }
  const identifier = String(id);
  operation.request(identifier); // refuses an identifier that could not name a record
  if (needsRecord(typeName, operation.ownCalls, info)) return load(operation, identifier);
  return { id: identifier } as Value; // nothing else of it is selected
}

/** What was found for one `_entities` of a request, by type: it is the same for all references of the type. */
const known = new WeakMap<GraphQLResolveInfo, Map<string, boolean>>();

function needsRecord(typeName: string, ownCalls: ReadonlySet<string>, info: GraphQLResolveInfo): boolean {
  const found = known.get(info) ?? new Map<string, boolean>();
  known.set(info, found);
  const isNeeded = found.get(typeName) ?? selectsRecord(typeName, ownCalls, info);
  found.set(typeName, isNeeded);
  return isNeeded;
}

function selectsRecord(typeName: string, ownCalls: ReadonlySet<string>, info: GraphQLResolveInfo): boolean {
  const { schema, fragments, fieldNodes, variableValues } = info;
  const type = schema.getType(typeName) as GraphQLObjectType; // that whose reference is resolved
  const sets = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = collectFields({ schema, fragments, isLeftOut: leftOutBy(variableValues) }, type, sets);
  return [...fields.values()].some(([node]) => node !== undefined && isOfRecord(node.name.value, ownCalls));
}

/** Whether a field of an entity is part of its record, and not known from the reference or asked for apart. */
export function isOfRecord(field: string, ownCalls: ReadonlySet<string>): boolean {
  return field !== 'id' && field !== '__typename' && !ownCalls.has(field);
}
