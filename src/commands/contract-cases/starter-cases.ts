import { stringify } from 'yaml';
import { contractOfList, type Contract, type OperationName } from '../../contract/contract.ts';
import { closeList, createFake } from './fake-body.ts';
import type { SavedAnswer } from './saved-answer.ts';
import { isList, type Input } from '../operation-kinds.ts';
import { errorsIn } from './field-findings.ts';
import { contradictions, createRunner, type Reading } from './run-answer.ts';
import { resultOf } from './test-cases.ts';

export const maxSamples = 100;

/** An answer that was observed, or that the vendor's file shows. */
export interface Sample {
  readonly operation: OperationName;
  readonly status: number;
  readonly body: unknown;
  /** The input of a write, by the graph's names. */
  readonly input?: Input | undefined;
}

/**
 * The text of a cases file for `contract test`: one case for each operation and outcome, its values replaced by obviously
 * fake ones of the same shape, with what the contract makes of it as its expectation. A sample that waits
 * for a decision, that the contract cannot read, or whose fake does not fit, is left out, and named.
 */
export async function starterCases(samples: readonly Sample[], contract: Contract): Promise<string> {
  const run = createRunner(contract);
  const fake = createFake(contract);
  const cases = new Map<string, object>();
  const leftOut: string[] = [];
  for (const { operation, status, body, input } of samples.slice(0, maxSamples)) {
    const sent = input === undefined ? {} : { input: fake(input) as Input }; // a flat map stays one
    const fakeBody = fake(body);
    if (isList(operation)) closeList(contractOfList(contract, operation), fakeBody);
    const original = await run({ operation, answer: toAnswer(status, body), input });
    const reading = await run({ operation, answer: toAnswer(status, fakeBody), ...sent });
    const name = `${operation}, HTTP ${status}, ${endOf(reading)}`;
    if (isMisread(status, reading) || endOf(original) !== endOf(reading)) leftOut.push(name);
    else if (!cases.has(name))
      cases.set(name, { name, operation, status, ...sent, body: fakeBody, expect: simplify(resultOf(reading)) });
  }
  const head = [
    '# Run by: settlement-graph contract test FILE. Values are made up, in the shape of what was seen.',
    ...[...new Set(leftOut)].map(
      (name) => `# Left out, since a decision is open, a row does not fit, or a made-up value does not: ${name}`,
    ),
  ];
  return `${head.join('\n')}\n${stringify({ cases: [...cases.values()] }, { aliasDuplicateObjects: false })}`;
}

export function toAnswer(status: number, body: unknown): SavedAnswer {
  return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
}

function endOf({ error, write }: Reading): string {
  return error?.code ?? write?.outcome ?? 'read';
}

/** Whether the contract is at fault rather than the sample: a decision is open, or a success is not read as one. */
function isMisread(status: number, reading: Reading): boolean {
  const isContradicted = errorsIn(reading.value).some(({ code }) => contradictions.has(code) && !isOpen(code));
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
