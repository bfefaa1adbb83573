const maxKept = 1_000;

/** Values by two labels, handed on in bulk: a registry's own book-keeping costs more than ours. */
export interface Gathering<First, Second> {
  readonly add: (first: First, second: Second, value: number) => void;
  /** Hands on what is kept. */
  readonly flush: () => void;
}

/** Both labels are ours, so that there are not many; of their values no more are kept than a thousand. */
export function gather<First, Second>(
  onBulk: (first: First, second: Second, values: readonly number[]) => void,
): Gathering<First, Second> {
  const kept = new Map<First, Map<Second, number[]>>();
  let count = 0;
  const flush = (): void => {
    for (const [first, seconds] of kept) for (const [second, values] of seconds) onBulk(first, second, values);
    kept.clear();
    count = 0;
  };
  const listOf = (first: First, second: Second): number[] => {
    const seconds = kept.get(first) ?? new Map<Second, number[]>();
    const values = seconds.get(second) ?? [];
    kept.set(first, seconds.set(second, values));
    return values;
  };
  return {
    add: (first, second, value) => {
      (kept.get(first)?.get(second) ?? listOf(first, second)).push(value);
      count += 1;
      if (count >= maxKept) flush();
    },
    flush,
  };
}
