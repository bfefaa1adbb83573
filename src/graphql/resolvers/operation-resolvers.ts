import type { GraphQLResolveInfo } from 'graphql';
import type { Operations } from '../../upstream/operations.ts';
import type { Context } from '../context.ts';

/** A resolver with the name of the operation that it calls, from which its cost is estimated before it runs. */
export interface OperationResolver {
  readonly operation: keyof Operations;
}

/** The resolvers of a type whose fields all call the service: the compiler refuses one that names no operation. */
export type OperationResolvers<Resolvers> = {
  readonly [Field in keyof Resolvers]: Extract<Resolvers[Field], (...args: never[]) => unknown> & OperationResolver;
};

/** A field's resolver, which gets the operation of that name. */
export function readField<Name extends keyof Operations, Source, Args, Result>(
  name: Name,
  resolve: (
    source: Source,
    args: Args,
    context: Context,
    operation: Operations[Name],
    info: GraphQLResolveInfo,
  ) => Result,
): ((source: Source, args: Args, context: Context, info: GraphQLResolveInfo) => Result) & OperationResolver {
  const resolver = (source: Source, args: Args, context: Context, info: GraphQLResolveInfo): Result =>
    resolve(source, args, context.forField?.(info) ?? context, context.operations[name], info);
  return Object.assign(resolver, { operation: name });
}

/** A mutation's resolver, which gets the operation of that name. */
export function writeField<Name extends keyof Operations, Args, Result>(
  name: Name,
  resolve: (args: Args, context: Context, info: GraphQLResolveInfo, operation: Operations[Name]) => Result,
): ((source: unknown, args: Args, context: Context, info: GraphQLResolveInfo) => Result) & OperationResolver {
  const resolver = (_: unknown, args: Args, context: Context, info: GraphQLResolveInfo): Result =>
    resolve(args, context, info, context.operations[name]);
  return Object.assign(resolver, { operation: name });
}

/** A `__resolveReference`, which gets the operation of that name. */
export function referenceResolver<Name extends keyof Operations, Reference, Result>(
  name: Name,
  resolve: (reference: Reference, context: Context, info: GraphQLResolveInfo, operation: Operations[Name]) => Result,
): ((reference: Reference, context: Context, info: GraphQLResolveInfo) => Result) & OperationResolver {
  const resolver = (reference: Reference, context: Context, info: GraphQLResolveInfo): Result =>
    resolve(reference, context.forField?.(info) ?? context, info, context.operations[name]);
  return Object.assign(resolver, { operation: name });
}
