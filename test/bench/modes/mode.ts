import { median } from '../median.ts';
import type { SendLoad } from '../load.ts';
import type { Options } from '../options.ts';

/** What a mode is given. The programs that it starts are ended after it. */
export interface Bench {
  /** Holds the upstream's answers, and takes the programs' output. */
  readonly folder: string;
  readonly send: SendLoad;
  readonly options: Options;
}

/** What `--only` names; the end where it names nothing. */
export function selectNamed<Named extends { readonly name: string }>(
  all: readonly Named[],
  only: string,
): readonly Named[] {
  const selected = all.filter(({ name }) => name.includes(only));
  if (selected.length > 0) return selected;
  console.error(`bench: --only “${only}” is in none of ${all.map(({ name }) => `“${name}”`).join(', ')}`);
  return process.exit(2);
}

/** The median, and between what it lies: `1.02 (0.98–1.10)`. */
export function spread(values: readonly number[], digits: number): string {
  const range = `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
  return `${median(values).toFixed(digits)} (${range})`;
}

/** A table that reads well on a terminal and in Markdown. */
export function printTable(titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  console.log(
    [line(titles), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n'),
  );
}
