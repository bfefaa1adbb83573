import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { GatewayError } from '../../domain/errors.ts';
import type { Loader } from '../loader.ts';
import { collectFields, leftOutBy } from '../collect-fields.ts';
import type { EntityRead } from '../../upstream/operation.ts';

/**
 * Resolves a router's reference. The record is read, and an unknown one is null, exactly when a selected field needs it;
 * otherwise the reference costs no call and does not assert that the record exists. Async, since a synchronous throw
 * would null all other entities, too.
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
  operation.request(identifier); // throws for an identifier that is not valid
  if (needsRecord(typeName, operation.ownCalls, info)) return load(operation, identifier);
  return { id: identifier } as Value; // nothing else of it is selected
}

/** Whether the references of one `_entities` field need their records, by type: the same for all references of a type. */
const recordNeeds = new WeakMap<GraphQLResolveInfo, Map<string, boolean>>();

function needsRecord(typeName: string, ownCalls: ReadonlySet<string>, info: GraphQLResolveInfo): boolean {
  const needs = recordNeeds.get(info) ?? new Map<string, boolean>();
  recordNeeds.set(info, needs);
  const isNeeded = needs.get(typeName) ?? selectsRecord(typeName, ownCalls, info);
  needs.set(typeName, isNeeded);
  return isNeeded;
}

function selectsRecord(typeName: string, ownCalls: ReadonlySet<string>, info: GraphQLResolveInfo): boolean {
  const { schema, fragments, fieldNodes, variableValues } = info;
  const type = schema.getType(typeName) as GraphQLObjectType; // the type of the reference
  const sets = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = collectFields({ schema, fragments, isLeftOut: leftOutBy((name) => variableValues[name]) }, type, sets);
  return [...fields.values()].some(([node]) => node !== undefined && isOfRecord(node.name.value, ownCalls));
}

/** Whether a field needs the entity's record: it is neither part of the reference nor read by a call of its own. */
export function isOfRecord(field: string, ownCalls: ReadonlySet<string>): boolean {
  return field !== 'id' && field !== '__typename' && !ownCalls.has(field);
}
