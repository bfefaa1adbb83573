import type { GatewayError } from './errors.ts';

/** A value, or the error to report at its path: one unreadable value does not affect the others. */
export type ValueOrError<Value> = Value | GatewayError;

type Text = ValueOrError<string | null>;

/** An exact amount: decimal text in the major unit with exactly the currency's digits. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface SettlementBank {
  readonly id: string;
  readonly name: Text;
  readonly accountNumber: Text;
  readonly accountName: Text;
  readonly bankCode: Text;
  readonly bankSlug: Text;
  readonly createdAt: Text;
  readonly updatedAt: Text;
}

export interface Customer {
  readonly id: string;
  readonly reference: Text;
  readonly firstName: Text;
  readonly lastName: Text;
  readonly email: Text;
  readonly phone: Text;
  readonly dateOfBirth: Text;
  readonly type: Text;
  readonly status: Text;
  readonly collectionWalletId: Text;
  readonly createdAt: Text;
  readonly updatedAt: Text;
  /** Null where the service's customer record does not contain them; they then need a call. */
  readonly balance: ValueOrError<Balance | null>;
  readonly virtualAccounts: ValueOrError<readonly ValueOrError<VirtualAccount>[] | null>;
}

export interface Balance {
  readonly value: ValueOrError<Money>;
  readonly available: ValueOrError<Money | null>;
  readonly ledger: ValueOrError<Money | null>;
}

export type TransactionDirection = 'CREDIT' | 'DEBIT' | 'UNKNOWN';

export interface CustomerTransaction {
  readonly id: string;
  readonly reference: Text;
  readonly narration: Text;
  readonly type: Text;
  readonly status: Text;
  readonly direction: ValueOrError<TransactionDirection>;
  readonly amount: ValueOrError<Money>;
  readonly createdAt: Text;
}

export interface VirtualAccount {
  readonly id: string;
  readonly accountNumber: Text;
  readonly accountName: Text;
  readonly bankName: Text;
  readonly bankCode: Text;
  readonly status: Text;
  readonly createdAt: Text;
}

export interface OneTimeAccount extends VirtualAccount {
  readonly amount: ValueOrError<Money | null>;
  readonly expiresAt: Text;
}

/** A part of a list. */
export interface Connection<Value> {
  readonly nodes: readonly ValueOrError<Value>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: ValueOrError<number | null>;
  /** The cursor of the record at this index of `nodes`. */
  readonly cursorAt: (index: number) => string;
  /** Null where there are no nodes and no next page. */
  readonly endCursor: () => string | null;
}

/** A business refusal of a write: nothing was changed. */
export interface UserError {
  readonly code: 'INVALID' | 'ALREADY_EXISTS' | 'REJECTED';
  readonly field: readonly string[] | null;
  readonly message: string;
}

/** The result of a write: its record, null where the answer has none or the write was refused. */
export interface WriteResult<Value> {
  readonly record: ValueOrError<Value> | null;
  readonly userErrors: readonly UserError[];
}

/** Input of a write: an absent field is not sent, null is refused. */
type Input<Field extends string> = Readonly<Partial<Record<Field, string | null>>>;

export type SettlementBankInput = Input<'name' | 'accountNumber' | 'accountName' | 'bankCode' | 'bankSlug'>;
export type CustomerInput = Input<
  | 'firstName'
  | 'lastName'
  | 'nin'
  | 'dateOfBirth'
  | 'bvn'
  | 'phone'
  | 'email'
  | 'reference'
  | 'type'
  | 'collectionWalletId'
>;

export interface VirtualAccountInput {
  readonly customerId: string;
}

export interface OneTimeAccountInput extends VirtualAccountInput {
  readonly amount?: string | null;
}
