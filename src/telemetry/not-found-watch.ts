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
  /** Only of operations that have answered nothing else. */
  const notFound = new Map<OperationName, number>();
  const answered = new Set<OperationName>();
  return ({ operation, result: { kind, status = 0 } }) => {
    if (kind !== 'answer' || answered.has(operation) || inconclusiveStatuses.has(status) || status >= 500) return;
    const count = notFound.get(operation) ?? 0;
    if (status !== 404) {
      answered.add(operation);
      if (count >= suspiciousCount) onChange(operation, false);
      return;
    }
    notFound.set(operation, count + 1);
    if (count + 1 !== suspiciousCount) return;
    onChange(operation, true);
    const row = `${operation}.path`;
    log.warn({ operation, row, answers: suspiciousCount }, 'nothing but 404 since the start: is the path right?');
  };
}
