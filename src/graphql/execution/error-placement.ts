import { locatedError, type GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { Variables } from './coerce-input.ts';
import type { FieldPlan, OperationPlan, Shape } from './plan-operation.ts';
import type { Executed } from './run-plan.ts';

/** The way to a value: field names and list indexes, the last one first. */
export type Path = GraphQLResolveInfo['path'];

/** One operation while it runs. */
export interface Run {
  readonly plan: OperationPlan;
  readonly context: unknown;
  readonly variables: Variables;
  readonly args: ReturnType<OperationPlan['readArguments']>;
  readonly errors: GraphQLError[];
  /** The places that an error has made null: nothing that goes wrong below one is told any more. */
  nulled: Set<string> | undefined;
  /** Values that are still awaited. */
  pending: number;
  /** What is called when the last of them is there; a closure made for each run would keep them all in memory. */
  resolve: (result: Executed) => void;
  data: unknown;
}

/** The root has no field, and no path. */
export function toPath(prev: Path | undefined, key: string | number, field: FieldPlan | undefined): Path | undefined {
  if (field === undefined) return undefined;
  return { prev, key, typename: typeof key === 'string' ? field.parentType.name : undefined };
}

export function infoOf({ plan, variables }: Run, field: FieldPlan, path: Path | undefined): GraphQLResolveInfo {
  const { definition, parentType, nodes, name } = field;
  return {
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType,
    path: { prev: path, key: name, typename: parentType.name },
    schema: plan.schema,
    fragments: plan.fragments,
    rootValue: undefined,
    operation: plan.operation,
    variableValues: variables,
  };
}

/** An error in its place: null stands there and the error is told, or it goes on to the parent. */
export function fail(
  run: Run,
  field: FieldPlan,
  shape: Shape,
  path: Path | undefined,
  key: string | number,
  error: unknown,
): null {
  const own: Path = { prev: path, key, typename: undefined };
  const located = locatedError(error, field.nodes, toKeys(own));
  if (shape.isNonNull) throw located;
  addError(run, located, own);
  return null;
}

/** Only the first error at or above a place is told: the others' places are not in the answer any more. */
export function addError(run: Run, error: GraphQLError, path: Path | undefined): void {
  const nulled = (run.nulled ??= new Set());
  const keys = toKeys(path);
  for (let length = 0; length <= keys.length; length += 1) {
    if (nulled.has(keys.slice(0, length).join(' '))) return;
  }
  nulled.add(keys.join(' '));
  run.errors.push(error);
}

function toKeys(path: Path | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let step = path; step !== undefined; step = step.prev) keys.push(step.key);
  return keys.toReversed();
}

export function placeName({ parentType, definition }: FieldPlan): string {
  return `${parentType.name}.${definition.name}`;
}
