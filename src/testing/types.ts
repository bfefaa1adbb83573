/** Options of `startGateway`: docs/frontends.md. The variables of the process are not read. */
export interface GatewayOptions {
  readonly scenario?: 'lost-answer' | 'duplicate' | 'slow' | 'down' | 'rate-limited' | undefined;
  /** A file of contract overrides. */
  readonly contract?: string | undefined;
  /** The base URL of a service in place of the embedded bank. */
  readonly upstreamUrl?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** The embedded bank. Its functions reject with the bank's own sentence where it refuses. */
export interface TestBank {
  readonly url: string;
  /** Pays into an account; `amount` is in major units, such as `1500.00`. */
  readonly deposit: (accountNumber: string, amount: string) => Promise<void>;
  /** The calls so far, the oldest first; `operation` is null where the path belongs to none. */
  readonly requests: () => Promise<
    readonly { readonly operation: string | null; readonly method: string; readonly path: string }[]
  >;
  /** Replaces the answers of the next `count` (1) calls of one operation, or of any. `cut: 'after'` is a lost answer. */
  readonly fault: (fault: {
    readonly operation?: string;
    readonly count?: number;
    readonly latencyMs?: number;
    readonly status?: number;
    readonly body?: unknown;
    readonly cut?: 'before' | 'after';
  }) => Promise<void>;
  /** Brings back the first data; ends all faults and forgets the calls. */
  readonly reset: () => Promise<void>;
}

/** A gateway in this process, its embedded bank, and the credentials of the first demo merchant. */
export interface TestGateway {
  readonly url: string;
  readonly graphqlUrl: string;
  /** Undefined where `upstreamUrl` names a service. */
  readonly bank: TestBank | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends everything. May be called twice. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts on free ports, with keys in memory and without output. Rejects where an option or a variable is not valid. */
export declare function startGateway(options?: GatewayOptions): Promise<TestGateway>;
