import { getNamedType, isInputObjectType, type GraphQLField, type GraphQLResolveInfo } from 'graphql';
import { GatewayError } from '../domain/errors.ts';
import { collectFields, leftOutBy } from './collect-fields.ts';

const shape = /^[\x21-\x7e]{1,255}$/;

/**
 * The key that a create runs under: its input's, or else the request's `Idempotency-Key`, which speaks of one create
 * only. Throws BAD_USER_INPUT for a key that is not 1 to 255 visible ASCII characters, and for a header that could be
 * meant for more than one create.
 */
export function keyOf(
  given: string | null | undefined,
  header: readonly string[] | undefined,
  info: GraphQLResolveInfo,
): string | undefined {
  if (header === undefined) return checked(given ?? undefined);
  if (typeof given === 'string') throw refused('A key is given both by the header Idempotency-Key and by the input.');
  if (header.length > 1) throw refused('The header Idempotency-Key is there more than once.');
  if (createdNames(info).length > 1) {
    throw refused(
      'The header Idempotency-Key needs an operation with exactly one create: name the keys in the inputs.',
    );
  }
  return checked(header[0]);
}

function checked(key: string | undefined): string | undefined {
  if (key === undefined || shape.test(key)) return key;
  throw refused('An idempotency key is 1 to 255 visible ASCII characters.');
}

function refused(message: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { retryable: false }, { message });
}

/** The names in the answer of all creates of an operation: the root fields whose input takes a key. */
function createdNames({ schema, parentType, operation, fragments, variableValues }: GraphQLResolveInfo): string[] {
  const collecting = { schema, fragments, isLeftOut: leftOutBy(variableValues) };
  const fields = [...collectFields(collecting, parentType, [operation.selectionSet])];
  return fields.flatMap(([name, [node]]) => (takesKey(parentType.getFields()[node?.name.value ?? '']) ? name : []));
}

function takesKey(field: GraphQLField<unknown, unknown> | undefined): boolean {
  return (field?.args ?? []).some(({ type }) => {
    const input = getNamedType(type);
    return isInputObjectType(input) && 'idempotencyKey' in input.getFields();
  });
}
