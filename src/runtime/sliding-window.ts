const seconds = 10;

/** Counts of the last ten seconds, second by second. */
export interface Recent<Counts> {
  /** The counts of the second of this moment of `performance.now()`, to add to. */
  readonly at: (now: number) => Counts;
  /** All that are younger than ten seconds. */
  readonly all: () => readonly Counts[];
  readonly clear: () => void;
}

export function createRecent<Counts>(begin: () => Counts): Recent<Counts> {
  let counted: { readonly second: number; readonly counts: Counts }[] = [];
  return {
    at: (now) => {
      const second = Math.floor(now / 1000);
      const last = counted.at(-1);
      if (last?.second === second) return last.counts;
      const counts = begin();
      counted = [...counted.filter((old) => old.second > second - seconds), { second, counts }];
      return counts;
    },
    all: () => {
      const oldest = Math.floor(performance.now() / 1000) - seconds;
      return counted.filter(({ second }) => second > oldest).map(({ counts }) => counts);
    },
    clear: () => {
      counted = [];
    },
  };
}
