const seconds = 10;

/** Counts of the last ten seconds, one entry for each second. */
export interface SlidingWindow<Counts> {
  /** The counts of the second of `now` (milliseconds of `performance.now()`), to add to. */
  readonly at: (now: number) => Counts;
  readonly all: () => readonly Counts[];
}

export function createSlidingWindow<Counts>(create: () => Counts): SlidingWindow<Counts> {
  let entries: { readonly second: number; readonly counts: Counts }[] = [];
  return {
    at: (now) => {
      const second = Math.floor(now / 1000);
      const last = entries.at(-1);
      if (last?.second === second) return last.counts;
      const counts = create();
      entries = [...entries.filter((entry) => entry.second > second - seconds), { second, counts }];
      return counts;
    },
    all: () => {
      const oldest = Math.floor(performance.now() / 1000) - seconds;
      return entries.filter(({ second }) => second > oldest).map(({ counts }) => counts);
    },
  };
}
