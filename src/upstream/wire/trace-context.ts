import type { Answer, Failure } from './http-client.ts';
import type { OperationName } from '../../contract/contract.ts';

/** A caller's W3C trace context, as it came. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** One try of a call within a trace. */
export interface CallTrace {
  /** Names and values in turn of the headers that pass the trace on to the service. */
  readonly headers: readonly string[];
  readonly end: (result: Answer | Failure) => void;
}

/** A request within a trace. */
export interface RequestTrace {
  readonly startCall: (operation: OperationName) => CallTrace;
  /** `type` is the GraphQL operation's, `codes` those of its errors. */
  readonly end: (type: string | undefined, codes: readonly string[]) => void;
}

export type StartTrace = (parent: TraceContext | undefined) => RequestTrace;

/** Records nothing, and passes the caller's own context on. */
export const passTraceOn: StartTrace = (parent) => (parent === undefined ? noTrace : passing(headersOf(parent)));

function passing(headers: readonly string[]): RequestTrace {
  const call: CallTrace = { headers, end: () => {} };
  return { startCall: () => call, end: () => {} };
}

const noTrace = passing([]);

function headersOf({ traceparent, tracestate }: TraceContext): readonly string[] {
  return ['traceparent', traceparent, ...(tracestate === undefined ? [] : ['tracestate', tracestate])];
}
