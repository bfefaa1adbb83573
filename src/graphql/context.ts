import type { GraphQLResolveInfo } from 'graphql';
import type { Config } from '../config/config.ts';
import type { WriteResult } from '../domain/records.ts';
import type { GatewayError } from '../domain/errors.ts';
import { createCallRecorder, type CallRecorder } from './explain/call-recorder.ts';
import { schemaPath } from './explain/schema-path.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { createLoader, type Loader } from './loader.ts';
import type { Scope } from '../upstream/calls/scope.ts';
import type { ServiceCalls } from '../upstream/calls/service-calls.ts';
import { isRejection } from '../upstream/calls/failure-errors.ts';
import { invalidAnswer } from '../upstream/decoding/interpret-answer.ts';
import {
  createRequestCredentials,
  rejection,
  requireCredentials,
  type Credential,
  type Credentials,
  type Identity,
  type Sender,
} from '../upstream/credentials/credentials.ts';
import { createLifetime } from '../runtime/request-lifetime.ts';
import type { StartTrace, TraceContext } from '../upstream/wire/trace-context.ts';
import type { Read, Write } from '../upstream/operation.ts';
import type { Operations } from '../upstream/operations.ts';
import { createListReader, type ReadList } from '../upstream/paging/list.ts';

const maxCredentialBytes = 4096;
/** The status that logs and metrics show for a client that left before its answer, as proxies do. */
export const clientClosedRequest = 499;

/** Values of a header by its name in lower case, one for each line of it; undefined where there is none. */
export type HeaderLines = (name: string) => readonly string[] | undefined;

/** Returns the context of a request, which is created at its first use. */
export type ContextOf<Request> = (request: Request) => Context;

/** Facts for the request's log line and its trace, collected while it runs. */
interface Tally {
  /** Calls sent to the service, each retry counted. */
  calls: number;
  operation: string | undefined;
  /** Set for the call of a tool. */
  client?: 'mcp';
  type: 'query' | 'mutation' | 'subscription' | undefined;
  /** Whether the document is a trusted one, whose operation name traces may show. */
  isTrusted: boolean;
  /** The codes of all errors, in their order. */
  codes: readonly string[];
}

/** The context of resolvers. It holds no credential: those stay inside `load`, `list` and `send`. */
export interface Context {
  readonly requestId: string;
  /** Undefined where the request belongs to no trace. */
  readonly traceId: string | undefined;
  /** When the body had arrived, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Whether the request carries the router's secret. */
  readonly isRouter: boolean;
  readonly tally: Tally;
  readonly operations: Operations;
  readonly load: Loader['load'];
  readonly list: ReadList;
  /** `load` and `list` for prefetches, whose answers may turn out not to be needed. */
  readonly prefetch: {
    readonly load: Loader['load'];
    readonly list: ReadList;
    /** Whether a read would be sent: identifier, contract and credentials allow it. */
    readonly isSent: <Value>(operation: Read<string, Value>, identifier: string) => boolean;
  };
  /** Records the request's calls; set where `x-explain` was sent and is allowed. */
  readonly recorder: CallRecorder | undefined;
  /**
   * A context that records reads for one field, or prefetches for the field `below` it. Undefined where nothing is
   * recorded.
   */
  readonly forField: ((info: GraphQLResolveInfo, below?: string) => Context) | undefined;
  /** Sends a write at most once. */
  readonly send: <Input extends object, Value>(
    operation: Write<Input, Value>,
    input: Input & { readonly idempotencyKey?: string | null },
    info: GraphQLResolveInfo,
  ) => Promise<WriteResult<Value>>;
  /** Whether the client left before the answer. What failed because of that is no fault of service or gateway. */
  readonly hasClientLeft: () => boolean;
  /** Whether the service has answered one of the request's calls with success. */
  readonly isCallerProven: () => boolean;
  /**
   * Ends the request's lifetime: cancels queued calls and closes the trace span. Called once, when the response closes;
   * `status` is `clientClosedRequest` where the client left.
   */
  readonly end: (status: number) => void;
}

interface ContextOptions {
  readonly operations: Operations;
  readonly serviceCalls: ServiceCalls;
  readonly startTrace: StartTrace;
  readonly requestTimeoutMs: number;
}

export interface RequestInfo {
  readonly requestId: string;
  readonly method: string;
  readonly isRouter: boolean;
  /** Whether the answer shows the calls that were made for it. */
  readonly showsCalls: boolean;
  /** Whether it shows their paths and bodies, too. */
  readonly showsRequests: boolean;
  readonly sender: Sender;
  readonly headers: HeaderLines;
}

/** The inbound headers that carry the credentials. */
type InboundHeaders = Pick<Config, 'bearerHeaderIn' | 'privateKeyHeaderIn'>;

/** Creates the function that reads the sender from a request's headers. */
export function createSenderReader(
  { bearerHeaderIn: bearerHeader, privateKeyHeaderIn: privateKeyHeader }: InboundHeaders,
  identify: (credentials: Credentials) => Identity,
) {
  const [bearerName, privateKeyName] = [bearerHeader.toLowerCase(), privateKeyHeader.toLowerCase()];
  return (headers: HeaderLines): Sender => {
    const credentials = {
      // One spelling of the scheme: else one token would be three callers, and an idempotency key three keys.
      bearer: readCredential(bearerHeader, headers(bearerName), /^Bearer ([\x21-\x7e]+)$/i, 'Bearer '),
      privateKey: readCredential(privateKeyHeader, headers(privateKeyName), /^([\x21-\x7e]+)$/, ''),
    };
    return { credentials, identity: identify(credentials) };
  };
}

