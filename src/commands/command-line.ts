import { existsSync, realpathSync } from 'node:fs';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { toPrintable } from '../runtime/printable.ts';
import { isRecord } from '../upstream/decoding/field-decoders.ts';

/** Forms of an option for `parseArgs`: without a value, and with one. */
export const flag = { type: 'boolean' } as const;
export const text = { type: 'string' } as const;

/** The one file that a command names, and its options; throws `fault` where it names none or several files. */
export function parseFileCommand<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  fault: string,
) {
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Error(fault);
  return { file, values };
}

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

/** Prints a text, or a report as JSON. */
export function printReport(report: unknown): void {
  process.stdout.write(toPrintable(typeof report === 'string' ? report : `${JSON.stringify(report, null, 2)}\n`));
}

/** One line on a terminal that says how far long work is; nothing where standard error is piped. */
export function createProgress() {
  const isShown = process.stderr.isTTY;
  return {
    show: (line: string): void => void (isShown && process.stderr.write(`\r\u001B[K${toPrintable(line)}`)),
    end: (): void => void (isShown && process.stderr.write('\r\u001B[K')),
  };
}
