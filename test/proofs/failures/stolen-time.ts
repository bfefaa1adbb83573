import { existsSync, readFileSync } from 'node:fs';

const file = '/proc/stat';

/** Begins to measure, and gives what ends it: the share of its processors' time that the host gave to others meanwhile. */
export function startStolenPart(): () => number {
  const before = processorTime();
  return () => {
    const after = processorTime();
    return (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  };
}

/** Ticks of all processors since the machine started, and of them what its host gave to others; zero where no file tells. */
function processorTime(): { readonly all: number; readonly stolen: number } {
  const [line = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  // user, nice, system, idle, iowait, irq, softirq, steal; guests' time is in user's already.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, part) => sum + part, 0), stolen: ticks[7] ?? 0 };
}
