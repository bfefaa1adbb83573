import { getNamedType, isInputObjectType, type GraphQLField, type GraphQLResolveInfo } from 'graphql';
import { GatewayError } from '../domain/errors.ts';
import { collectFields, leftOutBy } from './collect-fields.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * The idempotency key of a create: its input's, or else the request's `Idempotency-Key`. Throws BAD_USER_INPUT for a key
 * that is not 1 to 255 visible ASCII characters, and for a header beside more than one create.
 */
export function idempotencyKeyOf(
  inputKey: string | null | undefined,
  header: readonly string[] | undefined,
  info: GraphQLResolveInfo,
): string | undefined {
  if (header === undefined) return checkKey(inputKey ?? undefined);
  if (typeof inputKey === 'string') throw badKey('The header Idempotency-Key and the input both have a key: send one.');
  if (header.length > 1) throw badKey('The header Idempotency-Key was sent more than once. Send it once.');
  if (createsIn(info).length > 1) {
    throw badKey('The header Idempotency-Key needs an operation with exactly one create. Send the keys in the inputs.');
  }
  return checkKey(header[0]);
}

function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || keyPattern.test(key)) return key;
  throw badKey('An idempotency key is 1 to 255 visible ASCII characters.');
}

function badKey(message: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { retryable: false }, { message });
}

/** The creates of an operation, which are the root fields whose input takes a key. */
function createsIn({ schema, parentType, operation, fragments, variableValues }: GraphQLResolveInfo) {
  const collecting = { schema, fragments, isLeftOut: leftOutBy(variableValues) };
  const fields = [...collectFields(collecting, parentType, [operation]).values()];
  return fields.filter(([node]) => takesKey(parentType.getFields()[node.name.value]));
}

function takesKey(field: GraphQLField<unknown, unknown> | undefined): boolean {
  return (field?.args ?? []).some(({ type }) => {
    const input = getNamedType(type);
    return isInputObjectType(input) && 'idempotencyKey' in input.getFields();
  });
}
