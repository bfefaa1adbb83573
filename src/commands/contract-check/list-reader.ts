import type { Contract, ListName } from '../../contract/contract.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { toQuery } from '../../upstream/decoding/request-path.ts';
import { isInconclusive, isSuccess } from './check-paths.ts';
import type { CheckRun, ProbeAnswer } from './check-run.ts';
import { describeShape, walk } from './json-shape.ts';

/** The page size of most probes. */
export const smallSize = 2;

/** Usual names of the parameter that carries a cursor. */
export const cursorNames = ['cursor', 'after', 'page_token', 'next_cursor', 'starting_after'];

type Parameters = Readonly<Record<string, string>>;
export type Records = readonly unknown[];

/** Reads pages of one list. */
export interface ListReader {
  readonly name: ListName;
  readonly read: (parameters: Parameters) => Promise<Records | undefined>;
  readonly lastAnswer: () => ProbeAnswer;
  /** False once a page was not answered: what follows from its absence is then no evidence. */
  readonly isAnswered: () => boolean;
}

export function createListReader(
  run: CheckRun,
  name: ListName,
  identifier: string | undefined,
  first: ProbeAnswer,
): ListReader {
  let answer = first;
  let isAnswered = true;
  const read = async (parameters: Parameters): Promise<Records | undefined> => {
    const path = run.contract()[`${name}.path`];
    const credentials = run.contract()[`${name}.credentials`];
    answer = await run.probe({ method: 'GET', path, identifier, query: toQuery(parameters), credentials });
    isAnswered &&= !isInconclusive(run, answer);
    return isSuccess(run, answer) ? readRecords(run, answer.body) : undefined;
  };
  return { name, read, lastAnswer: () => answer, isAnswered: () => isAnswered };
}

/** The parameters of a small page, in the style of the contract. */
export function createPageParameters(
  run: CheckRun,
  page: 'first' | 'second',
  token = '',
  offset = smallSize,
): Parameters {
  const contract = run.contract();
  const isFirst = page === 'first';
  const size = String(smallSize);
  const limit = { [contract['lists.limit']]: size };
  switch (contract['listCustomers.pageStyle']) {
    case 'page':
      return {
        [contract['lists.page']]: String(contract['lists.firstPage'] + (isFirst ? 0 : 1)),
        [contract['lists.perPage']]: size,
      };
    case 'offset':
      return { [contract['lists.offset']]: isFirst ? '0' : String(offset), ...limit };
    case 'cursor':
      return isFirst ? limit : { [contract['lists.cursor']]: token, ...limit };
    default:
      return {};
  }
}

/** The records of a list's body, at the contract's pointers. */
export function recordsAt(contract: Contract, body: unknown): Records | undefined {
  return contract['lists.records'].map((pointer) => compilePointers([pointer]).read(body)).find(Array.isArray);
}

/** The records of an answer: at the contract's pointers, else the nearest array of objects. */
export function readRecords(run: CheckRun, body: unknown): Records | undefined {
  const records = recordsAt(run.contract(), body);
  if (records !== undefined) {
    run.confirm('lists.records');
    return records;
  }
  for (const { pointer, value } of walk(body)) {
    if (!Array.isArray(value) || (value.length > 0 && !isRecord(value[0]))) continue;
    run.contradict('lists.records', `they stand at ${pointer || 'the top'}`, [pointer]);
    return value;
  }
  run.contradict('lists.records', `no array of records in ${describeShape(body)}`);
  return undefined;
}

export function isOtherPage(first: Records, second: Records | undefined, maxSize = smallSize): boolean {
  if (second === undefined || second.length === 0 || second.length > maxSize) return false;
  const firstKeys = new Set(first.map(toKey));
  return second.every((record) => !firstKeys.has(toKey(record)));
}

/** Identifies a record. JSON.stringify throws on one that is nested too deeply; such records count as equal. */
function toKey(record: unknown): string {
  try {
    return JSON.stringify(record);
  } catch {
    return '';
  }
}

export function hasMoreThan(run: CheckRun, body: unknown, count: number): boolean {
  const total = Number(numberText(run.read('lists.total', body)) ?? 0);
  return total > count || run.read('lists.hasMore', body) === true || readToken(run, body) !== undefined;
}

/** The cursor of the next page, as the gateway reads it: the last record's id, a token, or a parameter of a next link. */
export function readToken(run: CheckRun, body: unknown): string | undefined {
  const contract = run.contract();
  if (contract['lists.hasMore'].length > 0) {
    const records = run.read('lists.records', body);
    const last: unknown = Array.isArray(records) ? records.at(-1) : undefined;
    return run.read('lists.hasMore', body) === true ? textOrNumber(run.read('customer.id', last)) : undefined;
  }
  const token = textOrNumber(run.read('lists.nextCursor', body));
  const link = run.read('lists.nextLink', body);
  if (token || typeof link !== 'string') return token || undefined;
  return URL.parse(link, 'http://service')?.searchParams.get(contract['lists.cursor']) ?? undefined;
}
