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

/** The full count in a full run, else a tenth of it, at least one. */
export function scaled(count: number): number {
  return process.env['PROOFS'] === 'full' ? count : Math.max(1, Math.round(count / 10));
}
