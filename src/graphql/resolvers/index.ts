import type { GraphQLScalarType } from 'graphql';
import type { Resolvers, ResolversParentTypes } from '../schema.generated.ts';
import { connectionResolvers } from './Connection.ts';
import { Customer } from './Customer.ts';
import { Mutation } from './Mutation.ts';
import { Query } from './Query.ts';
import { CurrencyCode, Date, DateTime, Decimal } from './scalars.ts';
import { SettlementBank } from './SettlementBank.ts';

export const resolvers = {
  CurrencyCode,
  Customer,
  CustomerConnection: connectionResolvers,
  CustomerTransactionConnection: connectionResolvers,
  Date,
  DateTime,
  Decimal,
  Mutation,
  Query,
  SettlementBank,
  SettlementBankConnection: connectionResolvers,
  VirtualAccountConnection: connectionResolvers,
} satisfies Resolvers;

type ResolvedKeys<Type> = Type extends keyof typeof resolvers ? keyof (typeof resolvers)[Type] : never;

/**
 * The names `Type.field` of fields that have neither a resolver nor a property of that name in the domain value. An entity's
 * `__resolveReference` is among them.
 */
type UnresolvedField = {
  readonly [Type in Extract<keyof Resolvers, keyof ResolversParentTypes>]: Exclude<
    keyof Exclude<NonNullable<Resolvers[Type]>, GraphQLScalarType>,
    keyof ResolversParentTypes[Type] | ResolvedKeys<Type>
  > extends infer Field extends string
    ? `${Type}.${Field}`
    : never;
}[Extract<keyof Resolvers, keyof ResolversParentTypes>];

/** Does not compile while a field of the schema has no source for its value; the error names each such field. */
({}) satisfies Readonly<Record<UnresolvedField, never>>;
