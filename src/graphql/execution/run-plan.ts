import { defaultTypeResolver, GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { Variables } from './coerce-input.ts';
import { compileObject } from './object-code.ts';
import { addError, fail, infoOf, placeName, toPath, type Path, type Run } from './error-placement.ts';
import type { AbstractPlan, FieldPlan, ObjectPlan, OperationPlan, Shape } from './plan-operation.ts';

type Target = Record<string | number, unknown>;

/** What a query came to: its data, and the errors of what is null in it. */
export interface Executed {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLError[];
}

const nothing = (): void => {};

/**
 * Runs a planned operation with the outcome that graphql-js would bring: the same data, the same errors. Where
 * graphql-js makes a promise of every object that waits for something, a value that comes late is put in its place
 * here; only one that may not be null holds up what it stands in.
 */
export function runPlan(
  plan: OperationPlan,
  args: Run['args'],
  context: unknown,
  variables: Variables,
): Executed | Promise<Executed> {
  const given = { plan, context, variables, args };
  const run: Run = { ...given, errors: [], nulled: undefined, pending: 0, resolve: nothing, data: null };
  let data: unknown = null;
  try {
    data = runObject(run, plan.root, undefined, undefined, '', undefined);
  } catch (error) {
    addError(run, error as GraphQLError, undefined); // fields throw located errors only
  }
  if (!isPromise(data)) return whenSettled(run, data);
  return data.then(
    (value) => whenSettled(run, value),
    (error: unknown) => {
      addError(run, error as GraphQLError, undefined); // as above
      return toResult(run, null);
    },
  );
}

function whenSettled(run: Run, data: unknown): Executed | Promise<Executed> {
  if (run.pending === 0) return toResult(run, data);
  run.data = data;
  return new Promise((resolve) => {
    run.resolve = resolve;
  });
}

function toResult({ errors }: Run, value: unknown): Executed {
  const data = value as Executed['data']; // the root is an object or null
  return errors.length === 0 ? { data } : { errors, data };
}

/** Makes an object of a source, or a promise of it. Its place is that under `key` in what `field` makes there. */
export type ObjectRunner = (
  run: Run,
  source: unknown,
  prev: Path | undefined,
  key: string | number,
  field: FieldPlan | undefined,
) => unknown;

/** What the code of an object leaves to the general way. */
export type Steps = typeof steps;
const steps = { toPath, runField, settleValue, isPromise, put, finish, giveUp };

function runObject(
  run: Run,
  object: ObjectPlan,
  source: unknown,
  prev: Path | undefined,
  key: string | number,
  field: FieldPlan | undefined,
): unknown {
  if (object.code !== undefined) return object.code(run, source, prev, key, field);
  object.usesBeforeCode -= 1;
  if (object.usesBeforeCode === 0) object.code = compileObject(object, steps);
  const path = toPath(prev, key, field);
  const target: Target = {};
  let waiting: Waiting;
  try {
    for (const own of object.fields) {
      if (own.constant === undefined) waiting = settle(run, own, source, path, target, waiting);
      else target[own.name] = own.constant;
    }
  } catch (error) {
    return giveUp(waiting, error);
  }
  return waiting === undefined ? target : finish(waiting, target);
}

/** What must be there before an object is: its values that may not be null. */
type Waiting = Promise<void>[] | undefined;

/** Puts a field's value in its place. Throws where its error has to make the object null. */
function settle(
  run: Run,
  field: FieldPlan,
  source: unknown,
  path: Path | undefined,
  target: Target,
  waiting: Waiting,
): Waiting {
  const { name, shape } = field;
  const completed = runField(run, field, source, path, target);
  target[name] = completed;
  return shape.isNonNull && isPromise(completed) ? put(completed, name, target, waiting) : waiting;
}

/** Puts a value that its object has to wait for in its place when it is there. */
function put(value: Promise<unknown>, key: string | number, target: Target, waiting: Waiting): Waiting {
  const placed = value.then((settled) => void (target[key] = settled));
  if (waiting === undefined) return [placed];
  waiting.push(placed);
  return waiting;
}

function finish(waiting: readonly Promise<void>[], target: Target): Promise<Target> {
  return Promise.all(waiting).then(() => target);
}

function giveUp(waiting: Waiting, error: unknown): Promise<never> {
  if (waiting === undefined) throw error;
  return Promise.all(waiting).finally(() => {
    throw error;
  }) as Promise<never>; // it always throws
}

/** A field's value, or a promise of one that may not be null. Throws where its error has to make its parent null. */
function runField(run: Run, field: FieldPlan, source: unknown, path: Path | undefined, target: Target): unknown {
  const { shape, resolve, name } = field;
  let value: unknown;
  try {
    value = resolve === undefined ? readProperty(run, field, source, path) : callResolver(run, field, source, path);
  } catch (error) {
    return fail(run, field, shape, path, name, error);
  }
  return typeof value === 'string' && shape.isText ? value : settleValue(run, field, shape, path, name, target, value);
}

/** What a resolver does not take is not made. */
function callResolver(run: Run, field: FieldPlan, source: unknown, path: Path | undefined): unknown {
  const { resolve, takesInfo, slot } = field;
  const info = takesInfo ? infoOf(run, field, path) : (undefined as unknown as GraphQLResolveInfo); // not looked at
  return resolve?.(source, run.args[slot] ?? {}, run.context, info);
}

/** As graphql-js reads a field without a resolver: a property, or what comes of it where it is a method. */
function readProperty(run: Run, field: FieldPlan, source: unknown, path: Path | undefined): unknown {
  if (typeof source !== 'object' || source === null) return undefined;
  const value = (source as Readonly<Record<string, unknown>>)[field.key]; // an object, of whatever kind
  if (typeof value !== 'function') return value;
  const method = value as (args: unknown, context: unknown, info: GraphQLResolveInfo) => unknown; // as graphql-js calls it
  return method.call(source, run.args[field.slot], run.context, infoOf(run, field, path));
}

/** A completed value, now or later. Throws where its error has to make what it stands in null. */
function settleValue(
  run: Run,
  field: FieldPlan,
  shape: Shape,
  path: Path | undefined,
  key: string | number,
  target: Target,
  value: unknown,
): unknown {
  if (isPromise(value)) return settleLater(run, field, shape, path, key, target, value, false);
  try {
    const completed = complete(run, field, shape, path, key, value);
    return isPromise(completed) ? settleLater(run, field, shape, path, key, target, completed, true) : completed;
  } catch (error) {
    return fail(run, field, shape, path, key, error);
  }
}

/** Puts a value in its place once it is there; of one that may not be null, the promise itself. */
function settleLater(
  run: Run,
  field: FieldPlan,
  shape: Shape,
  path: Path | undefined,
  key: string | number,
  target: Target,
  value: Promise<unknown>,
  isCompleted: boolean,
): unknown {
  if (shape.isNonNull) {
    return value.then(
      (resolved) => (isCompleted ? resolved : settleValue(run, field, shape, path, key, target, resolved)),
      (error: unknown) => fail(run, field, shape, path, key, error),
    );
  }
  run.pending += 1;
  void value.then(
    (resolved) =>
      arrive(run, target, key, isCompleted ? resolved : settleValue(run, field, shape, path, key, target, resolved)),
    (error: unknown) => arrive(run, target, key, fail(run, field, shape, path, key, error)),
  );
  return null;
}

function arrive(run: Run, target: Target, key: string | number, settled: unknown): void {
  target[key] = settled;
  run.pending -= 1;
  if (run.pending === 0) run.resolve(toResult(run, run.data));
}

function complete(
  run: Run,
  field: FieldPlan,
  shape: Shape,
  path: Path | undefined,
  key: string | number,
  value: unknown,
): unknown {
  if (value === null || value === undefined) {
    if (shape.isNonNull) throw new Error(`Cannot return null for non-nullable field ${placeName(field)}.`);
    return null;
  }
  if (value instanceof Error) throw value;
  const { leaf, object, item, abstract } = shape;
  if (leaf !== undefined) return serialize(leaf, value);
  if (object !== undefined) return runObject(run, object, value, path, key, field);
  if (item !== undefined) return completeList(run, field, item, toPath(path, key, field), value);
  return abstract === undefined ? null : completeAbstract(run, field, abstract, path, key, value);
}

function serialize(leaf: NonNullable<Shape['leaf']>, value: unknown): unknown {
  const serialized = leaf.serialize(value);
  if (serialized !== undefined && serialized !== null) return serialized;
  throw new Error(`Expected a value of type "${leaf.name}".`);
}

function completeList(run: Run, field: FieldPlan, shape: Shape, path: Path | undefined, value: unknown): unknown {
  if (!isIterable(value)) {
    throw new GraphQLError(`Expected Iterable, but did not find one for field "${placeName(field)}".`);
  }
  const target: unknown[] = [];
  const into = target as unknown as Target; // by index
  let waiting: Waiting;
  for (const item of value) {
    const index = target.length;
    target.push(null);
    const completed = settleValue(run, field, shape, path, index, into, item);
    target[index] = completed;
    if (shape.isNonNull && isPromise(completed)) waiting = put(completed, index, into, waiting);
  }
  return waiting === undefined ? target : finish(waiting, into);
}

function completeAbstract(
  run: Run,
  field: FieldPlan,
  abstract: AbstractPlan,
  path: Path | undefined,
  key: string | number,
  value: unknown,
): unknown {
  const runAs = (name: unknown): unknown => {
    const object = typeof name === 'string' ? abstract.objects.get(name) : undefined;
    if (object !== undefined) return runObject(run, object, value, path, key, field);
    throw new GraphQLError(`Abstract type "${abstract.type.name}" must resolve to one of its Object types.`);
  };
  const info = infoOf(run, field, path);
  const name = (abstract.type.resolveType ?? defaultTypeResolver)(value, run.context, info, abstract.type);
  return isPromise(name) ? name.then(runAs) : runAs(name);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Symbol.iterator in value);
}
