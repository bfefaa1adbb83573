import type { ValueOrError } from '../../domain/records.ts';
import type { Contract, ListName } from '../../contract/contract.ts';
import { contractSurprise, type Decoder, type JsonLocation } from '../decoding/field-decoders.ts';
import { textOrNumber } from '../decoding/exact-json.ts';
import type { Resume } from './cursor.ts';
import { compilePointers } from '../decoding/json-pointer.ts';

const maxTokenBytes = 1_000;
const maxCount = 1e12;

/** A page as the service answered it; null for what it did not report. */
export interface Page<Value> {
  readonly location: JsonLocation;
  readonly records: readonly ValueOrError<Value>[];
  /** The records as they came, where a filter may have to look at them: as long as they are held they cost memory. */
  readonly sources: readonly unknown[];
  readonly number: number | null;
  readonly size: number | null;
  readonly total: number | null;
  readonly lastPage: number | null;
  readonly nextToken: string | null;
}

/** What a style of paging makes of the pages it read: the records asked for, and where to go on from each. */
export interface Window<Value> {
  readonly nodes: readonly ValueOrError<Value>[];
  readonly resumeAfter: (index: number) => Resume;
  /** Where the next window begins; null where this one is empty and nothing follows. */
  readonly end: Resume | null;
  readonly hasNextPage: boolean;
  readonly totalCount: number | null;
}

/** A window that is asked for. One object, and not a closure for each thing: as many of them wait as calls do. */
export interface AskedWindow<Value, Result> {
  /** So many records. */
  readonly first: number;
  /** Reads one page by the query that a style of paging makes. */
  readonly readPage: (query: string) => Promise<Page<Value>>;
  readonly finish: (window: Window<Value>) => Result;
}

/** Reads the window from there, and answers with what its `finish` makes of it. */
export type ReadWindow<Start, Value> = <Result>(start: Start, asked: AskedWindow<Value, Result>) => Promise<Result>;

/** A style of paging: windows made of pages, and the most pages that one is made of, as far as is known before. */
export interface Pages<Start, Value> {
  readonly readWindow: ReadWindow<Start, Value>;
  readonly countCalls: (start: Start, first: number) => number;
}

/** Compiles how a list's answer becomes a page. */
export function createPageDecoder<Value>(
  contract: Contract,
  operation: ListName,
  decodeRecord: Decoder<Value>,
  keepsSources: boolean,
): (body: unknown) => Page<Value> {
  const location: JsonLocation = { operation, path: '' };
  const lists = contract['lists.records'].map((pointer) => ({ pointer, reader: compilePointers([pointer]) }));
  const number = countReader(contract, 'lists.currentPage', location);
  const size = countReader(contract, 'lists.pageSize', location);
  const total = countReader(contract, 'lists.total', location);
  const lastPage = countReader(contract, 'lists.lastPage', location);
  const nextToken = tokenReader(contract, location);
  return (body) => {
    for (const { pointer, reader } of lists) {
      const sources = reader.read(body);
      if (!Array.isArray(sources)) continue;
      // One for all: it is read by whoever finds a surprise, and not kept.
      const own = { operation, path: pointer, index: 0 };
      return {
        location,
        records: sources.map((source: unknown, index) => {
          own.index = index;
          return decodeRecord(source, own);
        }),
        sources: keepsSources ? sources : [],
        number: number(body),
        size: size(body) || null,
        total: total(body),
        lastPage: lastPage(body),
        nextToken: nextToken(body),
      };
    }
    throw contractSurprise(location, 'lists.records');
  };
}

type CountRow = 'lists.currentPage' | 'lists.pageSize' | 'lists.total' | 'lists.lastPage';

function countReader(contract: Contract, row: CountRow, location: JsonLocation): (body: unknown) => number | null {
  const reader = compilePointers(contract[row]);
  return (body) => {
    const value = reader.read(body);
    if (value === undefined) return null;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < maxCount) return value;
    const text = textOrNumber(value);
    if (text === undefined || !/^\d{1,12}$/.test(text)) throw contractSurprise(location, row, reader.locate(body));
    return Number(text);
  };
}

function tokenReader(contract: Contract, location: JsonLocation): (body: unknown) => string | null {
  const reader = compilePointers(contract['lists.nextCursor']);
  return (body) => {
    const value = reader.read(body);
    if (value === undefined || value === '') return null;
    const text = textOrNumber(value);
    // A link is no token: as part of a cursor it would tell clients where the service is.
    const isLink = text !== undefined && /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/|\/)/i.test(text);
    if (text === undefined || isLink || Buffer.byteLength(text) > maxTokenBytes) {
      throw contractSurprise(location, 'lists.nextCursor', reader.locate(body));
    }
    return text;
  };
}
