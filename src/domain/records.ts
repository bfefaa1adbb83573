import type { GatewayError } from './errors.ts';

/**
 * A value that could be read, or the error that stands in its place. GraphQL reports an error found in a slot at that
 * slot's own path, so one unreadable value never takes its neighbours along.
 */
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
  /** Where the service's record of a customer carries them; null where they cost a call of their own. */
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

/** A window on a list of the service. */
export interface Connection<Value> {
  readonly nodes: readonly ValueOrError<Value>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: ValueOrError<number | null>;
  /** The cursor of the record at this index of `nodes`. */
  readonly cursorAt: (index: number) => string;
  /** Where to go on; null where the window is empty and nothing follows. */
  readonly endCursor: () => string | null;
}

/** A business refusal of a write: nothing was changed. */
export interface UserError {
  readonly code: 'INVALID' | 'ALREADY_EXISTS' | 'REJECTED';
  readonly field: readonly string[] | null;
  readonly message: string;
}

/** What came of a write that was answered: its record (null when the service told nothing of it), or why it was refused. */
export interface WriteResult<Value> {
  readonly record: ValueOrError<Value> | null;
  readonly userErrors: readonly UserError[];
}

/** The inputs of the six writes, as callers give them: absent is not sent, null is refused. */
export interface SettlementBankInput {
  readonly name?: string | null;
  readonly accountNumber?: string | null;
  readonly accountName?: string | null;
  readonly bankCode?: string | null;
  readonly bankSlug?: string | null;
}

export interface CustomerInput {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly nin?: string | null;
  readonly dateOfBirth?: string | null;
  readonly bvn?: string | null;
  readonly phone?: string | null;
  readonly email?: string | null;
  readonly reference?: string | null;
  readonly type?: string | null;
  readonly collectionWalletId?: string | null;
}

export interface VirtualAccountInput {
  readonly customerId: string;
}

export interface OneTimeAccountInput {
  readonly customerId: string;
  readonly amount?: string | null;
}
