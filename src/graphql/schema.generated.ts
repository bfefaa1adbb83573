import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Balance as BalanceValue, UserError, Customer as CustomerValue, Connection, CustomerTransaction as CustomerTransactionValue, Money as MoneyValue, OneTimeAccount as OneTimeAccountValue, SettlementBank as SettlementBankValue, VirtualAccount as VirtualAccountValue } from '../domain/records.ts';
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
  /** A currency as its three-letter ISO 4217 code: `NGN`. */
  CurrencyCode: { input: string; output: string; }
  /** A calendar date without a time, as RFC 3339 full-date: `1990-01-31`. */
  Date: { input: string; output: string; }
  /** A moment, as RFC 3339 in UTC with milliseconds: `2026-01-01T09:30:00.000Z`. */
  DateTime: { input: string; output: string; }
  /** An amount of money as decimal text, never a JSON number, so no digit is lost: `"500.00"`. Output has exactly the currency's digits. */
  Decimal: { input: string; output: string; }
  _FieldSet: { input: string; output: string; }
};

/** A customer's money at the moment of the request. */
export type Balance = {
  readonly __typename?: 'Balance';
  /** The amount that can be spent now; null unless this gateway's contract says where the service reports it. */
  readonly available?: Maybe<Money>;
  /** The amount in the books, pending movements included; null unless this gateway's contract says where the service reports it. */
  readonly ledger?: Maybe<Money>;
  /** The amount that the service calls the balance. The only amount in this graph that can be negative. */
  readonly value: Money;
};

/** Why the service, or this gateway before it, refused a write. Nothing was changed. */
export type BankingUserError = {
  readonly __typename?: 'BankingUserError';
  /** The kind of refusal. */
  readonly code: BankingUserErrorCode;
  /** The path of the input field at fault, such as `["input", "nin"]`; null when it is no single field. */
  readonly field?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The reason, for a person to read. Values of the input are left out. */
  readonly message: Scalars['String']['output'];
};

/** Kinds of refusal. */
export type BankingUserErrorCode =
  /** A record with this reference, or this account, is there already. */
  | 'ALREADY_EXISTS'
  /** An input field is missing or has the wrong format. */
  | 'INVALID'
  /** The service refused for a reason of its own. */
  | 'REJECTED';

