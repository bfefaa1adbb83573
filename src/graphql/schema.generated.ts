import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Balance as BalanceValue, Customer as CustomerValue, CustomerTransaction as CustomerTransactionValue, OneTimeAccount as OneTimeAccountValue, SettlementBank as SettlementBankValue, VirtualAccount as VirtualAccountValue } from '../contract/records.ts';
import type { UserError, Connection, Money as MoneyValue } from '../domain/records.ts';
import type { Context } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  CurrencyCode: { input: string; output: string; }
  Date: { input: string; output: string; }
  DateTime: { input: string; output: string; }
  Decimal: { input: string; output: string; }
  _FieldSet: { input: string; output: string; }
};

export type Balance = {
  readonly available: Maybe<Money>;
  readonly ledger: Maybe<Money>;
  readonly value: Money;
};

export type BankingUserError = {
  readonly code: BankingUserErrorCode;
  readonly field: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  readonly message: Scalars['String']['output'];
};

export type BankingUserErrorCode =
  | 'ALREADY_EXISTS'
  | 'INVALID'
  | 'REJECTED';

export type CreateCustomerInput = {
  readonly bvn?: InputMaybe<Scalars['String']['input']>;
  readonly collectionWalletId?: InputMaybe<Scalars['ID']['input']>;
  readonly dateOfBirth?: InputMaybe<Scalars['String']['input']>;
  readonly email?: InputMaybe<Scalars['String']['input']>;
  readonly firstName?: InputMaybe<Scalars['String']['input']>;
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  readonly lastName?: InputMaybe<Scalars['String']['input']>;
  readonly nin?: InputMaybe<Scalars['String']['input']>;
  readonly phone?: InputMaybe<Scalars['String']['input']>;
  readonly reference?: InputMaybe<Scalars['String']['input']>;
  readonly type?: InputMaybe<Scalars['String']['input']>;
};

