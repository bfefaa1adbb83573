import { defaultTypeResolver, GraphQLError, type GraphQLResolveInfo } from 'graphql';
import { isTooLong, placeError, recordError, toResult } from './error-placement.ts';
import type {
  AbstractPlan,
  Execution,
  ExecutionResult,
  FieldPlan,
  ObjectPlan,
  OperationPlan,
  Path,
  ValuePlan,
  Values,
} from './types.ts';

/** A response object, or a list by index, under construction. */
type Target = Record<string | number, unknown>;

/** Non-null values of one object that are still awaited. The object is complete when all of them are. */
type AwaitedValues = Promise<void>[] | undefined;

/** Quotes, colon and comma of a member, or a value that is no text. */
const lengthBeside = 10;

const ignore = (): void => {};

/**
 * Runs a planned query with the result that graphql-js would give. graphql-js makes a promise for every object that waits
 * for a value; here a nullable value that arrives late is written into its object, and only a non-null one holds its
 * object up.
 */
export function runPlan(
  plan: OperationPlan,
  args: readonly Values[],
  context: unknown,
  variables: Values,
): ExecutionResult | Promise<ExecutionResult> {
  const outcome = { errors: [], nulledPaths: undefined, length: 0, pending: 0, resolve: ignore, data: null };
  const execution: Execution = { plan, context, variables, args, ...outcome };
  let data: unknown = null;
  try {
    data = completeObject(execution, plan.root, undefined, undefined);
  } catch (error) {
    recordError(execution, error as GraphQLError, undefined); // fields throw located errors only
  }
  if (!isPromise(data)) return whenArrived(execution, data);
  return data.then(
    (value) => whenArrived(execution, value),
    (error: unknown) => {
      recordError(execution, error as GraphQLError, undefined); // as above
      return toResult(execution, null);
    },
  );
}

function whenArrived(execution: Execution, data: unknown): ExecutionResult | Promise<ExecutionResult> {
  if (execution.pending === 0 || isTooLong(execution)) return toResult(execution, data);
  execution.data = data;
  return new Promise((resolve) => {
    execution.resolve = resolve;
  });
}

/** Completes an object, or a promise of it where it waits for non-null values. */
function completeObject(execution: Execution, fields: ObjectPlan, source: unknown, path: Path | undefined): unknown {
  const target: Target = {};
  let awaited: AwaitedValues;
  try {
    for (const field of fields) {
      const { responseName, constant, value } = field;
      execution.length += responseName.length + lengthBeside + (constant?.length ?? 0);
      const completed = constant ?? resolveField(execution, field, source, path, target);
      target[responseName] = completed;
      if (value.isNonNull && isPromise(completed)) awaited = awaitInto(completed, responseName, target, awaited);
    }
  } catch (error) {
    return failAfter(awaited, error);
  }
  return awaited === undefined ? target : Promise.all(awaited).then(() => target);
}

function awaitInto(
  value: Promise<unknown>,
  key: string | number,
  target: Target,
  awaited: AwaitedValues,
): AwaitedValues {
  const written = value.then((completed) => void (target[key] = completed));
  if (awaited === undefined) return [written];
  awaited.push(written);
  return awaited;
}

/** Fails an object once its awaited values have settled, so that none of them rejects unnoticed. */
function failAfter(awaited: AwaitedValues, error: unknown): Promise<never> {
  if (awaited === undefined) throw error;
  return Promise.all(awaited).finally(() => {
    throw error;
  }) as Promise<never>; // it always throws
}

/** A field's completed value; a promise only where the field is non-null. Throws an error that its parent must take. */
function resolveField(
  execution: Execution,
  field: FieldPlan,
  source: unknown,
  path: Path | undefined,
  target: Target,
): unknown {
  const { value: plan, responseName } = field;
  let value: unknown;
  try {
    value = readValue(execution, field, source, path);
  } catch (error) {
    return placeError(execution, field, plan, path, responseName, error);
  }
  if (plan.isText && typeof value === 'string') {
    execution.length += value.length;
    return value;
  }
  return settle(execution, field, plan, path, responseName, target, value);
}

/** The resolver's result, or as in graphql-js the source's property, called where it is a method. */
function readValue(execution: Execution, field: FieldPlan, source: unknown, path: Path | undefined): unknown {
  const { resolve, property, argumentIndex } = field;
  const args = execution.args[argumentIndex] ?? {};
  if (resolve !== undefined) return resolve(source, args, execution.context, toInfo(execution, field, path));
  if (typeof source !== 'object' || source === null) return undefined;
  const value = (source as Readonly<Record<string, unknown>>)[property]; // an object of any kind
  if (typeof value !== 'function') return value;
  const method = value as (args: unknown, context: unknown, info: GraphQLResolveInfo) => unknown; // as graphql-js calls it
  return method.call(source, args, execution.context, toInfo(execution, field, path));
}

