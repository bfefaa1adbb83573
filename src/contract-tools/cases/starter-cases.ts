import { isList } from '../../contract/operation-rows.ts';
import { stringify } from 'yaml';
import type { Contract } from '../../contract/contract.ts';
import { isContradiction, parseBody, type Reading } from '../../upstream/index.ts';
import { errorsIn, judge } from '../judge.ts';
import type { Sample } from '../sample.ts';
import { closeList, createFake } from './fake-body.ts';
import { resultOf } from './test-cases.ts';

const maxSamples = 100;

/**
 * The text of a cases file for `contract test`: one case for each operation and outcome, its values replaced by obviously
 * fake ones of the same shape, with what the contract makes of it as its expectation. A sample that waits
 * for a decision, that the contract cannot read, or whose fake does not fit, is left out, and named.
 */
export async function starterCases(samples: readonly Sample[], contract: Contract): Promise<string> {
  const fake = createFake(contract);
  const cases = new Map<string, object>();
  const leftOut: string[] = [];
  for (const sample of samples.filter(({ body }) => body !== undefined).slice(0, maxSamples)) {
    const { operation, status } = sample;
    const input = fake(sample.input) as Sample['input']; // a flat map stays one
    const body = fake(sample.body);
    if (isList(operation)) closeList(contract, operation, body);
    const bytes = Buffer.from(JSON.stringify(body));
    const { reading: original } = await judge(sample, contract);
    const { reading } = await judge({ operation, status, headers: {}, input, body: parseBody(bytes), bytes }, contract);
    // A refusal that no row explains is no outcome that a contract is held to.
    if (status >= 300 && reading.error !== undefined && isContradiction(reading.error)) continue;
    const name = `${operation}, HTTP ${status}, ${endOf(reading)}`;
    const expect = simplify(resultOf(reading));
    // A file with an empty expectation is refused.
    const isEmpty = typeof expect === 'object' && expect !== null && Object.keys(expect).length === 0;
    if (isMisread(status, reading) || endOf(original) !== endOf(reading)) leftOut.push(name);
    else if (!isEmpty && !cases.has(name)) cases.set(name, { name, operation, status, input, body, expect });
  }
  const why = 'a decision is open, a row does not fit, or a made-up value does not';
  const head = [
    '# Run by: settlement-graph contract test FILE. Values are made up, in the shape of what was seen.',
    ...[...new Set(leftOut)].map((name) => `# Left out, since ${why}: ${name}`),
  ];
  return `${head.join('\n')}\n${stringify({ cases: [...cases.values()] }, { aliasDuplicateObjects: false })}`;
}

function endOf({ error, write }: Reading): string {
  return error?.code ?? write?.outcome ?? 'read';
}

/** Whether the contract is at fault rather than the sample: a decision is open, or a success is not read as one. */
function isMisread(status: number, reading: Reading): boolean {
  const isContradicted = errorsIn(reading.value).some((error) => isContradiction(error) && !isOpen(error.code));
  return isOpen(endOf(reading)) || (status < 300 && (isContradicted || endOf(reading) === 'not sent'));
}

function isOpen(code: string): boolean {
  return code === 'CONTRACT_UNDECIDED';
}

/** The expectation of a starter case, without nulls and values that a decision changes; code and row of an error. */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  const isError = Object.hasOwn(value, 'error');
  const fields = Object.entries(value).filter(([name, inner]) => {
    if (inner === null || name === 'message' || isUndecided(inner)) return false;
    return !isError || ['outcome', 'error', 'row'].includes(name);
  });
  return Object.fromEntries(fields.map(([name, inner]) => [name, simplify(inner)]));
}

function isUndecided(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'error' in value && isOpen(String(value.error));
}
