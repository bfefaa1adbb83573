import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Contract } from '../../contract/contract.ts';
import { isList, isWrite, operationNames } from '../../contract/operation-rows.ts';
import { isPlainFile, parsePlainYaml } from '../../contract/plain-yaml.ts';
import { nearestName } from '../../runtime/nearest-name.ts';
import { isRecord, parseBody, type Reading } from '../../upstream/index.ts';
import { judge, toPlain } from '../judge.ts';
import { findInputFault } from '../operation-kinds.ts';
import type { Sample } from '../sample.ts';

const maxCases = 500;

const inputValue = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'a text, a number, true or false',
});
const expectation = z
  .record(z.string(), z.json(), { error: 'a map of what a client gets, such as { firstName: Ada }, or null' })
  .refine((fields) => Object.keys(fields).length > 0, 'one field or more')
  .nullable();

const describeUnknown = (name: string): string =>
  `an operation; did you mean ${nearestName(name, operationNames).name}? All: ${operationNames.join(', ')}`;

const caseSchema = z.strictObject(
  {
    name: z.string({ error: 'a text' }).min(1, 'a text'),
    operation: z.enum(operationNames, { error: ({ input }) => describeUnknown(String(input).slice(0, 60)) }),
    status: z.int({ error: 'an HTTP status from 200 to 599' }).min(200).max(599).default(200),
    headers: z
      .record(z.string().toLowerCase(), z.string({ error: 'a text' }), { error: 'a map of header names to texts' })
      .default({}),
    body: z.json().optional(),
    text: z.string({ error: 'a text: the body as it stands on the wire' }).optional(),
    id: z.string({ error: 'a text' }).optional(),
    first: z.int().min(1).max(100).optional(),
    input: z.record(z.string(), inputValue, { error: 'a map of input fields' }).optional(),
    request: z.json().optional(),
    expect: expectation,
  },
  {
    error: ({ code }) =>
      code === 'invalid_type' ? 'a case, with name, operation, body or text, and expect' : undefined,
  },
);

/** The schema of a file of cases, for a contract, whose extra rows may add inputs. */
function createFileSchema(contract: Contract) {
  const checkedCase = caseSchema.superRefine((one, context) => {
    const report = (key: string, message: string, ...below: readonly string[]): void =>
      context.addIssue({ code: 'custom', path: [key, ...below], message });
    if (one.body !== undefined && one.text !== undefined) report('text', '`body` or `text`, not both');
    if (one.request !== undefined && !isWrite(one.operation)) report('request', 'nothing: a read sends no body');
    if (one.first !== undefined && !isList(one.operation)) report('first', 'nothing: only lists have it');
    const fault = findInputFault(contract, one.operation, one.input);
    if (fault !== undefined) report('input', fault.allowed, ...(fault.field === undefined ? [] : [fault.field]));
  });
  return z.strictObject(
    {
      cases: z
        .array(checkedCase, { error: 'a list of cases' })
        .min(1, 'one case or more')
        .max(maxCases, `at most ${maxCases} cases`),
    },
    { error: ({ code }) => (code === 'invalid_type' ? 'a map with `cases`' : undefined) },
  );
}

/** One case: an answer, and what must be read from it. */
interface Case {
  readonly name: string;
  /** The line of the case in its file. */
  readonly line: number;
  readonly sample: Sample;
  /** How many records of a list are asked for; by default the page size that the answer shows. */
  readonly first: number | undefined;
  /** The body that a write must have sent; undefined where that is not checked. */
  readonly request: unknown;
  /** The answer that a client must get. Of an object only the named fields are compared, of a list all entries. */
  readonly expected: unknown;
}

/** Reads the cases of a YAML or JSON file. Throws one Error for all its faults, as `file:line: key: found …; allowed: …`. */
export function parseCases(text: string, file: string, contract: Contract): readonly Case[] {
  const plain = parsePlainYaml(text, file);
  if (!isPlainFile(plain)) throw new Error(plain.join('\n'));
  const fileSchema = createFileSchema(contract);
  const parsed = fileSchema.safeParse(plain.document.toJS({ maxAliasCount: 0 }));
  if (!parsed.success) {
    const faults = parsed.error.issues.flatMap((issue) => {
      const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
      if (issue.code !== 'unrecognized_keys') return [plain.describeFault(path, issue.message)];
      const allowed = `${Object.keys(path.length === 0 ? fileSchema.shape : caseSchema.shape).join(', ')} only`;
      return issue.keys.map((key) => plain.describeFault([...path, key], allowed));
    });
    throw new Error(faults.join('\n'));
  }
  return parsed.data.cases.map((one, index): Case => {
    const { name, operation, status, headers, body, text: bare = '', id, input, first, request, expect } = one;
    const bytes = Buffer.from(body === undefined ? bare : JSON.stringify(body));
    const line = plain.lineOf(['cases', index]);
    const sample = { operation, status, headers, body: parseBody(bytes), bytes, id, input };
    return { name, line, sample, first, request, expected: expect };
  });
}

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
