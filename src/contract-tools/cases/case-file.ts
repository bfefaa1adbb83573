import { isList, isWrite, operationNames } from '../../contract/operation-rows.ts';
import { z } from 'zod';
import type { Contract } from '../../contract/contract.ts';
import { isPlainFile, parsePlainYaml } from '../../contract/plain-yaml.ts';
import { nearestName } from '../../runtime/nearest-name.ts';
import { findInputFault } from '../operation-kinds.ts';
import { parseBody } from '../../upstream/index.ts';
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
export interface Case {
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
