const seconds = 10;

/** Counts of the last ten seconds, second by second. */
export interface Recent<Counts> {
  /** The counts of this second, to add to. */
  readonly current: () => Counts;
  /** All that are younger than ten seconds. */
  readonly all: () => readonly Counts[];
  readonly clear: () => void;
}

export function createRecent<Counts>(begin: () => Counts): Recent<Counts> {
  let counted: { readonly second: number; readonly counts: Counts }[] = [];
  const thisSecond = (): number => Math.floor(performance.now() / 1000);
  return {
    current: () => {
      const second = thisSecond();
      const last = counted.at(-1);
      if (last?.second === second) return last.counts;
      const counts = begin();
      counted = [...counted.filter((old) => old.second > second - seconds), { second, counts }];
      return counts;
    },
    all: () => {
      const oldest = thisSecond() - seconds;
      return counted.filter(({ second }) => second > oldest).map(({ counts }) => counts);
    },
    clear: () => {
      counted = [];
    },
  };
}