export type CreateCustomerPayload = {
  readonly customer: Maybe<Customer>;
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

export type CreateOneTimeAccountInput = {
  readonly amount?: InputMaybe<Scalars['Decimal']['input']>;
  readonly customerId: Scalars['ID']['input'];
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

export type CreateOneTimeAccountPayload = {
  readonly oneTimeAccount: Maybe<OneTimeAccount>;
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

export type CreateSettlementBankInput = {
  readonly accountName?: InputMaybe<Scalars['String']['input']>;
  readonly accountNumber?: InputMaybe<Scalars['String']['input']>;
  readonly bankCode?: InputMaybe<Scalars['String']['input']>;
  readonly bankSlug?: InputMaybe<Scalars['String']['input']>;
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

export type CreateSettlementBankPayload = {
  readonly settlementBank: Maybe<SettlementBank>;
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

export type CreateVirtualAccountInput = {
  readonly customerId: Scalars['ID']['input'];
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

export type CreateVirtualAccountPayload = {
  readonly userErrors: ReadonlyArray<BankingUserError>;
  readonly virtualAccount: Maybe<VirtualAccount>;
};

export type Customer = {
  readonly balance: Maybe<Balance>;
  readonly collectionWalletId: Maybe<Scalars['ID']['output']>;
  readonly createdAt: Maybe<Scalars['DateTime']['output']>;
  readonly dateOfBirth: Maybe<Scalars['Date']['output']>;
  readonly email: Maybe<Scalars['String']['output']>;
  readonly firstName: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly lastName: Maybe<Scalars['String']['output']>;
  readonly phone: Maybe<Scalars['String']['output']>;
  readonly reference: Maybe<Scalars['String']['output']>;
  readonly status: Maybe<Scalars['String']['output']>;
  readonly transactions: Maybe<CustomerTransactionConnection>;
  readonly type: Maybe<Scalars['String']['output']>;
  readonly updatedAt: Maybe<Scalars['DateTime']['output']>;
  readonly virtualAccounts: Maybe<VirtualAccountConnection>;
};


export type CustomerTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  createdFrom?: InputMaybe<Scalars['DateTime']['input']>;
  direction?: InputMaybe<TransactionDirection>;
  first?: InputMaybe<Scalars['Int']['input']>;
  reference?: InputMaybe<Scalars['String']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
  status?: InputMaybe<Scalars['String']['input']>;
  type?: InputMaybe<Scalars['String']['input']>;
};


export type CustomerVirtualAccountsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type CustomerConnection = {
  readonly edges: ReadonlyArray<CustomerEdge>;
  readonly nodes: ReadonlyArray<Maybe<Customer>>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

export type CustomerEdge = {
  readonly cursor: Scalars['String']['output'];
  readonly node: Maybe<Customer>;
};

export type CustomerTransaction = {
  readonly amount: Money;
  readonly createdAt: Maybe<Scalars['DateTime']['output']>;
  readonly direction: TransactionDirection;
  readonly id: Scalars['ID']['output'];
  readonly narration: Maybe<Scalars['String']['output']>;
  readonly reference: Maybe<Scalars['String']['output']>;
  readonly status: Maybe<Scalars['String']['output']>;
  readonly type: Maybe<Scalars['String']['output']>;
};

export type CustomerTransactionConnection = {
  readonly edges: ReadonlyArray<CustomerTransactionEdge>;
  readonly nodes: ReadonlyArray<Maybe<CustomerTransaction>>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

export type CustomerTransactionEdge = {
  readonly cursor: Scalars['String']['output'];
  readonly node: Maybe<CustomerTransaction>;
};

export type Money = {
  readonly amount: Scalars['Decimal']['output'];
  readonly currency: Scalars['CurrencyCode']['output'];
};

export type Mutation = {
  readonly createCustomer: Maybe<CreateCustomerPayload>;
  readonly createOneTimeAccount: Maybe<CreateOneTimeAccountPayload>;
  readonly createSettlementBank: Maybe<CreateSettlementBankPayload>;
  readonly createVirtualAccount: Maybe<CreateVirtualAccountPayload>;
  readonly updateCustomer: Maybe<UpdateCustomerPayload>;
  readonly updateSettlementBank: Maybe<UpdateSettlementBankPayload>;
};


export type MutationCreateCustomerArgs = {
  input: CreateCustomerInput;
};


export type MutationCreateOneTimeAccountArgs = {
  input: CreateOneTimeAccountInput;
};


export type MutationCreateSettlementBankArgs = {
  input: CreateSettlementBankInput;
};


export type MutationCreateVirtualAccountArgs = {
  input: CreateVirtualAccountInput;
};


export type MutationUpdateCustomerArgs = {
  input: UpdateCustomerInput;
};


export type MutationUpdateSettlementBankArgs = {
  input: UpdateSettlementBankInput;
};

export type OneTimeAccount = {
  readonly accountName: Maybe<Scalars['String']['output']>;
  readonly accountNumber: Maybe<Scalars['String']['output']>;
  readonly amount: Maybe<Money>;
  readonly bankCode: Maybe<Scalars['String']['output']>;
  readonly bankName: Maybe<Scalars['String']['output']>;
  readonly createdAt: Maybe<Scalars['DateTime']['output']>;
  readonly expiresAt: Maybe<Scalars['DateTime']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly status: Maybe<Scalars['String']['output']>;
};

export type PageInfo = {
  readonly endCursor: Maybe<Scalars['String']['output']>;
  readonly hasNextPage: Scalars['Boolean']['output'];
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  readonly startCursor: Maybe<Scalars['String']['output']>;
};

export type Query = {
  readonly customer: Maybe<Customer>;
  readonly customers: Maybe<CustomerConnection>;
  readonly settlementBank: Maybe<SettlementBank>;
  readonly settlementBanks: Maybe<SettlementBankConnection>;
};


export type QueryCustomerArgs = {
  id: Scalars['ID']['input'];
};


export type QueryCustomersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};


export type QuerySettlementBankArgs = {
  id: Scalars['ID']['input'];
};


export type QuerySettlementBanksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};

export type SettlementBank = {
  readonly accountName: Maybe<Scalars['String']['output']>;
  readonly accountNumber: Maybe<Scalars['String']['output']>;
  readonly bankCode: Maybe<Scalars['String']['output']>;
  readonly bankSlug: Maybe<Scalars['String']['output']>;
  readonly createdAt: Maybe<Scalars['DateTime']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name: Maybe<Scalars['String']['output']>;
  readonly updatedAt: Maybe<Scalars['DateTime']['output']>;
};

export type SettlementBankConnection = {
  readonly edges: ReadonlyArray<SettlementBankEdge>;
  readonly nodes: ReadonlyArray<Maybe<SettlementBank>>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

export type SettlementBankEdge = {
  readonly cursor: Scalars['String']['output'];
  readonly node: Maybe<SettlementBank>;
};

export type TransactionDirection =
  | 'CREDIT'
  | 'DEBIT'
  | 'UNKNOWN';

export type UpdateCustomerInput = {
  readonly bvn?: InputMaybe<Scalars['String']['input']>;
  readonly collectionWalletId?: InputMaybe<Scalars['ID']['input']>;
  readonly dateOfBirth?: InputMaybe<Scalars['String']['input']>;
  readonly email?: InputMaybe<Scalars['String']['input']>;
  readonly firstName?: InputMaybe<Scalars['String']['input']>;
  readonly id: Scalars['ID']['input'];
  readonly lastName?: InputMaybe<Scalars['String']['input']>;
  readonly nin?: InputMaybe<Scalars['String']['input']>;
  readonly phone?: InputMaybe<Scalars['String']['input']>;
  readonly reference?: InputMaybe<Scalars['String']['input']>;
  readonly type?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateCustomerPayload = {
  readonly customer: Maybe<Customer>;
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

export type UpdateSettlementBankInput = {
  readonly accountName?: InputMaybe<Scalars['String']['input']>;
  readonly accountNumber?: InputMaybe<Scalars['String']['input']>;
  readonly bankCode?: InputMaybe<Scalars['String']['input']>;
  readonly bankSlug?: InputMaybe<Scalars['String']['input']>;
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateSettlementBankPayload = {
  readonly settlementBank: Maybe<SettlementBank>;
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

export type VirtualAccount = {
  readonly accountName: Maybe<Scalars['String']['output']>;
  readonly accountNumber: Maybe<Scalars['String']['output']>;
  readonly bankCode: Maybe<Scalars['String']['output']>;
  readonly bankName: Maybe<Scalars['String']['output']>;
  readonly createdAt: Maybe<Scalars['DateTime']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly status: Maybe<Scalars['String']['output']>;
};

export type VirtualAccountConnection = {
  readonly edges: ReadonlyArray<VirtualAccountEdge>;
  readonly nodes: ReadonlyArray<Maybe<VirtualAccount>>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

export type VirtualAccountEdge = {
  readonly cursor: Scalars['String']['output'];
  readonly node: Maybe<VirtualAccount>;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ReferenceResolver<TResult, TReference, TContext> = (
      reference: TReference,
      context: TContext,
      info: GraphQLResolveInfo
    ) => Promise<TResult> | TResult;

      type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;
      type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;
      type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;
      export type GraphQLRecursivePick<T, S> = { [K in keyof T & keyof S]: ScalarCheck<T[K], S[K]> };
    
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

/** Mapping of federation types */
export type FederationTypes = {
  Customer: Customer;
  SettlementBank: SettlementBank;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Customer:
    ( { __typename: 'Customer' }
    & GraphQLRecursivePick<FederationTypes['Customer'], {"id":true}> );
  SettlementBank:
    ( { __typename: 'SettlementBank' }
    & GraphQLRecursivePick<FederationTypes['SettlementBank'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Balance: ResolverTypeWrapper<BalanceValue>;
  BankingUserError: ResolverTypeWrapper<UserError>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  BankingUserErrorCode: BankingUserErrorCode;
  CreateCustomerInput: CreateCustomerInput;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  CreateCustomerPayload: ResolverTypeWrapper<Omit<CreateCustomerPayload, 'customer' | 'userErrors'> & { customer?: Maybe<ResolversTypes['Customer']>, userErrors: ReadonlyArray<ResolversTypes['BankingUserError']> }>;
  CreateOneTimeAccountInput: CreateOneTimeAccountInput;
  CreateOneTimeAccountPayload: ResolverTypeWrapper<Omit<CreateOneTimeAccountPayload, 'oneTimeAccount' | 'userErrors'> & { oneTimeAccount?: Maybe<ResolversTypes['OneTimeAccount']>, userErrors: ReadonlyArray<ResolversTypes['BankingUserError']> }>;
  CreateSettlementBankInput: CreateSettlementBankInput;
  CreateSettlementBankPayload: ResolverTypeWrapper<Omit<CreateSettlementBankPayload, 'settlementBank' | 'userErrors'> & { settlementBank?: Maybe<ResolversTypes['SettlementBank']>, userErrors: ReadonlyArray<ResolversTypes['BankingUserError']> }>;
  CreateVirtualAccountInput: CreateVirtualAccountInput;
  CreateVirtualAccountPayload: ResolverTypeWrapper<Omit<CreateVirtualAccountPayload, 'userErrors' | 'virtualAccount'> & { userErrors: ReadonlyArray<ResolversTypes['BankingUserError']>, virtualAccount?: Maybe<ResolversTypes['VirtualAccount']> }>;
  CurrencyCode: ResolverTypeWrapper<Scalars['CurrencyCode']['output']>;
  Customer: ResolverTypeWrapper<CustomerValue>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  CustomerConnection: ResolverTypeWrapper<Connection<CustomerValue>>;
  CustomerEdge: ResolverTypeWrapper<Omit<CustomerEdge, 'node'> & { node?: Maybe<ResolversTypes['Customer']> }>;
  CustomerTransaction: ResolverTypeWrapper<CustomerTransactionValue>;
  CustomerTransactionConnection: ResolverTypeWrapper<Connection<CustomerTransactionValue>>;
  CustomerTransactionEdge: ResolverTypeWrapper<Omit<CustomerTransactionEdge, 'node'> & { node?: Maybe<ResolversTypes['CustomerTransaction']> }>;
  Date: ResolverTypeWrapper<Scalars['Date']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  Money: ResolverTypeWrapper<MoneyValue>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  OneTimeAccount: ResolverTypeWrapper<OneTimeAccountValue>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SettlementBank: ResolverTypeWrapper<SettlementBankValue>;
  SettlementBankConnection: ResolverTypeWrapper<Connection<SettlementBankValue>>;
  SettlementBankEdge: ResolverTypeWrapper<Omit<SettlementBankEdge, 'node'> & { node?: Maybe<ResolversTypes['SettlementBank']> }>;
  TransactionDirection: TransactionDirection;
  UpdateCustomerInput: UpdateCustomerInput;
  UpdateCustomerPayload: ResolverTypeWrapper<Omit<UpdateCustomerPayload, 'customer' | 'userErrors'> & { customer?: Maybe<ResolversTypes['Customer']>, userErrors: ReadonlyArray<ResolversTypes['BankingUserError']> }>;
  UpdateSettlementBankInput: UpdateSettlementBankInput;
  UpdateSettlementBankPayload: ResolverTypeWrapper<Omit<UpdateSettlementBankPayload, 'settlementBank' | 'userErrors'> & { settlementBank?: Maybe<ResolversTypes['SettlementBank']>, userErrors: ReadonlyArray<ResolversTypes['BankingUserError']> }>;
  VirtualAccount: ResolverTypeWrapper<VirtualAccountValue>;
  VirtualAccountConnection: ResolverTypeWrapper<Connection<VirtualAccountValue>>;
  VirtualAccountEdge: ResolverTypeWrapper<Omit<VirtualAccountEdge, 'node'> & { node?: Maybe<ResolversTypes['VirtualAccount']> }>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Balance: BalanceValue;
  BankingUserError: UserError;
  String: Scalars['String']['output'];
  CreateCustomerInput: CreateCustomerInput;
  ID: Scalars['ID']['output'];
  CreateCustomerPayload: Omit<CreateCustomerPayload, 'customer' | 'userErrors'> & { customer?: Maybe<ResolversParentTypes['Customer']>, userErrors: ReadonlyArray<ResolversParentTypes['BankingUserError']> };
  CreateOneTimeAccountInput: CreateOneTimeAccountInput;
  CreateOneTimeAccountPayload: Omit<CreateOneTimeAccountPayload, 'oneTimeAccount' | 'userErrors'> & { oneTimeAccount?: Maybe<ResolversParentTypes['OneTimeAccount']>, userErrors: ReadonlyArray<ResolversParentTypes['BankingUserError']> };
  CreateSettlementBankInput: CreateSettlementBankInput;
  CreateSettlementBankPayload: Omit<CreateSettlementBankPayload, 'settlementBank' | 'userErrors'> & { settlementBank?: Maybe<ResolversParentTypes['SettlementBank']>, userErrors: ReadonlyArray<ResolversParentTypes['BankingUserError']> };
  CreateVirtualAccountInput: CreateVirtualAccountInput;
  CreateVirtualAccountPayload: Omit<CreateVirtualAccountPayload, 'userErrors' | 'virtualAccount'> & { userErrors: ReadonlyArray<ResolversParentTypes['BankingUserError']>, virtualAccount?: Maybe<ResolversParentTypes['VirtualAccount']> };
  CurrencyCode: Scalars['CurrencyCode']['output'];
  Customer: CustomerValue;
  Int: Scalars['Int']['output'];
  CustomerConnection: Connection<CustomerValue>;
  CustomerEdge: Omit<CustomerEdge, 'node'> & { node?: Maybe<ResolversParentTypes['Customer']> };
  CustomerTransaction: CustomerTransactionValue;
  CustomerTransactionConnection: Connection<CustomerTransactionValue>;
  CustomerTransactionEdge: Omit<CustomerTransactionEdge, 'node'> & { node?: Maybe<ResolversParentTypes['CustomerTransaction']> };
  Date: Scalars['Date']['output'];
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  Money: MoneyValue;
  Mutation: Record<PropertyKey, never>;
  OneTimeAccount: OneTimeAccountValue;
  PageInfo: PageInfo;
  Boolean: Scalars['Boolean']['output'];
  Query: Record<PropertyKey, never>;
  SettlementBank: SettlementBankValue;
  SettlementBankConnection: Connection<SettlementBankValue>;
  SettlementBankEdge: Omit<SettlementBankEdge, 'node'> & { node?: Maybe<ResolversParentTypes['SettlementBank']> };
  UpdateCustomerInput: UpdateCustomerInput;
  UpdateCustomerPayload: Omit<UpdateCustomerPayload, 'customer' | 'userErrors'> & { customer?: Maybe<ResolversParentTypes['Customer']>, userErrors: ReadonlyArray<ResolversParentTypes['BankingUserError']> };
  UpdateSettlementBankInput: UpdateSettlementBankInput;
  UpdateSettlementBankPayload: Omit<UpdateSettlementBankPayload, 'settlementBank' | 'userErrors'> & { settlementBank?: Maybe<ResolversParentTypes['SettlementBank']>, userErrors: ReadonlyArray<ResolversParentTypes['BankingUserError']> };
  VirtualAccount: VirtualAccountValue;
  VirtualAccountConnection: Connection<VirtualAccountValue>;
  VirtualAccountEdge: Omit<VirtualAccountEdge, 'node'> & { node?: Maybe<ResolversParentTypes['VirtualAccount']> };
};

export type BalanceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Balance'] = ResolversParentTypes['Balance']> = {
  available?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  ledger?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type BankingUserErrorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BankingUserError'] = ResolversParentTypes['BankingUserError']> = {
  code?: Resolver<ResolversTypes['BankingUserErrorCode'], ParentType, ContextType>;
  field?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreateCustomerPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreateCustomerPayload'] = ResolversParentTypes['CreateCustomerPayload']> = {
  customer?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['BankingUserError']>, ParentType, ContextType>;
};

export type CreateOneTimeAccountPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreateOneTimeAccountPayload'] = ResolversParentTypes['CreateOneTimeAccountPayload']> = {
  oneTimeAccount?: Resolver<Maybe<ResolversTypes['OneTimeAccount']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['BankingUserError']>, ParentType, ContextType>;
};

export type CreateSettlementBankPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreateSettlementBankPayload'] = ResolversParentTypes['CreateSettlementBankPayload']> = {
  settlementBank?: Resolver<Maybe<ResolversTypes['SettlementBank']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['BankingUserError']>, ParentType, ContextType>;
};

export type CreateVirtualAccountPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreateVirtualAccountPayload'] = ResolversParentTypes['CreateVirtualAccountPayload']> = {
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['BankingUserError']>, ParentType, ContextType>;
  virtualAccount?: Resolver<Maybe<ResolversTypes['VirtualAccount']>, ParentType, ContextType>;
};

export interface CurrencyCodeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['CurrencyCode'], any> {
  name: 'CurrencyCode';
}

export type CustomerResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Customer'] = ResolversParentTypes['Customer'], FederationReferenceType extends FederationReferenceTypes['Customer'] = FederationReferenceTypes['Customer']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Customer']> | FederationReferenceType, FederationReferenceType, ContextType>;
  balance?: Resolver<Maybe<ResolversTypes['Balance']>, ParentType, ContextType>;
  collectionWalletId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  dateOfBirth?: Resolver<Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  firstName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reference?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  transactions?: Resolver<Maybe<ResolversTypes['CustomerTransactionConnection']>, ParentType, ContextType, RequireFields<CustomerTransactionsArgs, 'first'>>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  virtualAccounts?: Resolver<Maybe<ResolversTypes['VirtualAccountConnection']>, ParentType, ContextType, RequireFields<CustomerVirtualAccountsArgs, 'first'>>;
};

export type CustomerConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerConnection'] = ResolversParentTypes['CustomerConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['CustomerEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Customer']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CustomerEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerEdge'] = ResolversParentTypes['CustomerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType>;
};

export type CustomerTransactionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerTransaction'] = ResolversParentTypes['CustomerTransaction']> = {
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['TransactionDirection'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  narration?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reference?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CustomerTransactionConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerTransactionConnection'] = ResolversParentTypes['CustomerTransactionConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['CustomerTransactionEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['CustomerTransaction']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CustomerTransactionEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerTransactionEdge'] = ResolversParentTypes['CustomerTransactionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['CustomerTransaction']>, ParentType, ContextType>;
};

export interface DateScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Date'], any> {
  name: 'Date';
}

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export type MoneyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['CurrencyCode'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createCustomer?: Resolver<Maybe<ResolversTypes['CreateCustomerPayload']>, ParentType, ContextType, RequireFields<MutationCreateCustomerArgs, 'input'>>;
  createOneTimeAccount?: Resolver<Maybe<ResolversTypes['CreateOneTimeAccountPayload']>, ParentType, ContextType, RequireFields<MutationCreateOneTimeAccountArgs, 'input'>>;
  createSettlementBank?: Resolver<Maybe<ResolversTypes['CreateSettlementBankPayload']>, ParentType, ContextType, RequireFields<MutationCreateSettlementBankArgs, 'input'>>;
  createVirtualAccount?: Resolver<Maybe<ResolversTypes['CreateVirtualAccountPayload']>, ParentType, ContextType, RequireFields<MutationCreateVirtualAccountArgs, 'input'>>;
  updateCustomer?: Resolver<Maybe<ResolversTypes['UpdateCustomerPayload']>, ParentType, ContextType, RequireFields<MutationUpdateCustomerArgs, 'input'>>;
  updateSettlementBank?: Resolver<Maybe<ResolversTypes['UpdateSettlementBankPayload']>, ParentType, ContextType, RequireFields<MutationUpdateSettlementBankArgs, 'input'>>;
};

export type OneTimeAccountResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OneTimeAccount'] = ResolversParentTypes['OneTimeAccount']> = {
  accountName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accountNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  bankCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bankName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  customer?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType, RequireFields<QueryCustomerArgs, 'id'>>;
  customers?: Resolver<Maybe<ResolversTypes['CustomerConnection']>, ParentType, ContextType, RequireFields<QueryCustomersArgs, 'first'>>;
  settlementBank?: Resolver<Maybe<ResolversTypes['SettlementBank']>, ParentType, ContextType, RequireFields<QuerySettlementBankArgs, 'id'>>;
  settlementBanks?: Resolver<Maybe<ResolversTypes['SettlementBankConnection']>, ParentType, ContextType, RequireFields<QuerySettlementBanksArgs, 'first'>>;
};

export type SettlementBankResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SettlementBank'] = ResolversParentTypes['SettlementBank'], FederationReferenceType extends FederationReferenceTypes['SettlementBank'] = FederationReferenceTypes['SettlementBank']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['SettlementBank']> | FederationReferenceType, FederationReferenceType, ContextType>;
  accountName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accountNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bankCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bankSlug?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type SettlementBankConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SettlementBankConnection'] = ResolversParentTypes['SettlementBankConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['SettlementBankEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['SettlementBank']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type SettlementBankEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SettlementBankEdge'] = ResolversParentTypes['SettlementBankEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['SettlementBank']>, ParentType, ContextType>;
};

export type UpdateCustomerPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UpdateCustomerPayload'] = ResolversParentTypes['UpdateCustomerPayload']> = {
  customer?: Resolver<Maybe<ResolversTypes['Customer']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['BankingUserError']>, ParentType, ContextType>;
};

export type UpdateSettlementBankPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UpdateSettlementBankPayload'] = ResolversParentTypes['UpdateSettlementBankPayload']> = {
  settlementBank?: Resolver<Maybe<ResolversTypes['SettlementBank']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['BankingUserError']>, ParentType, ContextType>;
};

export type VirtualAccountResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VirtualAccount'] = ResolversParentTypes['VirtualAccount']> = {
  accountName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accountNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bankCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bankName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VirtualAccountConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VirtualAccountConnection'] = ResolversParentTypes['VirtualAccountConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['VirtualAccountEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['VirtualAccount']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type VirtualAccountEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VirtualAccountEdge'] = ResolversParentTypes['VirtualAccountEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['VirtualAccount']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  Balance?: BalanceResolvers<ContextType>;
  BankingUserError?: BankingUserErrorResolvers<ContextType>;
  CreateCustomerPayload?: CreateCustomerPayloadResolvers<ContextType>;
  CreateOneTimeAccountPayload?: CreateOneTimeAccountPayloadResolvers<ContextType>;
  CreateSettlementBankPayload?: CreateSettlementBankPayloadResolvers<ContextType>;
  CreateVirtualAccountPayload?: CreateVirtualAccountPayloadResolvers<ContextType>;
  CurrencyCode?: GraphQLScalarType;
  Customer?: CustomerResolvers<ContextType>;
  CustomerConnection?: CustomerConnectionResolvers<ContextType>;
  CustomerEdge?: CustomerEdgeResolvers<ContextType>;
  CustomerTransaction?: CustomerTransactionResolvers<ContextType>;
  CustomerTransactionConnection?: CustomerTransactionConnectionResolvers<ContextType>;
  CustomerTransactionEdge?: CustomerTransactionEdgeResolvers<ContextType>;
  Date?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  Money?: MoneyResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  OneTimeAccount?: OneTimeAccountResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  SettlementBank?: SettlementBankResolvers<ContextType>;
  SettlementBankConnection?: SettlementBankConnectionResolvers<ContextType>;
  SettlementBankEdge?: SettlementBankEdgeResolvers<ContextType>;
  UpdateCustomerPayload?: UpdateCustomerPayloadResolvers<ContextType>;
  UpdateSettlementBankPayload?: UpdateSettlementBankPayloadResolvers<ContextType>;
  VirtualAccount?: VirtualAccountResolvers<ContextType>;
  VirtualAccountConnection?: VirtualAccountConnectionResolvers<ContextType>;
  VirtualAccountEdge?: VirtualAccountEdgeResolvers<ContextType>;
};

