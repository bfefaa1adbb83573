import {
  OperationTypeNode,
  type FormattedExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
} from 'graphql';
import { cutErrors, tooLongError } from '../execution/error-placement.ts';
import { limits } from './document-limits.ts';

type ToFormatted = (error: GraphQLError) => GraphQLFormattedError;

/**
 * The answer of graphql-js within the limits that the planned executor keeps to as it writes. A query over one has no data;
 * a mutation keeps its outcomes and loses its lists.
 */
export function boundAnswer(
  answer: FormattedExecutionResult,
  type: OperationTypeNode | undefined,
  toFormatted: ToFormatted,
): FormattedExecutionResult {
  const { data = null, errors = [] } = answer;
  const isTooLong = lengthOf(data) > limits.answerLength;
  if (type === OperationTypeNode.MUTATION) {
    return isTooLong
      ? { ...answer, data: withoutLists(data), errors: [toFormatted(tooLongError()), ...errors] }
      : answer;
  }
  const cut = isTooLong ? [toFormatted(tooLongError())] : cutErrors(errors, toFormatted);
  return cut === undefined ? answer : { errors: cut, data: null };
}

/** Characters of a value's names and texts. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + lengthOf(member), 0);
}

/** A copy without the connections below the payloads of its root fields, which keep their user errors. */
function withoutLists<Value>(value: Value, depth = 0): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value);
  if (depth > 1 && members.some(([, member]) => Array.isArray(member))) return null as Value; // a connection may be null
  return Object.fromEntries(members.map(([name, member]) => [name, withoutLists(member, depth + 1)])) as Value; // as it was
}