/** A customer to register. An absent field is not sent. */
export type CreateCustomerInput = {
  /** Bank verification number. Can be written but never read. */
  readonly bvn?: InputMaybe<Scalars['String']['input']>;
  /** The identifier of the collection wallet to tie the customer to. */
  readonly collectionWalletId?: InputMaybe<Scalars['ID']['input']>;
  /** Date of birth: `YYYY-MM-DD`. */
  readonly dateOfBirth?: InputMaybe<Scalars['String']['input']>;
  /** E-mail address. */
  readonly email?: InputMaybe<Scalars['String']['input']>;
  /** Given name. */
  readonly firstName?: InputMaybe<Scalars['String']['input']>;
  /** Your own unique key for this write, so that a repeat cannot register twice: at most 255 visible ASCII characters. Its answer is kept for 72 hours, an unknown outcome for 30 days. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** Family name. */
  readonly lastName?: InputMaybe<Scalars['String']['input']>;
  /** National identity number: 11 digits. Can be written but never read. */
  readonly nin?: InputMaybe<Scalars['String']['input']>;
  /** Telephone number in international format: a leading + and digits. */
  readonly phone?: InputMaybe<Scalars['String']['input']>;
  /** Your own unique reference for the customer. */
  readonly reference?: InputMaybe<Scalars['String']['input']>;
  /** The kind of customer; `wallet` is the one that the service has published. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
};

/** The outcome of registering a customer. */
export type CreateCustomerPayload = {
  readonly __typename?: 'CreateCustomerPayload';
  /** The registered customer; null when refused, or when the service accepted without saying more. */
  readonly customer?: Maybe<Customer>;
  /** Why it was refused; empty when it was not. */
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

/** A one-time account to open. */
export type CreateOneTimeAccountInput = {
  /** The amount that the deposit must have, in the major unit, greater than zero: `"500.00"`; absent for any. */
  readonly amount?: InputMaybe<Scalars['Decimal']['input']>;
  /** The customer's identifier. */
  readonly customerId: Scalars['ID']['input'];
  /** Your own unique key for this write, so that a repeat cannot open a second account: at most 255 visible ASCII characters. Its answer is kept for 72 hours, an unknown outcome for 30 days. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The outcome of opening a one-time account. */
export type CreateOneTimeAccountPayload = {
  readonly __typename?: 'CreateOneTimeAccountPayload';
  /** The opened account; null when refused, or when the service accepted without saying more. */
  readonly oneTimeAccount?: Maybe<OneTimeAccount>;
  /** Why it was refused; empty when it was not. */
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

/** A settlement bank to store. An absent field is not sent. */
export type CreateSettlementBankInput = {
  /** The name on the account. */
  readonly accountName?: InputMaybe<Scalars['String']['input']>;
  /** The account's number: digits. */
  readonly accountNumber?: InputMaybe<Scalars['String']['input']>;
  /** The bank's code: digits. */
  readonly bankCode?: InputMaybe<Scalars['String']['input']>;
  /** The bank's lower-case hyphenated name, such as `example-bank`. */
  readonly bankSlug?: InputMaybe<Scalars['String']['input']>;
  /** Your own unique key for this write, so that a repeat cannot store it twice: at most 255 visible ASCII characters. Its answer is kept for 72 hours, an unknown outcome for 30 days. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The name of the record. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

/** The outcome of storing a settlement bank. */
export type CreateSettlementBankPayload = {
  readonly __typename?: 'CreateSettlementBankPayload';
  /** The stored record; null when it was refused, or when the service accepted it without saying more. */
  readonly settlementBank?: Maybe<SettlementBank>;
  /** Why it was refused; empty when it was not. */
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

/** A virtual account to open. */
export type CreateVirtualAccountInput = {
  /** The customer's identifier. */
  readonly customerId: Scalars['ID']['input'];
  /** Your own unique key for this write, so that a repeat cannot open a second account: at most 255 visible ASCII characters. Its answer is kept for 72 hours, an unknown outcome for 30 days. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The outcome of opening a virtual account. */
export type CreateVirtualAccountPayload = {
  readonly __typename?: 'CreateVirtualAccountPayload';
  /** Why it was refused; empty when it was not. */
  readonly userErrors: ReadonlyArray<BankingUserError>;
  /** The opened account; null when refused, or when the service accepted without saying more. */
  readonly virtualAccount?: Maybe<VirtualAccount>;
};

/**
 * A person registered with the service and tied to a collection wallet. National identity and bank verification numbers
 * can be written but never read.
 */
export type Customer = {
  readonly __typename?: 'Customer';
  /** The customer's money at the moment of the request. Costs one call of its own. */
  readonly balance?: Maybe<Balance>;
  /** The identifier of the collection wallet that the customer is tied to. */
  readonly collectionWalletId?: Maybe<Scalars['ID']['output']>;
  /** When the customer was registered. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** Date of birth. */
  readonly dateOfBirth?: Maybe<Scalars['Date']['output']>;
  /** E-mail address. */
  readonly email?: Maybe<Scalars['String']['output']>;
  /** Given name. */
  readonly firstName?: Maybe<Scalars['String']['output']>;
  /** The service's identifier of this record. */
  readonly id: Scalars['ID']['output'];
  /** Family name. */
  readonly lastName?: Maybe<Scalars['String']['output']>;
  /** Telephone number in international format, with a leading +. */
  readonly phone?: Maybe<Scalars['String']['output']>;
  /** The merchant's own reference for the customer. */
  readonly reference?: Maybe<Scalars['String']['output']>;
  /** The state of the customer, in the service's own words. */
  readonly status?: Maybe<Scalars['String']['output']>;
  /** Movements on the customer's wallet, page by page. Costs calls of its own. */
  readonly transactions?: Maybe<CustomerTransactionConnection>;
  /** The kind of customer, in the service's own words; `wallet` is the one it has published. */
  readonly type?: Maybe<Scalars['String']['output']>;
  /** When the customer was last changed. */
  readonly updatedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The customer's virtual accounts, page by page. Costs calls of its own. */
  readonly virtualAccounts?: Maybe<VirtualAccountConnection>;
};


/**
 * A person registered with the service and tied to a collection wallet. National identity and bank verification numbers
 * can be written but never read.
 */
export type CustomerTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  type?: InputMaybe<Scalars['String']['input']>;
};


/**
 * A person registered with the service and tied to a collection wallet. National identity and bank verification numbers
 * can be written but never read.
 */
export type CustomerVirtualAccountsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of customers. */
export type CustomerConnection = {
  readonly __typename?: 'CustomerConnection';
  /** The records with their cursors. */
  readonly edges: ReadonlyArray<CustomerEdge>;
  /** The records alone. */
  readonly nodes: ReadonlyArray<Maybe<Customer>>;
  /** Where this page stands in the list. */
  readonly pageInfo: PageInfo;
  /** How many records the whole list has; null when the service does not tell. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A customer at its place in a list. */
export type CustomerEdge = {
  readonly __typename?: 'CustomerEdge';
  /** This place: continue behind it by `after`. */
  readonly cursor: Scalars['String']['output'];
  /** The record; null, with an error, when the service's answer for it cannot be read. */
  readonly node?: Maybe<Customer>;
};

/** One movement on a customer's wallet. */
export type CustomerTransaction = {
  readonly __typename?: 'CustomerTransaction';
  /** How much was moved: never negative, `direction` carries the sign. */
  readonly amount: Money;
  /** When the transaction was made. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** Whether the amount came in or went out. */
  readonly direction: TransactionDirection;
  /** The service's identifier of this transaction. */
  readonly id: Scalars['ID']['output'];
  /** What the transaction was for, in words. */
  readonly narration?: Maybe<Scalars['String']['output']>;
  /** The reference of the transaction. */
  readonly reference?: Maybe<Scalars['String']['output']>;
  /** The state of the transaction, in the service's own words. */
  readonly status?: Maybe<Scalars['String']['output']>;
  /** The kind of transaction, in the service's own words. */
  readonly type?: Maybe<Scalars['String']['output']>;
};

/** A page of transactions. */
export type CustomerTransactionConnection = {
  readonly __typename?: 'CustomerTransactionConnection';
  /** The records with their cursors. */
  readonly edges: ReadonlyArray<CustomerTransactionEdge>;
  /** The records alone. */
  readonly nodes: ReadonlyArray<Maybe<CustomerTransaction>>;
  /** Where this page stands in the list. */
  readonly pageInfo: PageInfo;
  /** How many records the whole list has; null when the service does not tell. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A transaction at its place in a list. */
export type CustomerTransactionEdge = {
  readonly __typename?: 'CustomerTransactionEdge';
  /** This place: continue behind it by `after`. */
  readonly cursor: Scalars['String']['output'];
  /** The record; null, with an error, when the service's answer for it cannot be read. */
  readonly node?: Maybe<CustomerTransaction>;
};

/** An exact amount in one currency. */
export type Money = {
  readonly __typename?: 'Money';
  /** The amount in the currency's major unit, with exactly the currency's digits: `500.00`. */
  readonly amount: Scalars['Decimal']['output'];
  /** The currency of the amount. */
  readonly currency: Scalars['CurrencyCode']['output'];
};

/**
 * Writes of one record each. A refusal is in `userErrors`, and nothing was changed. After the error OUTCOME_UNKNOWN the write
 * may have been done: its `lookup` says where to look.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Registers a new customer. Needs the private-key header. */
  readonly createCustomer?: Maybe<CreateCustomerPayload>;
  /** Opens a one-time account, meant for a single deposit. Needs the private-key header. */
  readonly createOneTimeAccount?: Maybe<CreateOneTimeAccountPayload>;
  /** Stores a new settlement bank. Needs the `Authorization` header. */
  readonly createSettlementBank?: Maybe<CreateSettlementBankPayload>;
  /** Opens a virtual account, to which deposits for the customer can be made again and again. Needs the private-key header. */
  readonly createVirtualAccount?: Maybe<CreateVirtualAccountPayload>;
  /** Changes the given fields of a customer and leaves the others alone. Needs the private-key header. */
  readonly updateCustomer?: Maybe<UpdateCustomerPayload>;
  /** Changes the given fields of a settlement bank and leaves the others alone. Needs the `Authorization` header. */
  readonly updateSettlementBank?: Maybe<UpdateSettlementBankPayload>;
};


/**
 * Writes of one record each. A refusal is in `userErrors`, and nothing was changed. After the error OUTCOME_UNKNOWN the write
 * may have been done: its `lookup` says where to look.
 */
export type MutationCreateCustomerArgs = {
  input: CreateCustomerInput;
};


/**
 * Writes of one record each. A refusal is in `userErrors`, and nothing was changed. After the error OUTCOME_UNKNOWN the write
 * may have been done: its `lookup` says where to look.
 */
export type MutationCreateOneTimeAccountArgs = {
  input: CreateOneTimeAccountInput;
};


/**
 * Writes of one record each. A refusal is in `userErrors`, and nothing was changed. After the error OUTCOME_UNKNOWN the write
 * may have been done: its `lookup` says where to look.
 */
export type MutationCreateSettlementBankArgs = {
  input: CreateSettlementBankInput;
};


/**
 * Writes of one record each. A refusal is in `userErrors`, and nothing was changed. After the error OUTCOME_UNKNOWN the write
 * may have been done: its `lookup` says where to look.
 */
export type MutationCreateVirtualAccountArgs = {
  input: CreateVirtualAccountInput;
};


/**
 * Writes of one record each. A refusal is in `userErrors`, and nothing was changed. After the error OUTCOME_UNKNOWN the write
 * may have been done: its `lookup` says where to look.
 */
export type MutationUpdateCustomerArgs = {
  input: UpdateCustomerInput;
};


/**
 * Writes of one record each. A refusal is in `userErrors`, and nothing was changed. After the error OUTCOME_UNKNOWN the write
 * may have been done: its `lookup` says where to look.
 */
export type MutationUpdateSettlementBankArgs = {
  input: UpdateSettlementBankInput;
};

/** A bank account number meant for a single deposit. The service offers no way to read it again: keep what creation returns. */
export type OneTimeAccount = {
  readonly __typename?: 'OneTimeAccount';
  /** The name that a payer sees. */
  readonly accountName?: Maybe<Scalars['String']['output']>;
  /** The number to pay to: digits, leading zeros included. */
  readonly accountNumber?: Maybe<Scalars['String']['output']>;
  /** The amount that the deposit must have; null for any. */
  readonly amount?: Maybe<Money>;
  /** That bank's code: digits, leading zeros included. */
  readonly bankCode?: Maybe<Scalars['String']['output']>;
  /** The bank that holds the account. */
  readonly bankName?: Maybe<Scalars['String']['output']>;
  /** When the account was opened. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the account stops taking deposits. */
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** The service's identifier of this account. */
  readonly id: Scalars['ID']['output'];
  /** The state of the account, in the service's own words. */
  readonly status?: Maybe<Scalars['String']['output']>;
};

/** Where a page stands in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** The cursor of the page's last record, for the next page's `after`; null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether records follow this page. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether records come before this page. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the page's first record; null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
};

/** Reads of one record by its identifier, or of a page of a list. */
export type Query = {
  readonly __typename?: 'Query';
  /** One customer by identifier; null if the service has none. Needs the private-key header. */
  readonly customer?: Maybe<Customer>;
  /** The merchant's customers, page by page. Needs the private-key header. */
  readonly customers?: Maybe<CustomerConnection>;
  /** One settlement bank by its identifier; null if the service has none. Needs the `Authorization` header. */
  readonly settlementBank?: Maybe<SettlementBank>;
  /** The merchant's settlement banks, page by page. Needs the `Authorization` header. */
  readonly settlementBanks?: Maybe<SettlementBankConnection>;
};


/** Reads of one record by its identifier, or of a page of a list. */
export type QueryCustomerArgs = {
  id: Scalars['ID']['input'];
};


/** Reads of one record by its identifier, or of a page of a list. */
export type QueryCustomersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};


/** Reads of one record by its identifier, or of a page of a list. */
export type QuerySettlementBankArgs = {
  id: Scalars['ID']['input'];
};


/** Reads of one record by its identifier, or of a page of a list. */
export type QuerySettlementBanksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};

/** A bank account that settlements are paid out to. */
export type SettlementBank = {
  readonly __typename?: 'SettlementBank';
  /** The name on the account. */
  readonly accountName?: Maybe<Scalars['String']['output']>;
  /** The account's number: digits, leading zeros included. */
  readonly accountNumber?: Maybe<Scalars['String']['output']>;
  /** The bank's code: digits, leading zeros included. */
  readonly bankCode?: Maybe<Scalars['String']['output']>;
  /** The bank's lower-case hyphenated name, such as `example-bank`. */
  readonly bankSlug?: Maybe<Scalars['String']['output']>;
  /** When the record was stored. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** The service's identifier of this record. */
  readonly id: Scalars['ID']['output'];
  /** The merchant's name for this record. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** When the record was last changed. */
  readonly updatedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A page of settlement banks. */
export type SettlementBankConnection = {
  readonly __typename?: 'SettlementBankConnection';
  /** The records with their cursors. */
  readonly edges: ReadonlyArray<SettlementBankEdge>;
  /** The records alone. */
  readonly nodes: ReadonlyArray<Maybe<SettlementBank>>;
  /** Where this page stands in the list. */
  readonly pageInfo: PageInfo;
  /** How many records the whole list has; null when the service does not tell. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A settlement bank at its place in a list. */
export type SettlementBankEdge = {
  readonly __typename?: 'SettlementBankEdge';
  /** This place: continue behind it by `after`. */
  readonly cursor: Scalars['String']['output'];
  /** The record; null, with an error, when the service's answer for it cannot be read. */
  readonly node?: Maybe<SettlementBank>;
};

/** Which way the money of a transaction moved. */
export type TransactionDirection =
  /** To the customer. */
  | 'CREDIT'
  /** From the customer. */
  | 'DEBIT'
  /** The service's answer does not state it. */
  | 'UNKNOWN';

/** Changes to a customer. An absent field is left alone. */
export type UpdateCustomerInput = {
  /** Bank verification number. Can be written but never read. */
  readonly bvn?: InputMaybe<Scalars['String']['input']>;
  /** The identifier of the collection wallet to tie the customer to. */
  readonly collectionWalletId?: InputMaybe<Scalars['ID']['input']>;
  /** Date of birth: `YYYY-MM-DD`. */
  readonly dateOfBirth?: InputMaybe<Scalars['String']['input']>;
  /** E-mail address. */
  readonly email?: InputMaybe<Scalars['String']['input']>;
  /** Given name. */
  readonly firstName?: InputMaybe<Scalars['String']['input']>;
  /** The customer's identifier. */
  readonly id: Scalars['ID']['input'];
  /** Family name. */
  readonly lastName?: InputMaybe<Scalars['String']['input']>;
  /** National identity number: 11 digits. Can be written but never read. */
  readonly nin?: InputMaybe<Scalars['String']['input']>;
  /** Telephone number in international format: a leading + and digits. */
  readonly phone?: InputMaybe<Scalars['String']['input']>;
  /** Your own unique reference for the customer. */
  readonly reference?: InputMaybe<Scalars['String']['input']>;
  /** The kind of customer; `wallet` is the one that the service has published. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
};

/** The outcome of changing a customer. */
export type UpdateCustomerPayload = {
  readonly __typename?: 'UpdateCustomerPayload';
  /** The changed customer; null when the change was refused. */
  readonly customer?: Maybe<Customer>;
  /** Why it was refused; empty when it was not. */
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

/** Changes to a settlement bank. An absent field is left alone. */
export type UpdateSettlementBankInput = {
  /** The name on the account. */
  readonly accountName?: InputMaybe<Scalars['String']['input']>;
  /** The account's number: digits. */
  readonly accountNumber?: InputMaybe<Scalars['String']['input']>;
  /** The bank's code: digits. */
  readonly bankCode?: InputMaybe<Scalars['String']['input']>;
  /** The bank's lower-case hyphenated name, such as `example-bank`. */
  readonly bankSlug?: InputMaybe<Scalars['String']['input']>;
  /** The settlement bank's identifier. */
  readonly id: Scalars['ID']['input'];
  /** The name of the record. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

/** The outcome of changing a settlement bank. */
export type UpdateSettlementBankPayload = {
  readonly __typename?: 'UpdateSettlementBankPayload';
  /** The changed record; null when the change was refused. */
  readonly settlementBank?: Maybe<SettlementBank>;
  /** Why it was refused; empty when it was not. */
  readonly userErrors: ReadonlyArray<BankingUserError>;
};

/** A bank account number under which deposits for one customer are received. */
export type VirtualAccount = {
  readonly __typename?: 'VirtualAccount';
  /** The name that a payer sees. */
  readonly accountName?: Maybe<Scalars['String']['output']>;
  /** The number to pay to: digits, leading zeros included. */
  readonly accountNumber?: Maybe<Scalars['String']['output']>;
  /** That bank's code: digits, leading zeros included. */
  readonly bankCode?: Maybe<Scalars['String']['output']>;
  /** The bank that holds the account. */
  readonly bankName?: Maybe<Scalars['String']['output']>;
  /** When the account was opened. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** The service's identifier of this account. */
  readonly id: Scalars['ID']['output'];
  /** The state of the account, in the service's own words. */
  readonly status?: Maybe<Scalars['String']['output']>;
};

/** A page of virtual accounts. */
export type VirtualAccountConnection = {
  readonly __typename?: 'VirtualAccountConnection';
  /** The records with their cursors. */
  readonly edges: ReadonlyArray<VirtualAccountEdge>;
  /** The records alone. */
  readonly nodes: ReadonlyArray<Maybe<VirtualAccount>>;
  /** Where this page stands in the list. */
  readonly pageInfo: PageInfo;
  /** How many records the whole list has; null when the service does not tell. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A virtual account at its place in a list. */
export type VirtualAccountEdge = {
  readonly __typename?: 'VirtualAccountEdge';
  /** This place: continue behind it by `after`. */
  readonly cursor: Scalars['String']['output'];
  /** The record; null, with an error, when the service's answer for it cannot be read. */
  readonly node?: Maybe<VirtualAccount>;
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
    

export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

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

