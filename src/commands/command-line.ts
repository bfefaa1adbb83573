import { toPrintable } from '../runtime/printable.ts';

/** The one file that a command names; throws `fault` where it names none or several. */
export function onlyFile(positionals: readonly string[], fault: string): string {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Error(fault);
  return file;
}

/** Prints a text, or a report as JSON. */
export function printReport(report: unknown): void {
  process.stdout.write(toPrintable(typeof report === 'string' ? report : `${JSON.stringify(report, null, 2)}\n`));
}
