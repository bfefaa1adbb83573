import { existsSync, readFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';
import type { Figure } from './evidence.ts';

/** What was recorded so far; the last figure of a proof counts. */
export function readFigures(file: string): ReadonlyMap<string, string> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const figures = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Figure);
  return new Map(figures.map(({ proof, figure }) => [proof, figure]));
}

/** Prints the figures. Named before vitest's own reporter, so that its summary stays the last word. */
export default class FiguresReporter implements Reporter {
  onTestRunEnd(): void {
    const figures = [...readFigures(process.env['PROOF_FIGURES'] ?? '')];
    if (figures.length === 0) return;
    const width = Math.max(...figures.map(([proof]) => proof.length));
    const lines = figures.map(([proof, figure]) => `  ${proof.padEnd(width)}  ${figure}\n`);
    process.stdout.write(`\n${lines.join('')}`);
  }
}
