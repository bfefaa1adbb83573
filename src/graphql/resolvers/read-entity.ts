import { getArgumentValues, getNamedType, type GraphQLResolveInfo } from 'graphql';
import type { EntityRead } from '../../upstream/operation.ts';
import type { Context } from '../context.ts';
import { selectedFields, type SelectedField } from './selected-fields.ts';

/**
 * Reads an entity's record and, at the same time, the selected fields below it that need only its id. Their resolvers are
 * called with the requested identifier, and the loader keeps these calls. When the record has arrived, the resolvers run
 * as usual and find the calls in the loader. If the record has another id, they call again by that id; if there is no
 * record, they do not run.
 */
export function readEntity<Value extends { readonly id: string }>(
  operation: EntityRead<Value>,
  identifier: string,
  context: Context,
  info: GraphQLResolveInfo,
  typeName = getNamedType(info.returnType).name,
): Promise<Value | null> {
  const record = context.load(operation, identifier);
  const fields = selectedFields(typeName, info).filter(({ definition }) => operation.prefetched.has(definition.name));
  if (fields.length === 0 || !context.prefetch.isSent(operation, identifier)) return record;
  const prefetch: Context = { ...context, ...context.prefetch };
  for (const field of fields) {
    void readField(field, identifier, context.forField?.(info, field.definition.name) ?? prefetch, info);
  }
  return record;
}

/** Never rejects: the error is thrown again where the answer is needed. */
async function readField(
  { node, definition }: SelectedField,
  id: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<void> {
  try {
    await definition.resolve?.({ id }, getArgumentValues(definition, node, info.variableValues), context, info);
  } catch {
    // If the record does not exist, this field is never resolved.
  }
}
