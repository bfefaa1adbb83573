import type { ValueOrError, UserError } from '../domain/records.ts';
import type { GatewayError, Lookup } from '../domain/errors.ts';
import type { CredentialName, Method, OperationName } from '../contract/contract.ts';

/** A request without its credentials. `path` is the raw request target below the path of the base URL. */
export interface UpstreamRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: string;
  /** Headers beside the common ones: names and values, alternating. */
  readonly headers?: readonly string[];
  /** The identifier of the requested record, or of a list's parent, to compare the answer with; undefined: not compared. */
  readonly identifier?: string;
  /** Sent over a connection of its own, so that no stray answer to another request can be read. */
  readonly freshConnection?: boolean;
  /** Set for a prefetch, whose answer may turn out not to be needed. */
  readonly isPrefetch?: boolean;
}

/**
 * Key of a request: two requests of one read with equal keys are equal. A read by POST may differ in its body only, and
 * two records that share a path below them in the identifier only, with which the answer is compared.
 */
export function requestKey({ path, body = '', identifier = '' }: UpstreamRequest): string {
  return `${path}\n${body}\n${identifier}`;
}

/** The error of a prefetch that got no answer. It is read again if its value is needed; no client sees this error. */
export const prefetchFailed = new Error('prefetch not answered');

/**
 * The budgets of a GraphQL request, each of as many calls as its limit. `estimated`: the calls that its estimate counts.
 * `prefetch`: reads below a record that are sent together with the record's own.
 */
export type Budget = 'estimated' | 'prefetch';

/** The arguments that bound the cost of a list: how many records, and from where. Other operations have none. */
export interface Slice {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** Upper bounds of one use of an operation: HTTP calls, and records in its answer. */
export interface WorstCase {
  readonly calls: number;
  readonly records: number;
}

/** The cost of a use that is refused before any call. */
export const noCall: WorstCase = { calls: 0, records: 0 };
export const oneCall: WorstCase = { calls: 1, records: 1 };

/** The properties that all operations share, whatever their input and value. */
export interface Operation {
  readonly kind: 'read' | 'write';
  readonly name: OperationName;
  readonly credentials: readonly CredentialName[];
  /** Computed before anything is sent, so that a GraphQL operation can be refused as too expensive as a whole. */
  readonly worstCase: (slice: Slice) => WorstCase;
}

/** Reads a header of an answer by its name in lower case. */
export type HeaderReader = (name: string) => string | undefined;

/** An operation without side effects: it may be shared, cached within a request, and retried. */
export interface Read<Input, Value> extends Operation {
  readonly kind: 'read';
  /** Throws BAD_USER_INPUT or CONTRACT_UNDECIDED where no call should be made. */
  readonly request: (input: Input) => UpstreamRequest;
  /**
   * Decodes the whole parsed body of a success. Throws UPSTREAM_INVALID_RESPONSE, also where it is about another record
   * than the one with the `identifier` asked for, if that is given. A page may be described in headers.
   */
  readonly decode: (body: unknown, identifier?: string, header?: HeaderReader) => Value;
  /** The value of a 404 with a readable error; undefined where such a 404 contradicts the contract. */
  readonly absent?: Value;
  /** The value of a 2xx without a body; undefined where such an answer contradicts the contract. */
  readonly noBody?: Value;
  /** The input that requests the same record by its own id, since an alias may have been used. */
  readonly canonical?: (value: Value) => Input | undefined;
}

/** A read of one entity, which may not exist. */
export interface EntityRead<Value> extends Read<string, Value | null> {
  /** Fields of the graph that have calls of their own and need nothing of the record but its id. */
  readonly ownCalls: ReadonlySet<string>;
  /** The `ownCalls` that are read together with the record, by the identifier of the request. */
  readonly prefetched: ReadonlySet<string>;
}

/**
 * The evidence that the record in an answer gives of the write. `proven`: its id stands at the first pointer of its row,
 * and it carries one more value that belongs to it. `unproven`: it lacks one of the two. `failed`: its status means failure.
 * `foreign`: its reference, e-mail address or account number differs from the one sent; reported also of a record that is
 * another one than the write was addressed to. `absent`: there is no record.
 */
export type RecordEvidence = 'proven' | 'unproven' | 'failed' | 'foreign' | 'absent';

/** The record in the answer to a write; `source` is undefined where there is none. */
export interface WrittenRecord {
  readonly source: unknown;
  /** The JSON pointer at which it stands. */
  readonly path: string;
  readonly evidence: RecordEvidence;
  /** Whether it has an id at the first pointer of its row, and not only one that a fallback pointer finds. */
  readonly hasOwnId: boolean;
  /** The error of a record that is another one than the write was addressed to. */
  readonly mismatch?: GatewayError;
}

/**
 * Input paths by the last part of the wire name, in lower case: they name the input field of a refusal. Null where two
 * fields have that name.
 */
export type InputPaths = ReadonlyMap<string, readonly string[] | null>;

/** An operation with side effects: it is sent at most once. */
export interface Write<Input, Value> extends Operation {
  readonly kind: 'write';
  readonly creates: boolean;
  /** The request, or the faults for which nothing is sent. Throws BAD_USER_INPUT or CONTRACT_UNDECIDED. */
  readonly prepare: (input: Input) => { readonly request: UpstreamRequest; readonly userErrors: readonly UserError[] };
  /** The values of the input, each in every form in which the service may repeat it. */
  readonly sentTexts: (input: Input) => readonly string[];
  /** The record of an answer, with what it proves. */
  readonly findRecord: (body: unknown, input: Input) => WrittenRecord;
  /** Decodes the record of a success: null where the answer holds none. An error where it is another one's record. */
  readonly decode: (record: WrittenRecord) => ValueOrError<Value> | null;
  /** Whether a 2xx without a body is a success. */
  readonly emptySuccess: boolean;
  readonly inputPaths: InputPaths;
  /** The query by which a client finds out whether the write was done; undefined where there is none. */
  readonly lookup: (input: Input) => Lookup | undefined;
  /** The read that shows the record after a success without one. */
  readonly readBack?: (input: Input) => { readonly operation: Read<string, Value | null>; readonly input: string };
}
