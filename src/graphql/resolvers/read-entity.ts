import { getArgumentValues, type GraphQLResolveInfo } from 'graphql';
import type { EntityRead } from '../../upstream/operation.ts';
import type { Context } from '../context.ts';
import { selectedFields, type SelectedField } from './selected-fields.ts';

/**
 * Reads an entity's record, and together with it what is selected below it and needs nothing of the record but its id.
 * The fields' own resolvers are called with the identifier given; the loader keeps their calls, so the same resolvers
 * find them under way once the record is there. Where the record has another id they call again, by that id; where there
 * is no record they are not called.
 */
export function readEntity<Value extends { readonly id: string }>(
  operation: EntityRead<Value>,
  identifier: string,
  typeName: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Value | null> {
  const record = context.load(operation, identifier);
  const fields = selectedFields(typeName, info).filter(({ definition }) => operation.readAhead.has(definition.name));
  if (fields.length === 0) return record;
  const ahead: Context = { ...context, ...context.ahead };
  for (const field of fields) {
    void readField(field, identifier, context.forField?.(info, field.definition.name) ?? ahead, info);
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
