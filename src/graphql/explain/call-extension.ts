import { pathTemplate, type Contract } from '../../contract/contract.ts';
import type { OperationListener } from '../operation-listener.ts';
import type { RecordedCall } from './call-recorder.ts';
import type { createCurl } from './curl.ts';

/**
 * Adds `extensions.calls` and `extensions.cost` to the answers of requests with `x-explain: calls`. Entries name
 * operations of the contract and fields of the schema; no identifier, no value and no text of the service is in them.
 * With `x-explain: requests`, in development, an entry has the path and the body that were sent, and a `curl` command of
 * the call, never a credential.
 */
export function createCallExtension(contract: Contract, toCurl: ReturnType<typeof createCurl>): OperationListener {
  const sentBy = ({ operation, request }: RecordedCall) =>
    request && { request: { path: request.path, body: request.body, curl: toCurl(operation, request) } };
  return {
    onAnswer: (answer, { recorder, startedAt }) => {
      if (recorder === undefined) return;
      const { calls, cost, showsRequests } = recorder;
      const entries = calls
        .filter(wasCalled)
        .map((call) => ({ ...toEntry(contract, call, startedAt), ...(showsRequests && sentBy(call)) }));
      answer.extensions = { ...answer.extensions, calls: entries, ...(cost && { cost }) };
    },
  };
}

/** A call may be refused before it begins: for its budget, a missing credential, or a fault of its input. */
function wasCalled({ tries, result, write }: RecordedCall): boolean {
  return tries > 0 || result !== undefined || write !== undefined;
}

function toEntry(contract: Contract, call: RecordedCall, requestStartedAt: number) {
  const { operation, use, tries, startedAt, sentAt, result } = call;
  const now = performance.now();
  const { endedAt = now, arrivedAt = endedAt } = call;
  // A write may still be on the wire.
  const wireMs = result === undefined && sentAt !== undefined ? now - sentAt : call.wireMs;
  const { status = reasonOf(call), bytes = 0, reused = false } = result ?? {};
  return {
    operation,
    method: contract[`${operation}.method`],
    path: pathTemplate(contract, operation),
    ...(typeof status === 'number' ? { status } : { reason: status }),
    startMs: rounded(startedAt - requestStartedAt),
    waitMs: rounded(arrivedAt - startedAt - wireMs),
    wireMs: rounded(wireMs),
    decodeMs: rounded(Math.max(0, endedAt - arrivedAt)),
    tries,
    bytes,
    reused,
    fields: [...use.fields],
    uses: use.count,
    ...(call.isWrite && writeOf(call)),
  };
}

/** A write that is replayed has no attempt; a call may still be under way when the answer goes out. */
function reasonOf({ write }: RecordedCall): string {
  if (write === undefined) return 'unfinished';
  return write.key === 'new' || write.key === undefined ? write.outcome : 'replayed';
}

function writeOf({ write, tries }: RecordedCall) {
  if (write === undefined) return { outcome: tries > 0 ? 'unknown' : 'not sent' };
  const { outcome, evidence, key } = write;
  return { outcome, ...(evidence && { evidence }), ...(key && { key }) };
}

/** Milliseconds to a hundredth. */
function rounded(durationMs: number): number {
  return Math.round(durationMs * 100) / 100;
}
