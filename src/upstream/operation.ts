import type { ValueOrError, UserError } from '../domain/records.ts';
import type { GatewayError, Lookup } from '../domain/errors.ts';
import type { CredentialName, Method, OperationName } from '../contract/contract.ts';

/** What goes on the wire, but for the credentials. `path` is the raw target below the base URL's own path. */
export interface UpstreamRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: string;
  /** The identifier in the path, by which an answer is checked to be about this question. */
  readonly identifier?: string;
  /** Sent over a connection of its own, so that no stray answer to another request can be read. */
  readonly freshConnection?: boolean;
}

/** The slice of a list that a field asks for; of other operations, nothing that matters to their cost. */
export interface Slice {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** The most calls that one use of an operation makes, and the most records that it answers with. */
export interface WorstCase {
  readonly calls: number;
  readonly records: number;
}

/** Of a use that is refused before any call. */
export const noCall: WorstCase = { calls: 0, records: 0 };
export const oneCall: WorstCase = { calls: 1, records: 1 };

/** What every operation tells of itself, whatever goes in and comes out. */
export interface Operation {
  readonly kind: 'read' | 'write';
  readonly name: OperationName;
  readonly credentials: readonly CredentialName[];
  /** Known before anything is sent, so that an operation too expensive can be refused as a whole. */
  readonly worstCase: (slice: Slice) => WorstCase;
}

/** A question that changes nothing: may be shared, memoised within a request and asked again. */
export interface Read<Input, Value> extends Operation {
  readonly kind: 'read';
  /** Throws BAD_USER_INPUT or CONTRACT_UNDECIDED where no call should be made. */
  readonly request: (input: Input) => UpstreamRequest;
  /** `body` is the whole parsed answer of a success. Throws UPSTREAM_INVALID_RESPONSE. */
  readonly decode: (body: unknown) => Value;
  /** The error of an answer that is about another record than the one asked for. Called after `decode`. */
  readonly findMismatch?: (body: unknown, request: UpstreamRequest) => GatewayError | undefined;
  /** What a 404 with a readable error means: an answer, or undefined where it contradicts the contract. */
  readonly absent?: Value;
  /** The input that asks for the same record by its own id, where the given one may have been an alias. */
  readonly canonical?: (value: Value) => Input | undefined;
}

/** A read of one record that may be unknown, and that others refer to by its id. */
export interface EntityRead<Value> extends Read<string, Value | null> {
  /** Fields of the graph that need no more of the record than its id: they have calls of their own. */
  readonly ownCalls: ReadonlySet<string>;
}

/**
 * What the record in an answer proves of the write. `proven`: its id stands at the first pointer of its row, and it
 * carries one more value that belongs to it. `failed`: its status is a word of failure.
 */
export type RecordEvidence = 'proven' | 'unproven' | 'failed' | 'absent';

/** The record in the answer to a write. */
export interface WrittenRecord {
  readonly source: unknown;
  readonly evidence: RecordEvidence;
  /** Whether it has an id at the first pointer of its row, and not only one that a fallback pointer finds. */
  readonly hasOwnId: boolean;
}

/** A request that may move money or identities: sent at most once, by `send` alone. */
export interface Write<Input, Value> extends Operation {
  readonly kind: 'write';
  readonly creates: boolean;
  /** What to send, or why it is refused before any call. Throws BAD_USER_INPUT or CONTRACT_UNDECIDED. */
  readonly prepare: (input: Input) => PreparedWrite;
  /** Reads the record of a success: null where the answer holds none. */
  readonly decode: (body: unknown) => ValueOrError<Value> | null;
  /** The record of an answer, with what it proves. */
  readonly findRecord: (body: unknown, input: Input) => WrittenRecord;
  /** The error of an answer that is about another record than the one written. Called after `decode`. */
  readonly findMismatch: (body: unknown, input: Input) => GatewayError | undefined;
  /** Whether a 2xx without a body is a success. */
  readonly emptySuccess: boolean;
  /** Input paths by wire name, to say which input field a refusal is about. */
  readonly inputPaths: ReadonlyMap<string, readonly string[]>;
  /** How to find out what became of it; null where there is no way. */
  readonly lookup: Lookup | null;
  /** The read that shows the record after a success without one. */
  readonly readBack?: (input: Input) => { readonly operation: Read<string, Value | null>; readonly input: string };
}

interface PreparedWrite {
  readonly request: UpstreamRequest;
  readonly userErrors: readonly UserError[];
}
