import type { ValueOrError } from '../../domain/records.ts';
import type { Contract, ListName } from '../../contract/contract.ts';
import { listSettings, type ListSettings } from '../../contract/list-rows.ts';
import { isRecord, type Decoder } from '../decoding/field-decoders.ts';
import type { FindMismatch } from '../decoding/identification.ts';
import type { Read } from '../operation.ts';
import { compilePointers, compileSlots } from '../decoding/json-pointer.ts';
import { createFlagReader, deletionMarks, unlessDeleted } from '../decoding/signs.ts';
import { createSignReader, createTokenReader, contradictionIn, type PageSigns, type Token } from './page-signs.ts';

/** Records of one answer. A body of 4 MiB has room for a million empty ones, whose errors take seconds to make. */
const maxRecords = 50_000;

/** A page as the service answered it. */
export interface Page<Value> {
  /** Null in place of one that is marked as deleted. */
  readonly records: readonly (ValueOrError<Value> | null)[];
  /** The records as parsed JSON, kept only where a filter has to look at them. */
  readonly sources: readonly unknown[];
  readonly signs: PageSigns;
  /** How many records the list has; null where that is not known. */
  readonly totalCount: number | null;
  /** The token of the next page; null in every style but `cursor`. */
  readonly token: Token | null;
}

/** Compiles how a list's answer becomes a page, with the pages of answers that have no body or are a 404. */
export function createPageDecoder<Value>(
  contract: Contract,
  operation: ListName,
  decodeRecord: Decoder<Value>,
  findMismatch: FindMismatch,
  keepsSources: boolean,
): Pick<Read<unknown, Page<Value>>, 'decode' | 'absent' | 'noBody'> {
  const contradiction = contradictionIn(contract, operation);
  const settings = listSettings(contract, operation);
  const lists = settings.records.map((pointer) => ({ pointer, reader: compilePointers([pointer]) }));
  const marks = deletionMarks(contract, operation);
  const mayOmit = marks.length > 0;
  const decodeLiving = unlessDeleted(marks, decodeRecord);
  const readSigns = createSignReader(settings, contradiction, mayOmit);
  const isEmpty = createEmptyCheck(contract, settings);
  const style = contract[`${operation}.pageStyle`];
  const readToken = createTokenReader(contract, operation, contradiction);
  const findRecords = (body: unknown, { total }: PageSigns) => {
    for (const { pointer, reader } of lists) {
      const sources = reader.read(body);
      if (!Array.isArray(sources)) continue;
      if (sources.length > maxRecords) throw contradiction('lists.records', pointer);
      return { pointer, sources: sources as readonly unknown[] };
    }
    // A list without any record may have no array at all, as in HAL.
    if (total === 0 || isEmpty(body)) return { pointer: '', sources: [] };
    throw contradiction('lists.records');
  };
  const decode: Read<unknown, Page<Value>>['decode'] = (body, identifier, header) => {
    const signs = readSigns(body, header);
    const { pointer, sources } = findRecords(body, signs);
    const records = sources.map((source, index) => {
      const location = { operation, path: pointer, index };
      const mismatch = identifier === undefined ? undefined : findMismatch(source, [identifier], location);
      if (mismatch !== undefined) throw mismatch;
      return decodeLiving(source, location);
    });
    const totalCount = mayOmit ? null : (signs.total ?? (style === 'none' ? sources.length : null));
    const page = { records, sources: keepsSources ? sources : [], signs, totalCount, token: null };
    if (style !== 'cursor') return page;
    // An empty page is the end of the list, whatever token, flag or link comes with it.
    if (sources.length > 0) return { ...page, token: readToken(body, sources, pointer, header) };
    const isEnd = settings.cursorFrom === 'answer';
    return isEnd ? { ...page, signs: { ...signs, hasMore: null, hasLink: false, hasToken: false } } : page;
  };
  const none: Page<Value> = { records: [], sources: [], signs: readSigns({}), totalCount: null, token: null };
  const { empty } = settings;
  return {
    decode,
    ...(empty.includes('notFound') && { absent: none }),
    ...(empty.includes('noBody') && { noBody: none }),
  };
}

/** Compiles whether an answer without an array of records says, as `lists.empty` has it, that there is none. */
function createEmptyCheck(contract: Contract, { records, empty }: ListSettings): (body: unknown) => boolean {
  const readFlag = createFlagReader(contract);
  const slots = compileSlots(records.filter((pointer) => pointer !== ''));
  return (body) => {
    const values = slots(body);
    const all = [body, ...values];
    if (empty.includes('object') && all.some((value) => isRecord(value) && Object.keys(value).length === 0))
      return true;
    // What stands under another name may be the records.
    const isBare =
      isRecord(body) && Object.values(body).every((member) => member === null || typeof member !== 'object');
    const isNothing = all.includes(null) || (values.length === 0 && isBare);
    const isFlagged = empty.includes('flagged') && readFlag(body) === 'yes';
    return isNothing && (isFlagged || empty.includes('unflagged'));
  };
}

/** The id of a record; undefined where it could not be read. */
export function idOf(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || !('id' in record)) return undefined;
  return typeof record.id === 'string' ? record.id : undefined;
}
