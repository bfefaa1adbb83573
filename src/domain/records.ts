import type { GatewayError } from './errors.ts';

/** A value, or the error to report at its path: one unreadable value does not affect the others. */
export type ValueOrError<Value> = Value | GatewayError;

/** An exact amount: decimal text in the major unit with exactly the currency's digits. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export type TransactionDirection = 'CREDIT' | 'DEBIT' | 'UNKNOWN';

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
