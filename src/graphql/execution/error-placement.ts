import { GraphQLError, locatedError, responsePathAsArray } from 'graphql';
import { limitError, limits } from '../limits/document-limits.ts';
import type { Execution, ExecutionResult, FieldPlan, Path, ValuePlan } from './types.ts';

/** Records a field error and returns null, or throws it to the parent where the value is non-null. */
export function placeError(
  execution: Execution,
  { nodes }: FieldPlan,
  { isNonNull }: ValuePlan,
  parent: Path | undefined,
  key: string | number,
  error: unknown,
): null {
  if (hasTooMany(execution.errors)) return null;
  const path: Path = { prev: parent, key, typename: undefined };
  const located = locatedError(error, nodes, responsePathAsArray(path));
  if (isNonNull) throw located;
  recordError(execution, located, path);
  return null;
}

/** Records an error unless an earlier one has nulled its path or a path above it. */
export function recordError(execution: Execution, error: GraphQLError, path: Path | undefined): void {
  const nulledPaths = (execution.nulledPaths ??= new Set());
  const keys = responsePathAsArray(path);
  for (let length = 0; length <= keys.length; length += 1) {
    if (nulledPaths.has(keys.slice(0, length).join(' '))) return;
  }
  nulledPaths.add(keys.join(' '));
  execution.errors.push(error);
}

/** Errors that an answer over the limit still has, to show which rows they name. */
const shownErrors = 100;

/**
 * Whether an answer is over the limit of errors. Where a row misreads a field, each record has one, ten times as long as the
 * value: a few such answers would exceed the memory. No value is null without its error, so such an answer has no data.
 */
function hasTooMany(errors: readonly unknown[]): boolean {
  return errors.length > limits.errors;
}

/** Whether an answer is over the limit of characters, above which a few of them would exceed the memory. */
export function isTooLong({ length }: Execution): boolean {
  return length > limits.answerLength;
}

export function toResult(execution: Execution, value: unknown): ExecutionResult {
  if (isTooLong(execution)) return { errors: [tooLongError()], data: null };
  const { errors } = execution;
  const data = value as Record<string, unknown> | null; // the root is an object or null
  if (errors.length === 0) return { data };
  const cut = cutErrors(errors, (error) => error);
  return cut === undefined ? { errors, data } : { errors: cut, data: null };
}

export function tooLongError(): GraphQLError {
  const originalError = limitError('answerLength', limits.answerLength);
  return new GraphQLError(originalError.message, { originalError });
}

/** The errors of an answer that is over the limit of them and so has no data; undefined within the limit. */
export function cutErrors<Entry>(
  errors: readonly Entry[],
  toEntry: (error: GraphQLError) => Entry,
): readonly Entry[] | undefined {
  if (!hasTooMany(errors)) return undefined;
  const originalError = limitError('errors', limits.errors);
  return [toEntry(new GraphQLError(originalError.message, { originalError })), ...errors.slice(0, shownErrors)];
}