/** Creates the function that turns an HTTP request into the context of its GraphQL operation. */
export function createContextFactory(options: ContextOptions): (request: RequestInfo) => Context {
  const { operations, startTrace, requestTimeoutMs } = options;
  return ({ requestId, method, isRouter, sender: { credentials: values, identity }, headers, ...shows }) => {
    const lifetime = createLifetime(requestTimeoutMs);
    const trace = startTrace(readTraceContext(headers), method);
    const tally: Tally = { calls: 0, operation: undefined, type: undefined, isTrusted: false, codes: [] };
    const credentials = createRequestCredentials(values, identity);
    const scope: Scope = {
      requestId,
      credentials,
      lifetime,
      tally,
      spent: { estimated: 0, prefetch: 0 },
      trace,
    };
    const recorder = shows.showsCalls ? createCallRecorder(options.serviceCalls, shows.showsRequests) : undefined;
    const serviceCalls = recorder?.serviceCalls ?? options.serviceCalls;
    const { load, prefetch, clear } = createLoader(
      (operation, request) => serviceCalls.read(operation, request, scope),
      (operation, error) => void (isRejection(error) && rejection(credentials, operation)),
    );
    const context: Context = {
      requestId,
      traceId: trace.traceId,
      startedAt: performance.now(),
      isRouter,
      tally,
      operations,
      load,
      list: createListReader(load),
      prefetch: {
        load: prefetch,
        list: createListReader(prefetch),
        isSent: (operation, identifier) => isSent(operation, identifier, credentials),
      },
      recorder,
      forField:
        recorder && ((info, below) => recordField(context, recorder, schemaPath(info, below), below !== undefined)),
      send: async (operation, { idempotencyKey, ...fields }, info) => {
        const input = fields as Parameters<typeof operation.prepare>[0]; // the operation's own input, but for the key
        const key = operation.creates ? idempotencyKeyOf(idempotencyKey, headers('idempotency-key'), info) : undefined;
        // GraphQL runs mutations one after the other, so nothing is read between this and the answer.
        clear();
        recorder?.onWrite(schemaPath(info));
        const result = await serviceCalls.write(operation, input, scope, key);
        if (result.record !== null || result.userErrors.length > 0 || operation.readBack === undefined) return result;
        const { operation: read, input: identifier } = operation.readBack(input);
        recorder?.onLoad(read, identifier, schemaPath(info), true);
        // The write has succeeded: a failure to read it back is the record's error, not the write's. So is its absence.
        const found = await load(read, identifier).catch((error: GatewayError) => error);
        const record = found ?? invalidAnswer(read, 404);
        return { record, userErrors: [] };
      },
      hasClientLeft: () => lifetime.ended === 'client left',
      isCallerProven: () => credentials.isProven,
      end: (status) => {
        lifetime.end(status === clientClosedRequest);
        const trustedName = tally.isTrusted ? tally.operation : undefined;
        trace.end({ requestId, status, type: tally.type, trustedName, codes: tally.codes });
      },
    };
    return context;
  };
}

function isSent<Value>(operation: Read<string, Value>, identifier: string, credentials: Scope['credentials']): boolean {
  try {
    operation.request(identifier);
    requireCredentials(credentials, operation);
    return true;
  } catch {
    return false;
  }
}

/** A context whose reads are recorded for one field. */
function recordField(context: Context, recorder: CallRecorder, field: string, prefetch: boolean): Context {
  const { load: base } = prefetch ? context.prefetch : context;
  const load: Context['load'] = (operation, input) => {
    recorder.onLoad(operation, input, field, !prefetch);
    return base(operation, input);
  };
  return { ...context, load, list: createListReader(load), ...(prefetch && { forField: undefined }) };
}

/** A credential must have exactly one value, visible ASCII, at most 4 KiB; anything else is never passed on. */
function readCredential(header: string, values: readonly string[] = [], pattern: RegExp, scheme: string): Credential {
  const [value] = values;
  if (value === undefined) return { header, value: undefined, fault: 'missing' };
  const token = values.length === 1 && value.length <= maxCredentialBytes ? pattern.exec(value)?.[1] : undefined;
  if (token === undefined) return { header, value: undefined, fault: 'malformed' };
  return { header, value: scheme + token, fault: undefined };
}

/** The W3C trace context; undefined where it is absent, repeated or malformed. */
function readTraceContext(headers: HeaderLines): TraceContext | undefined {
  const [traceparent, ...more] = headers('traceparent') ?? [];
  if (traceparent === undefined || more.length > 0) return undefined;
  if (!/^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(traceparent)) return undefined;
  const tracestate = headers('tracestate')?.join(',');
  return { traceparent, tracestate: /^[\x20-\x7e]{1,512}$/.test(tracestate ?? '') ? tracestate : undefined };
}
