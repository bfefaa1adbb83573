import {
  getDirectiveValues,
  getNamedType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isInputObjectType,
  Kind,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';
import { GatewayError } from './errors.ts';

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
  if (createdNames(info).size > 1) {
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
function createdNames({ parentType, operation, fragments, variableValues }: GraphQLResolveInfo): ReadonlySet<string> {
  const creates = new Set(
    Object.values(parentType.getFields()).flatMap(({ name, args }) =>
      args
        .map(({ type }) => getNamedType(type))
        .some((type) => isInputObjectType(type) && 'idempotencyKey' in type.getFields())
        ? name
        : [],
    ),
  );
  const names = new Set<string>();
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      const isSkipped = getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] === true;
      const isIncluded = getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] !== false;
      if (isSkipped || !isIncluded) continue;
      if (node.kind === Kind.FIELD) {
        if (creates.has(node.name.value)) names.add(node.alias?.value ?? node.name.value);
      } else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        const fragment = fragments[node.name.value];
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return names;
}
