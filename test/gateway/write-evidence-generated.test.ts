import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import type { Reply } from '../support/upstream.ts';
import { writes, type WriteCase } from '../support/write-cases.ts';

const runsPerWrite = 250;
const counts = { done: 0, refused: 0, unknown: 0 };

afterAll(() => {
  const told = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  console.info(`Generated answers to writes: ${told.join(', ')}`);
});

/** Members of a body, absent more often than not. */
const absent = { weight: 3, arbitrary: fc.constant(undefined) };
const oneOf = (...values: readonly unknown[]) => fc.oneof(absent, { weight: 4, arbitrary: fc.constantFrom(...values) });

const flags = fc.record({
  success: oneOf(true, false, null, 'yes'),
  status: oneOf('success', 'error', 'failed', 'pending', 200, 422, 503),
  error: oneOf(true, false, null, '', 'processor', { message: 'No.' }),
  errors: oneOf({ name: ['No.'] }, [{ field: 'name' }], {}, [], null),
  code: oneOf(0, 200, '00', 'ok', 'processor_error', 400, 401, 404, 408, 409, 418, 422, 429, 500, '502'),
  message: oneOf('Created.', 'Declined.', 'Account already exists.', 'Try again.'),
});

interface Parts {
  readonly flags: Readonly<Record<string, unknown>>;
  /** Which record of the write: the proven one, or an unproven one by its index; undefined for none. */
  readonly record: number | undefined;
  readonly status: string | undefined;
  readonly isWrapped: boolean;
}

const parts: fc.Arbitrary<Parts> = fc.record({
  flags,
  record: fc.constantFrom(undefined, 0, 0, 0, 1, 2, 3),
  status: fc.constantFrom(undefined, undefined, 'active', 'failed', 'Declined'),
  isWrapped: fc.boolean(),
});

/** The body, and the two things about it that decide: what proves the write, and what refuses it. */
function makeBody(one: WriteCase, { flags, record, status, isWrapped }: Parts) {
  const records = [one.proven, ...Object.values(one.unproven)];
  const fields = record === undefined ? undefined : records[record % records.length];
  const recordStatus = status === undefined ? {} : { status };
  const data = fields === undefined ? undefined : { ...fields, ...recordStatus };
  const body = isWrapped || data === undefined ? { ...flags, data } : { ...flags, ...data };
  const text = JSON.parse(JSON.stringify(body)) as Readonly<Record<string, unknown>>;
  const isEnvelope = isWrapped || data === undefined || !('id' in data);
  const has = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== false;
  const isFailed = /^(?:failed|declined)$/i.test(String((isWrapped ? data : text)?.['status' as never]));
  const isNegative =
    text['success'] === false ||
    text['error'] === true ||
    (isEnvelope && isWord(text['status'], /^(?:error|failed|[45]\d\d)$/));
  const isPositive = text['success'] === true || (isEnvelope && isWord(text['status'], /^(?:success|2\d\d)$/));
  const code = Number(text['code'] ?? text['status']);
  return {
    text,
    isPositive,
    isProven: fields === one.proven && !isFailed,
    isFailed: data !== undefined && isFailed,
    isNegative,
    hasSign: has(text['error']) || Object.keys(text['errors'] ?? {}).length > 0 || (code >= 400 && code <= 599),
    isRefusal: isNegative || [400, 401, 404, 409, 422, 429].includes(code),
    mayBeDone: code === 408 || code >= 500,
    isDuplicate: String(text['message']).includes('already exists'),
  };
}

function isWord(value: unknown, pattern: RegExp): boolean {
  return pattern.test(String(value));
}

describe.each(writes)('a generated answer to $field', (one) => {
  it(`never does it without evidence, and never refuses what may be done: ${runsPerWrite} bodies`, async () => {
    let reply: Reply = {};
    const { gateway } = await startScripted(({ method }) =>
      method === 'GET' ? { json: { success: true, data: one.proven } } : reply,
    );
    const ask = async (json: unknown) => {
      reply = { json };
      const answer = await query(gateway, one.document);
      const refusals = answer.data[one.field]?.userErrors.length ?? 0;
      const [code] = codes(answer);
      const isRefused = refusals > 0 || ['UNAUTHENTICATED', 'NOT_FOUND', 'RATE_LIMITED'].includes(String(code));
      return isRefused ? 'refused' : code === undefined ? 'done' : 'unknown';
    };
    await fc.assert(
      fc.asyncProperty(parts, async (given) => {
        const { text, isPositive, isProven, isFailed, isNegative, hasSign, isRefusal, mayBeDone, isDuplicate } =
          makeBody(one, given);
        const outcome = await ask(text);
        counts[outcome] += 1;
        const mayDo = (isPositive || isProven) && !isFailed && !isNegative && !hasSign;
        const mayRefuse = isRefusal && !isPositive && !isProven && (!mayBeDone || isDuplicate);
        expect({ done: mayDo, refused: mayRefuse, unknown: true }[outcome]).toBe(true);
      }),
      { seed: 20_260_101, numRuns: runsPerWrite },
    );
  });
});

it('meets every outcome often enough to say something', () => {
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(runsPerWrite / 10);
});
