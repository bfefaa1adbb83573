import { readFileSync } from 'node:fs';

/** The parent at the start: `cli.ts` imports this module first, since the parent may end while the others load. */
const parent = process.ppid;

/** Whether npx, the parent, has ended. If it ended before this module was loaded, the parent is process 1, which is not npx. */
export function hasNpxEnded(): boolean {
  return process.ppid !== parent || (parent === 1 && !isNpx(parent));
}

/** Whether the process is npx, which sets its title; true where that cannot be read. In a container npx may be process 1. */
function isNpx(id: number): boolean {
  try {
    return /\bnp[mx]\b/.test(readFileSync(`/proc/${id}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}
