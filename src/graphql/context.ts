import type { GraphQLResolveInfo } from 'graphql';
import type { Connection, WriteResult } from '../domain/records.ts';
import type { GatewayError } from '../domain/errors.ts';
import type { HeaderLines } from '../http/raw-headers.ts';
import { keyOf } from './idempotency-key.ts';
import { createLoader, type Loader } from './loader.ts';
import type { Scope } from '../upstream/calls/attempt.ts';
import type { Caller } from '../upstream/calls/read.ts';
import type { Credential, Credentials, Identity } from '../upstream/credentials/credentials.ts';
import { createLifetimes } from '../runtime/request-lifetime.ts';
import type { StartTrace, TraceContext } from '../upstream/wire/trace-context.ts';
import type { Write } from '../upstream/operation.ts';
import type { Operations } from '../upstream/operations.ts';
import { readConnection, type List, type ListArguments } from '../upstream/paging/list.ts';

const maxCredentialBytes = 4096;

/** What the log tells of a request, gathered on its way. */
interface Tally {
  /** Calls that were sent to the service. */
  calls: number;
  operation: string | undefined;
  type: 'query' | 'mutation' | 'subscription' | undefined;
  /** Of all errors, in their order. */
  codes: readonly string[];
}

/** What resolvers have of a request. No credential is in it: those stay inside `load`, `list` and `send`. */
export interface Context {
  readonly requestId: string;
  /** When its body had arrived, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** A short fingerprint of the caller. */
  readonly caller: string;
  readonly tally: Tally;
  readonly operations: Operations;
  readonly load: Loader['load'];
  /** A page of a list as a connection. */
  readonly list: <Value>(
    list: List<Value>,
    args: ListArguments<Value>,
  ) => Connection<Value> | Promise<Connection<Value>>;
  /** Sends a write, once; `info` says of which field of the operation. */
  readonly send: <Input extends object, Value>(
    operation: Write<Input, Value>,
    input: Input & { readonly idempotencyKey?: string | null },
    info: GraphQLResolveInfo,
  ) => Promise<WriteResult<Value>>;
  /** For when the client was answered or has gone: nobody waits for anything any more. */
  readonly end: () => void;
}

export interface ContextOptions {
  readonly operations: Operations;
  readonly caller: Caller;
  readonly identify: (credentials: Credentials) => Identity;
  readonly startTrace: StartTrace;
  /** The inbound headers that carry the credentials. */
  readonly bearerHeader: string;
  readonly privateKeyHeader: string;
  readonly requestTimeoutMs: number;
}

export interface RequestInfo {
  readonly requestId: string;
  readonly headers: HeaderLines;
}

/** Compiles how an HTTP request becomes the context of its GraphQL operation. */
export function createContextFactory(options: ContextOptions): (request: RequestInfo) => Context {
  const { operations, caller, identify, startTrace, bearerHeader, privateKeyHeader, requestTimeoutMs } = options;
  const beginLifetime = createLifetimes(requestTimeoutMs);
  const readCredentials = createCredentialReader(bearerHeader, privateKeyHeader);
  return ({ requestId, headers }) => {
    const lifetime = beginLifetime();
    const trace = startTrace(readTraceContext(headers));
    const credentials = readCredentials(headers);
    const { name, callers } = identify(credentials);
    const tally: Tally = { calls: 0, operation: undefined, type: undefined, codes: [] };
    const scope: Scope = {
      requestId,
      caller: name,
      wallet: { credentials, callers, rejected: [], passes: new Map() },
      lifetime,
      tally,
      spent: { calls: 0 },
      trace,
    };
    const { load, clear } = createLoader((operation, request) => caller.read(operation, request, scope));
    return {
      requestId,
      startedAt: performance.now(),
      caller: scope.caller,
      tally,
      operations,
      load,
      list: (list, args) => readConnection(list, load, args),
      send: async (operation, { idempotencyKey, ...given }, info) => {
        const input = given as Parameters<typeof operation.prepare>[0]; // the operation's own input, but for the key
        const key = operation.creates ? keyOf(idempotencyKey, headers('idempotency-key'), info) : undefined;
        // GraphQL runs writes one after the other, so nothing is read between this and the answer.
        clear();
        const result = await caller.write(operation, input, scope, key);
        if (result.record !== null || result.userErrors.length > 0 || operation.readBack === undefined) return result;
        const { operation: read, input: identifier } = operation.readBack(input);
        // The write has happened: a failure to read it back is the record's error, not the write's.
        const record = await load(read, identifier).catch((error: GatewayError) => error);
        return { record, userErrors: [] };
      },
      end: () => {
        lifetime.end();
        trace.end(tally.type, tally.codes);
      },
    };
  };
}

function createCredentialReader(bearerHeader: string, privateKeyHeader: string): (headers: HeaderLines) => Credentials {
  const [bearerName, privateKeyName] = [bearerHeader.toLowerCase(), privateKeyHeader.toLowerCase()];
  return (headers) => ({
    bearer: readCredential(bearerHeader, headers(bearerName), /^Bearer [\x21-\x7e]+$/i),
    privateKey: readCredential(privateKeyHeader, headers(privateKeyName), /^[\x21-\x7e]+$/),
  });
}

/** Exactly one value, visible ASCII, at most 4 KiB: anything else is not passed on, nor cut to fit. */
function readCredential(header: string, values: readonly string[] | undefined, shape: RegExp): Credential {
  const value = values?.[0];
  if (values === undefined || value === undefined) return { header, value: undefined, fault: 'missing' };
  if (values.length > 1 || value.length > maxCredentialBytes || !shape.test(value)) {
    return { header, value: undefined, fault: 'malformed' };
  }
  return { header, value, fault: undefined };
}

/** W3C trace context; whatever is not one is not passed on. */
function readTraceContext(headers: HeaderLines): TraceContext | undefined {
  const [traceparent, ...more] = headers('traceparent') ?? [];
  if (traceparent === undefined || more.length > 0) return undefined;
  if (!/^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(traceparent)) return undefined;
  const tracestate = headers('tracestate')?.join(',');
  return { traceparent, tracestate: /^[\x20-\x7e]{1,512}$/.test(tracestate ?? '') ? tracestate : undefined };
}
