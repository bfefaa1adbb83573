import { readFileSync } from 'node:fs';

/** Evaluated before what takes long to load, since `cli.ts` imports this module first: the parent may end meanwhile. */
const parent = process.ppid;

/** Whether npx, our parent, has ended. Where it did so before this module was evaluated, process 1 is not npx. */
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
