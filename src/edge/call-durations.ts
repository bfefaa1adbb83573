import type { OperationName } from '../upstream/contract.ts';

const maxKept = 1_000;

/** How long the calls of one operation took that had one status. */
export type OnDurations = (operation: OperationName, status: string, seconds: readonly number[]) => void;

/** Gathers what is told of every call and hands it on in bulk: a registry's own book-keeping costs more than ours. */
export interface CallDurations {
  readonly add: (operation: OperationName, status: string, seconds: number) => void;
  /** Hands on what is kept. */
  readonly flush: () => void;
}

export function gatherDurations(onDurations: OnDurations): CallDurations {
  const kept = new Map<OperationName, Map<string, number[]>>();
  let count = 0;
  const flush = (): void => {
    for (const [operation, statuses] of kept) {
      for (const [status, seconds] of statuses) onDurations(operation, status, seconds);
    }
    kept.clear();
    count = 0;
  };
  const listOf = (operation: OperationName, status: string): number[] => {
    const statuses = kept.get(operation) ?? new Map<string, number[]>();
    const seconds = statuses.get(status) ?? [];
    kept.set(operation, statuses.set(status, seconds));
    return seconds;
  };
  return {
    add: (operation, status, seconds) => {
      (kept.get(operation)?.get(status) ?? listOf(operation, status)).push(seconds);
      count += 1;
      if (count >= maxKept) flush();
    },
    flush,
  };
}
