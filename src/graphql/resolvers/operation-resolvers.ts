import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import type { Operations } from '../../upstream/operations.ts';

/** A resolver that carries the name of the one operation it calls, so that its cost is known before it runs. */
export interface Calls {
  readonly operation: keyof Operations;
}

/** Resolvers of a type of which each field makes a call: the compiler refuses one that does not say which. */
export type Calling<Resolvers> = {
  readonly [Field in keyof Resolvers]: Extract<Resolvers[Field], (...args: never[]) => unknown> & Calls;
};

/** A field's resolver, handed the operation that it names. */
export function calls<Name extends keyof Operations, Source, Args, Result>(
  name: Name,
  resolve: (source: Source, args: Args, context: Context, operation: Operations[Name]) => Result,
): ((source: Source, args: Args, context: Context) => Result) & Calls {
  const resolver = (source: Source, args: Args, context: Context): Result =>
    resolve(source, args, context, context.operations[name]);
  return Object.assign(resolver, { operation: name });
}

/** The same for a mutation's field, which tells what it sends of which field it is. */
export function sends<Name extends keyof Operations, Args, Result>(
  name: Name,
  resolve: (args: Args, context: Context, info: GraphQLResolveInfo, operation: Operations[Name]) => Result,
): ((source: unknown, args: Args, context: Context, info: GraphQLResolveInfo) => Result) & Calls {
  const resolver = (_: unknown, args: Args, context: Context, info: GraphQLResolveInfo): Result =>
    resolve(args, context, info, context.operations[name]);
  return Object.assign(resolver, { operation: name });
}

/** The same for the references to a type. */
export function refers<Name extends keyof Operations, Reference, Result>(
  name: Name,
  resolve: (reference: Reference, context: Context, info: GraphQLResolveInfo, operation: Operations[Name]) => Result,
): ((reference: Reference, context: Context, info: GraphQLResolveInfo) => Result) & Calls {
  const resolver = (reference: Reference, context: Context, info: GraphQLResolveInfo): Result =>
    resolve(reference, context, info, context.operations[name]);
  return Object.assign(resolver, { operation: name });
}