function toInfo({ plan, variables }: Execution, field: FieldPlan, path: Path | undefined): GraphQLResolveInfo {
  const { definition, parentType, nodes, responseName } = field;
  return {
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType,
    path: { prev: path, key: responseName, typename: parentType.name },
    schema: plan.schema,
    fragments: plan.fragments,
    rootValue: undefined,
    operation: plan.operation,
    variableValues: variables,
  };
}

/** Completes a value now, or when it arrives. Throws an error that the parent must take. */
function settle(
  execution: Execution,
  field: FieldPlan,
  plan: ValuePlan,
  path: Path | undefined,
  key: string | number,
  target: Target,
  value: unknown,
): unknown {
  if (isPromise(value)) return settleLater(execution, field, plan, path, key, target, value, false);
  try {
    const completed = complete(execution, field, plan, path, key, value);
    return isPromise(completed) ? settleLater(execution, field, plan, path, key, target, completed, true) : completed;
  } catch (error) {
    return placeError(execution, field, plan, path, key, error);
  }
}

/** Returns null and writes the value into its target when it arrives; returns the promise of a non-null value. */
function settleLater(
  execution: Execution,
  field: FieldPlan,
  plan: ValuePlan,
  path: Path | undefined,
  key: string | number,
  target: Target,
  value: Promise<unknown>,
  isCompleted: boolean,
): unknown {
  const onValue = (arrived: unknown): unknown =>
    isCompleted ? arrived : settle(execution, field, plan, path, key, target, arrived);
  const onError = (error: unknown): null => placeError(execution, field, plan, path, key, error);
  if (plan.isNonNull) return value.then(onValue, onError);
  execution.pending += 1;
  void value.then(
    (arrived) => writeLate(execution, target, key, onValue(arrived)),
    (error: unknown) => writeLate(execution, target, key, onError(error)),
  );
  return null;
}

function writeLate(execution: Execution, target: Target, key: string | number, completed: unknown): void {
  target[key] = completed;
  execution.pending -= 1;
  if (execution.pending === 0) execution.resolve(toResult(execution, execution.data));
}

function complete(
  execution: Execution,
  field: FieldPlan,
  plan: ValuePlan,
  parent: Path | undefined,
  key: string | number,
  value: unknown,
): unknown {
  if (value === null || value === undefined) {
    if (plan.isNonNull) throw new Error(`Cannot return null for non-nullable field ${coordinate(field)}.`);
    return null;
  }
  if (value instanceof Error) throw value;
  const { leaf, object, item, abstract } = plan;
  if (leaf !== undefined) return serialize(execution, leaf, value);
  const path: Path = { prev: parent, key, typename: typeof key === 'string' ? field.parentType.name : undefined };
  if (object !== undefined) return completeObject(execution, object, value, path);
  if (item !== undefined) return completeList(execution, field, item, path, value);
  return abstract === undefined ? null : completeAbstract(execution, field, abstract, path, value);
}

function serialize(execution: Execution, leaf: NonNullable<ValuePlan['leaf']>, value: unknown): unknown {
  const serialized = leaf.serialize(value);
  if (typeof serialized === 'string') execution.length += serialized.length;
  if (serialized !== undefined && serialized !== null) return serialized;
  throw new Error(`Expected a value of type "${leaf.name}".`);
}

function completeList(execution: Execution, field: FieldPlan, plan: ValuePlan, path: Path, value: unknown): unknown {
  if (!isIterable(value)) {
    throw new GraphQLError(`Expected Iterable, but did not find one for field "${coordinate(field)}".`);
  }
  const list: unknown[] = [];
  const target = list as unknown as Target; // by index
  let awaited: AwaitedValues;
  for (const item of value) {
    if (isTooLong(execution)) {
      // The request ends here: what is still awaited is not part of its answer.
      execution.resolve(toResult(execution, null));
      break;
    }
    const index = list.length;
    const completed = settle(execution, field, plan, path, index, target, item);
    list.push(completed);
    if (plan.isNonNull && isPromise(completed)) awaited = awaitInto(completed, index, target, awaited);
  }
  return awaited === undefined ? list : Promise.all(awaited).then(() => list);
}

function completeAbstract(
  execution: Execution,
  field: FieldPlan,
  { type, objects }: AbstractPlan,
  path: Path,
  value: unknown,
): unknown {
  const completeAs = (name: unknown): unknown => {
    const object = typeof name === 'string' ? objects.get(name) : undefined;
    if (object !== undefined) return completeObject(execution, object, value, path);
    throw new GraphQLError(`Abstract type "${type.name}" must resolve to one of its Object types.`);
  };
  const info = toInfo(execution, field, path.prev);
  const name = (type.resolveType ?? defaultTypeResolver)(value, execution.context, info, type);
  return isPromise(name) ? name.then(completeAs) : completeAs(name);
}

/** The schema coordinate `Type.field`. */
function coordinate({ parentType, definition }: FieldPlan): string {
  return `${parentType.name}.${definition.name}`;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Symbol.iterator in value);
}
