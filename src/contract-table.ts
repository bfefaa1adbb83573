import { styleText } from 'node:util';
import type { RowDescription } from './upstream/contract.ts';

const kindStyles = { fact: 'green', assumption: 'yellow', decision: 'magenta' } as const;

/** The contract for a terminal, aligned and coloured, or for programs as a JSON array of its rows. */
export function printContract(
  rows: readonly RowDescription[],
  { json, color }: { readonly json: boolean; readonly color: boolean },
): string {
  if (json) return `${JSON.stringify(rows, null, 2)}\n`;
  const idWidth = Math.max(...rows.map(({ id }) => id.length));
  const paint = (style: (typeof kindStyles)[keyof typeof kindStyles], text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const lines = rows.map(({ id, kind, state, value, source }) => {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    return `${id.padEnd(idWidth)}  ${paint(kindStyles[kind], kind.padEnd(10))}  ${state.padEnd(10)}  ${shown}  (${source})`;
  });
  const count = (kind: RowDescription['kind']): number => rows.filter((row) => row.kind === kind).length;
  const undecided = rows.filter(({ state }) => state === 'undecided').length;
  const summary = `${count('fact')} facts, ${count('assumption')} assumptions, ${count('decision')} decisions (${undecided} undecided)`;
  return `${lines.join('\n')}\n\n${summary}\n`;
}
