import { locatedError, type GraphQLError } from 'graphql';
import type { Execution, FieldPlan, Path, ValuePlan } from './types.ts';

/** Records a field error and returns null, or throws it to the parent where the value is non-null. */
export function placeError(
  execution: Execution,
  { nodes }: FieldPlan,
  { isNonNull }: ValuePlan,
  parent: Path | undefined,
  key: string | number,
  error: unknown,
): null {
  const path: Path = { prev: parent, key, typename: undefined };
  const located = locatedError(error, nodes, toKeys(path));
  if (isNonNull) throw located;
  recordError(execution, located, path);
  return null;
}

/** Records an error unless an earlier one has nulled its path or a path above it. */
export function recordError(execution: Execution, error: GraphQLError, path: Path | undefined): void {
  const nulledPaths = (execution.nulledPaths ??= new Set());
  const keys = toKeys(path);
  for (let length = 0; length <= keys.length; length += 1) {
    if (nulledPaths.has(keys.slice(0, length).join(' '))) return;
  }
  nulledPaths.add(keys.join(' '));
  execution.errors.push(error);
}

function toKeys(path: Path | undefined): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let step = path; step !== undefined; step = step.prev) keys.push(step.key);
  return keys.toReversed();
}
