import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../contract/contract.ts';
import { isRecord, type Reading } from '../../upstream/index.ts';
import { judge, toPlain } from '../judge.ts';
import type { Case } from './case-file.ts';

const maxShownLength = 200;

/** A difference at a place such as `nodes.0.amount`; `found` is undefined where there is nothing. */
interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

export async function testCases(contract: Contract, cases: readonly Case[]) {
  const results = [];
  for (const { name, line, sample, first, request, expected } of cases) {
    const { reading } = await judge(sample, contract, first);
    const differences = [...compare('', expected, resultOf(reading))];
    const text = reading.write?.request;
    const sent: unknown = text?.startsWith('{') ? JSON.parse(text) : text; // the text of a form is compared whole
    if (request !== undefined && !isDeepStrictEqual(request, sent))
      differences.push({ path: 'request', expected: request, found: sent });
    results.push({ name, line, operation: sample.operation, passed: differences.length === 0, differences });
  }
  return results;
}

/** A client's answer in the form of a case: of a read the value or `{error, …}`, of a write `{outcome, record, …}`. */
export function resultOf({ value, write, error }: Reading): unknown {
  const plain = toPlain(value);
  if (write === undefined) return plain;
  const { outcome, evidence, userErrors } = write;
  const end = error === undefined ? { record: plain, userErrors } : plain;
  return { outcome, ...(evidence === undefined ? {} : { evidence }), ...(end as object) }; // either is an object
}

/** Compares the expected fields of an object, and every entry of a list. */
function compare(path: string, expected: unknown, found: unknown): readonly Difference[] {
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (isRecord(expected) && isRecord(found) && !isUnexpectedError(expected, found)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      compare(below(name), value, Object.hasOwn(found, name) ? found[name] : undefined),
    );
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    return expected.flatMap((value: unknown, index) => compare(below(String(index)), value, found[index]));
  }
  return isDeepStrictEqual(expected, found) ? [] : [{ path: path || '(the answer)', expected, found }];
}

/** An error in place of an object is reported whole: its missing fields would not show the cause. */
function isUnexpectedError(expected: object, found: object): boolean {
  return Object.hasOwn(found, 'error') && !Object.hasOwn(expected, 'error') && !Object.hasOwn(found, 'outcome');
}

/** Formats the result: one line for each case, its differences below it, and the counts. */
export function printResults(results: Awaited<ReturnType<typeof testCases>>, file: string, source: string): string {
  const lines = results.flatMap(({ name, line, passed, differences }) => [
    passed ? `ok    ${name}` : `FAIL  ${name} (${file}:${line})`,
    ...differences.map(
      ({ path, expected, found }) => `        ${path}: expected ${show(expected)}, found ${show(found)}`,
    ),
  ]);
  const failed = results.filter(({ passed }) => !passed).length;
  return `${lines.join('\n')}\n\n${results.length - failed} passed, ${failed} failed, under ${source}\n`;
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
