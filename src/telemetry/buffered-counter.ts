/** Counts by two labels, handed on when somebody asks for them: a registry's own book-keeping costs more than ours. */
export interface Gathering<First, Second> {
  readonly add: (first: First, second: Second) => void;
  /** Hands on what was counted since. */
  readonly flush: () => void;
}

/** Both labels are ours, so that there are not many. */
export function gather<First, Second>(
  onCount: (first: First, second: Second, count: number) => void,
): Gathering<First, Second> {
  const counted = new Map<First, Map<Second, { count: number }>>();
  const begin = (first: First, second: Second): { count: number } => {
    const seconds = counted.get(first) ?? new Map<Second, { count: number }>();
    const own = { count: 0 };
    counted.set(first, seconds.set(second, own));
    return own;
  };
  return {
    add: (first, second) => {
      const own = counted.get(first)?.get(second) ?? begin(first, second);
      own.count += 1;
    },
    flush: () => {
      for (const [first, seconds] of counted) for (const [second, { count }] of seconds) onCount(first, second, count);
      counted.clear();
    },
  };
}
