import type { OperationName } from '../contract/contract.ts';
import type { Logger } from '../runtime/log.ts';
import type { CallObserver } from '../upstream/calls/call-observer.ts';

const suspiciousCount = 20;
/** Statuses that are no evidence about a path: those of credentials, limits and proxies. */
const inconclusiveStatuses: ReadonlySet<number> = new Set([401, 403, 405, 407, 408, 421, 429]);

/**
 * Notices an operation that has answered nothing but 404 since the start: its path is most likely wrong, which reads to
 * clients as a record that does not exist. `onChange` is called when that becomes so, and when it ends.
 */
export function createNotFoundWatch(
  log: Logger,
  onChange: (operation: OperationName, isSuspicious: boolean) => void,
): CallObserver['onCall'] {
  /** Answers of 404 of each operation; no number once it has answered anything else. */
  const counts = new Map<OperationName, number>();
  return ({ operation, result: { kind, status = 0 } }) => {
    if (kind !== 'answer' || inconclusiveStatuses.has(status) || status >= 500) return;
    const count = counts.get(operation) ?? 0;
    counts.set(operation, status === 404 ? count + 1 : Number.NaN);
    if (status !== 404 && count >= suspiciousCount) onChange(operation, false);
    if (status !== 404 || count + 1 !== suspiciousCount) return;
    onChange(operation, true);
    const row = `${operation}.path`;
    log.warn({ operation, row, answers: suspiciousCount }, 'nothing but 404 since the start: is the path right?');
  };
}
