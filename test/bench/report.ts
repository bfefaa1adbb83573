import { median, type Comparison } from './comparison.ts';

export const comparisonTitles = [
  'question',
  'calls',
  'gateway: CPU µs, requests/s, p50, p99',
  'by hand: CPU µs, requests/s, p50, p99',
  'CPU ratio (lowest–highest)',
];

/** Medians of the rounds; the ratio is of each pair of rounds, then the median. */
export function comparisonRow({ question, gateway, handWritten }: Comparison): readonly string[] {
  const ratios = gateway.map(({ cpuUs }, index) => cpuUs / (handWritten[index]?.cpuUs ?? Number.NaN));
  const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return [
    question.name,
    String(question.calls),
    summary(gateway),
    summary(handWritten),
    `${median(ratios).toFixed(2)} (${range})`,
  ];
}

function summary(rounds: Comparison['gateway']): string {
  const of = (value: (round: Comparison['gateway'][number]) => number): number => median(rounds.map(value));
  const perSecond = of(({ requests, seconds }) => requests / seconds);
  const times = `${of(({ p50Ms }) => p50Ms).toFixed(1)} ms, ${of(({ p99Ms }) => p99Ms).toFixed(1)} ms`;
  return `${of(({ cpuUs }) => cpuUs).toFixed(0)}, ${perSecond.toFixed(0)}, ${times}`;
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
