/** Options of `startGateway`. */
export interface GatewayOptions {
  /** The faults that the embedded bank starts with. */
  readonly scenario?: 'lost-answer' | 'duplicate' | 'slow' | 'down' | 'rate-limited' | undefined;
  /** A file of contract overrides, as UPSTREAM_CONTRACT names one. */
  readonly contract?: string | undefined;
  /** The base URL of a service in place of the embedded bank. */
  readonly upstreamUrl?: string | undefined;
  /** Further variables of docs/configuration.md. Those of the process are not read. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** A fault of the embedded bank: it replaces the answers of the next `count` (1) calls of one operation, or of any. */
interface BankFault {
  /** Such as `createCustomer`: docs/contract.md lists them. */
  readonly operation?: string;
  readonly count?: number;
  readonly latencyMs?: number;
  readonly status?: number;
  /** A text is sent as text/plain, any other value as JSON. */
  readonly body?: unknown;
  /** Cuts the connection before or after the call is done: `after` is a lost answer. */
  readonly cut?: 'before' | 'after';
}

/** A call that the embedded bank has received. */
export interface BankRequest {
  /** Null where the path belongs to no operation. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** An ISO 8601 moment. */
  readonly time: string;
  readonly credentials: readonly ('authorization' | 'privateKey')[];
}

/** The embedded bank. Its functions reject with the bank's own sentence where it refuses. */
export interface TestBank {
  readonly url: string;
  /** Pays into an account; `amount` is in major units, such as `1500.00`. */
  readonly deposit: (accountNumber: string, amount: string) => Promise<void>;
  /** The calls so far, the oldest first. */
  readonly requests: () => Promise<readonly BankRequest[]>;
  readonly fault: (fault: BankFault) => Promise<void>;
  /** Brings back the first data; ends all faults and forgets the calls. */
  readonly reset: () => Promise<void>;
}

/** A gateway that runs in this process. */
export interface TestGateway {
  readonly url: string;
  readonly graphqlUrl: string;
  /** Undefined where `upstreamUrl` names a service. */
  readonly bank: TestBank | undefined;
  /** The credentials of the first demo merchant. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends everything. May be called twice. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Starts a gateway in this process, on free ports, with its idempotency keys in memory and without output, and before it
 * an embedded bank of its own. Rejects where an option or a variable is not valid.
 */
export declare function startGateway(options?: GatewayOptions): Promise<TestGateway>;
