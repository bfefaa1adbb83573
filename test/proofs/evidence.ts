import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/** What a proof counted, in one line for people. */
export interface Figure {
  readonly proof: string;
  readonly figure: string;
}

/** Hands a figure to `npm run proofs`, which prints it; does nothing in a run that nobody asked figures of. */
export function record(proof: string, figure: string): void {
  const file = process.env['PROOF_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ proof, figure } satisfies Figure)}\n`);
}

export const isFull = process.env['PROOFS'] === 'full';

/** The full count in a full run, else a tenth of it, at least one. */
export function scaled(count: number): number {
  return isFull ? count : Math.max(1, Math.round(count / 10));
}

/** Whether a proof must be skipped because a program is not installed, said in one line; a build machine must have it. */
export function isMissing(program: string): boolean {
  if (spawnSync('which', [program], { env: { PATH: `${process.env['PATH']}:/usr/sbin` } }).status === 0) return false;
  if (process.env['CI'] === 'true') throw new Error(`${program} is not installed`);
  process.stdout.write(`skipped: ${program} is not installed\n`);
  return true;
}
