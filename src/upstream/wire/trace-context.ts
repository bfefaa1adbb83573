import type { Answer, Failure } from './http-client.ts';
import type { OperationName } from '../../contract/contract.ts';

/** A client's W3C trace context, as it was received. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** One attempt of a call within a trace. */
export interface CallTrace {
  /** The headers that pass the trace on to the service: names and values, alternating. */
  readonly headers: readonly string[];
  readonly end: (result: Answer | Failure) => void;
}

/** The end of a request, for its span. */
interface TracedRequest {
  readonly requestId: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The type of the GraphQL operation; undefined where none was found. */
  readonly type: string | undefined;
  /** Its name, where a trusted document gives it. */
  readonly trustedName: string | undefined;
  /** The codes of its errors. */
  readonly codes: readonly string[];
}

/** A request within a trace. */
export interface RequestTrace {
  /** For log lines; undefined where the request belongs to no trace. */
  readonly traceId: string | undefined;
  readonly startCall: (operation: OperationName) => CallTrace;
  readonly end: (request: TracedRequest) => void;
}

/** `method` is that of the client's HTTP request. */
export type StartTrace = (parent: TraceContext | undefined, method: string) => RequestTrace;

/** Records no spans, and passes the client's own trace context on. */
export function passTraceOn({ traceparent, tracestate }: Partial<TraceContext> = {}): RequestTrace {
  const headers = Object.entries({ traceparent, tracestate }).flatMap(([name, value]) => (value ? [name, value] : []));
  const call: CallTrace = { headers, end: () => {} };
  return { traceId: traceparent?.split('-')[1], startCall: () => call, end: () => {} };
}
