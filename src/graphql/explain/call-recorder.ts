import type { OperationName } from '../../contract/contract.ts';
import type { CallObserver } from '../../upstream/calls/call-observer.ts';
import type { ServiceCalls } from '../../upstream/calls/service-calls.ts';
import type { CallRecord } from '../../upstream/calls/scope.ts';
import { requestKey, type Read } from '../../upstream/operation.ts';
import type { Answer, Failure } from '../../upstream/wire/http-client.ts';

/** The fields that share one answer. */
interface Use {
  readonly fields: Set<string>;
  /** How often the answer was loaded: once for each value of each field. */
  count: number;
}

export interface RecordedCall extends CallRecord {
  readonly operation: OperationName;
  readonly use: Use;
  readonly isWrite: boolean;
}

/** The calls of one request with `x-explain`. */
export interface CallRecorder {
  /** Whether the answer shows paths and bodies, too: `x-explain: requests`. */
  readonly showsRequests: boolean;
  /** The calls, in the order in which they began. */
  readonly calls: readonly RecordedCall[];
  /** The estimate; undefined until it is made. */
  cost: { readonly estimated: number; readonly maximum: number } | undefined;
  /** The functions that call the service, with a record of each call. */
  readonly serviceCalls: ServiceCalls;
  /** Called before each load of a read. A prefetch is no use. */
  readonly onLoad: <Input, Value>(operation: Read<Input, Value>, input: Input, field: string, isUse: boolean) => void;
  /** Called before each write, which also empties the loader. */
  readonly onWrite: (field: string) => void;
}

export function createCallRecorder(serviceCalls: ServiceCalls, showsRequests: boolean): CallRecorder {
  const calls: RecordedCall[] = [];
  let uses = new Map<string, Use>();
  let writeField = '';

  const useOf = (key: string): Use => {
    const use = uses.get(key) ?? { fields: new Set(), count: 0 };
    uses.set(key, use);
    return use;
  };
  const begin = (operation: OperationName, use: Use, isWrite: boolean): RecordedCall => {
    const startedAt = performance.now();
    const ends = {
      request: undefined,
      sentAt: undefined,
      arrivedAt: undefined,
      result: undefined,
      endedAt: undefined,
      write: undefined,
    };
    const record: RecordedCall = { operation, use, isWrite, startedAt, tries: 0, wireMs: 0, ...ends };
    calls.push(record);
    return record;
  };

  return {
    showsRequests,
    calls,
    cost: undefined,
    serviceCalls: {
      read: (operation, request, scope) => {
        const callRecord = begin(operation.name, useOf(`${operation.name} ${requestKey(request)}`), false);
        const value = serviceCalls.read(operation, request, { ...scope, callRecord });
        return value.finally(() => (callRecord.endedAt = performance.now()));
      },
      write: (operation, input, scope, key) => {
        const callRecord = begin(operation.name, { fields: new Set([writeField]), count: 1 }, true);
        return serviceCalls.write(operation, input, { ...scope, callRecord }, key);
      },
    },
    onLoad: (operation, input, field, isUse) => {
      try {
        const use = useOf(`${operation.name} ${requestKey(operation.request(input))}`);
        use.fields.add(field);
        if (isUse) use.count += 1;
      } catch {
        // The input is refused before any call.
      }
    },
    onWrite: (field) => {
      uses = new Map();
      writeField = field;
    },
  };
}

function toCallResult(result: Answer | Failure): CallRecord['result'] {
  if (result.kind === 'failure') return { status: result.reason, bytes: 0, reused: false };
  const { status, body, connection } = result;
  return { status, bytes: body.length, reused: (connection?.requests ?? 0) > 1 };
}

/** Completes the records of calls from the stream of their events. */
export const recordingObserver: Pick<CallObserver, 'onCall' | 'onWrite'> = {
  onCall: ({ scope: { callRecord }, result, wireMs }) => {
    if (callRecord === undefined) return;
    callRecord.wireMs += wireMs;
    callRecord.arrivedAt = performance.now();
    callRecord.result = toCallResult(result);
  },
  onWrite: ({ scope: { callRecord }, outcome, key, isRepeated, hasWaited, evidence }) => {
    if (callRecord === undefined) return;
    callRecord.endedAt = performance.now();
    const keyState = hasWaited ? 'in flight' : isRepeated ? 'replayed' : 'new';
    // A create that is not sent may be refused because of its key, or before its key is looked up.
    const hasState = key !== undefined && outcome !== 'not sent';
    callRecord.write = { outcome, evidence: evidence(), key: hasState ? keyState : undefined };
  },
};
