import type { OperationName } from '../contract/contract.ts';

/**
 * An answer to one of the thirteen operations: of a live service, a vendor's file, a saved text or a case. The judge reads
 * it as the gateway would; the proposer looks in it for what rows do not read.
 */
export interface Sample {
  readonly operation: OperationName;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** As the gateway's exact JSON reader gives it; undefined for none, or for one that is no JSON. */
  readonly body: unknown;
  /** The identifier of a read; without one it is not checked that the answer has the requested record. */
  readonly id?: string | undefined;
  /** The input of a write, by the graph's names. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** The status that its source says it means, where HTTP may say otherwise: 404 of a read for an unknown record. */
  readonly meaning?: number | undefined;
  /** The body as it came, where a text was read; else it is written from `body`. */
  readonly bytes?: Buffer;
}

/** Whether a sample is one of success, by its meaning. */
export function isSuccess({ status, meaning = status }: Sample): boolean {
  return meaning >= 200 && meaning < 300;
}
