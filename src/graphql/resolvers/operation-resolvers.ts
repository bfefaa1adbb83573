import type { GraphQLResolveInfo } from 'graphql';
import type { WriteName } from '../../contract/operation-rows.ts';
import type { WriteResult } from '../../domain/records.ts';
import type { Write } from '../../upstream/operation.ts';
import type { Operations } from '../../upstream/operations.ts';
import type { Context } from '../context.ts';

/** A resolver with the name of the operation that it calls, from which its cost is estimated before it runs. */
export interface OperationResolver {
  readonly operation: keyof Operations;
}

/** The resolvers of a type whose fields all call the service: the compiler refuses one that names no operation. */
export type OperationResolvers<Resolvers> = {
  readonly [Field in keyof Resolvers]: NonNullable<Resolvers[Field]> & OperationResolver;
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
) {
  const resolver = (source: Source, args: Args, context: Context, info: GraphQLResolveInfo): Result =>
    resolve(source, args, context.forField?.(info) ?? context, context.operations[name], info);
  return Object.assign(resolver, { operation: name });
}

type InputOf<Name extends WriteName> = Parameters<Operations[Name]['prepare']>[0];
type RecordOf<Name extends WriteName> = Exclude<ReturnType<Operations[Name]['decode']>, Error>;

/** A mutation's resolver, which sends the operation of that name; `recordField` is the payload's field for the record. */
export function writeField<Name extends WriteName, Field extends string>(name: Name, recordField: Field) {
  const resolver = async (
    _: unknown,
    { input }: { readonly input: InputOf<Name> },
    { operations, send }: Context,
    info: GraphQLResolveInfo,
  ) => {
    const operation = operations[name] as unknown as Write<InputOf<Name>, RecordOf<Name>>; // by the definition of both
    const { record, userErrors } = await send(operation, input, info);
    return { [recordField]: record, userErrors } as {
      // A computed key widens to string; graphql-js reports an error in place of the record at that field.
      readonly [Key in Field]: RecordOf<Name>;
    } & Pick<WriteResult<unknown>, 'userErrors'>;
  };
  return Object.assign(resolver, { operation: name });
}

/** A `__resolveReference`, which gets the operation of that name. */
export function referenceResolver<Name extends keyof Operations, Reference, Result>(
  name: Name,
  resolve: (reference: Reference, context: Context, info: GraphQLResolveInfo, operation: Operations[Name]) => Result,
) {
  const resolver = (reference: Reference, context: Context, info: GraphQLResolveInfo): Result =>
    resolve(reference, context.forField?.(info) ?? context, info, context.operations[name]);
  return Object.assign(resolver, { operation: name });
}
