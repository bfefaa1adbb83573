import type { GraphQLResolveInfo } from 'graphql';
import { GatewayError } from '../../domain/errors.ts';
import type { EntityRead } from '../../upstream/operation.ts';
import type { Context } from '../context.ts';
import { readEntity } from './read-entity.ts';
import { selectedFields } from './selected-fields.ts';

/**
 * Resolves a router's reference. The record is read, and an unknown one is null, exactly when a selected field needs it;
 * otherwise the reference costs no call and does not assert that the record exists. Async, since a synchronous throw
 * would null all other entities, too.
 */
export async function resolveReference<Value extends { readonly id: string }>(
  { __typename: typeName, id }: { readonly __typename: string; readonly id: unknown },
  context: Context,
  info: GraphQLResolveInfo,
  operation: EntityRead<Value>,
): Promise<Value | null> {
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
    const message = 'A reference needs an `id` that is text, or an integer below 2^53.';
    throw new GatewayError('BAD_USER_INPUT', {}, { message });
  }
  const identifier = String(id);
  operation.request(identifier); // throws for an identifier that is not valid
  const needsRecord = selectedFields(typeName, info).some(({ definition }) =>
    isOfRecord(definition.name, operation.ownCalls),
  );
  if (needsRecord) return readEntity(operation, identifier, context, info, typeName);
  return { id: identifier } as Value; // nothing else of it is selected
}

/** Whether a field needs the entity's record: it is neither part of the reference nor read by a call of its own. */
export function isOfRecord(field: string, ownCalls: ReadonlySet<string>): boolean {
  return field !== 'id' && field !== '__typename' && !ownCalls.has(field);
}
