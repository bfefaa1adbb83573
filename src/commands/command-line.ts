import { existsSync, realpathSync } from 'node:fs';
import { styleText } from 'node:util';
import { toPrintable } from '../runtime/printable.ts';
import { isRecord } from '../upstream/decoding/field-decoders.ts';

/** Whether two names lead to one file; false where one of them leads to none. */
export function isSameFile(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

/** The JSON object that is an option's value; throws `fault` for anything else. */
export function parseObject(json: string, fault: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    if (isRecord(value)) return value;
  } catch {
    // Named below: the parser's own message repeats the text.
  }
  throw new Error(fault);
}

/** Words that stand in a column of their own, each with its colour on a terminal. */
const colors: ReadonlyMap<string, 'green' | 'magenta' | 'red' | 'yellow'> = new Map([
  ['fact', 'green'],
  ['assumption', 'yellow'],
  ['decision', 'magenta'],
  ['undecided', 'magenta'],
  ['contradicted', 'red'],
  ['CONTRADICTED', 'red'],
  ['ok', 'green'],
  ['FAIL', 'red'],
  ['breaking', 'red'],
  ['dangerous', 'yellow'],
]);

/** Prints a text, or a report as JSON. Nothing is coloured where it is piped, or under NO_COLOR. */
export function printReport(report: unknown): void {
  const text = toPrintable(typeof report === 'string' ? report : `${JSON.stringify(report, null, 2)}\n`);
  const colored = text.replaceAll(/(?<=^| {2})\w+(?= {2}|$)/gm, (word) => {
    const color = colors.get(word);
    return color === undefined ? word : styleText(color, word);
  });
  process.stdout.write(colored);
}

/** One line on a terminal that says how far long work is; nothing where standard error is piped. */
export function createProgress() {
  const isShown = process.stderr.isTTY;
  return {
    show: (line: string): void => void (isShown && process.stderr.write(`\r\u001B[K${toPrintable(line)}`)),
    end: (): void => void (isShown && process.stderr.write('\r\u001B[K')),
  };
}
