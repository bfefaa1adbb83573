import { statusWords, undecidedError, type Contract, type ListName, type RowId } from '../../contract/contract.ts';
import { offsetMinutes, writeMoment } from '../../contract/date-time.ts';
import type { ExtraId } from '../../contract/extra-rows.ts';
import type { FilterName } from '../../contract/list-rows.ts';
import { GatewayError } from '../../domain/errors.ts';
import { normalize } from '../../runtime/normalize.ts';
import { numberText } from '../decoding/exact-json.ts';

const maxDepth = 5;

/** What the service is asked for, and which of its records were asked for. */
export interface Asked {
  readonly sent: string | number;
  /** Judges a record by its fields or its parsed JSON. Null: not asked for, but given with whole days or seconds. */
  readonly judge: (record: Readonly<Record<string, unknown>>, source: unknown) => boolean | null;
  /** Whether a judgement can be null. */
  readonly isWider?: boolean;
}

/** Throws BAD_USER_INPUT for a value that the service has no word for. */
type Ask = (value: string) => Asked;

/** How the value of each argument is sent, and compared with records. */
export const forms: Readonly<Record<FilterName, (contract: Contract, list: ListName) => Ask>> = {
  direction: (contract, list) => (direction) => {
    const row = 'listCustomerTransactions.directionWords';
    const sent = new Map(Object.entries(contract[row])).get(direction);
    if (sent === undefined) throw refusal(list, row, '`direction` must be CREDIT or DEBIT.');
    return { sent, judge: (record) => record['direction'] === direction };
  },
  status: (contract, list) => (status) => {
    const words = statusWords(contract, 'transaction');
    const [word, ...others] = [...words].filter(([, text]) => isSame(text, status)).map(([wire]) => wire);
    if (others.length > 0 || (word === undefined && words.has(status))) {
      const message = '`status` must be one that exactly one word of the service means.';
      throw refusal(list, 'transaction.status.words', message);
    }
    return { ...hasText('status')(status), sent: word ?? status };
  },
  type: () => hasText('type'),
  reference: () => hasText('reference'),
  search: hasWords,
  createdFrom: (contract, list) => rangeBound(contract, list, false),
  createdBefore: (contract, list) => rangeBound(contract, list, true),
};

export function refusal(operation: ListName, row: RowId | ExtraId, message: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { operation, row }, { message });
}

/** The field is the text, whatever its case. */
function hasText(field: string): Ask {
  return (value) => ({ sent: value, judge: (record) => isSame(record[field], value) });
}

export function isSame(text: unknown, value: string): boolean {
  return typeof text === 'string' && foldText(text) === foldText(value);
}

/** Each word searched for is part of some text in the record. */
function hasWords(contract: Contract, list: ListName): Ask {
  const textsIn = createTextReader(contract);
  const isChecked = contract[`${list}.searchMatch` as 'listCustomers.searchMatch'] === 'contains'; // of lists with a search
  return (search) => {
    const words = foldText(search).match(/\S+/g) ?? [];
    const isFound = (texts: readonly string[]) => words.every((word) => texts.some((text) => text.includes(word)));
    return { sent: search, judge: (_, source) => !isChecked || isFound(textsIn(source)) };
  };
}

/** The milliseconds in whose multiples each form says a moment. */
const units = { 'date-time': 1, date: 86_400_000, seconds: 1000, milliseconds: 1 } as const;

/** An end of a range. The service is asked for whole units, so that it leaves out no record of the range. */
function rangeBound(contract: Contract, list: ListName, isEnd: boolean): Ask {
  const form = contract['listCustomerTransactions.rangeForm'];
  const isInclusive = isEnd && contract['listCustomerTransactions.rangeEnd'] === 'inclusive';
  const zone = contract['times.zone'];
  const unit = units[form];
  const shift = offsetMinutes(zone) * 60_000;
  const isInside = (time: number, bound: number) => (isEnd ? time < bound : time >= bound);
  return (value) => {
    if (form === 'date' && zone === 'undecided') throw undecidedError(list, 'times.zone');
    const asked = Date.parse(value);
    const whole = (isEnd ? Math.ceil : Math.floor)((asked + shift) / unit) * unit - shift;
    // A day that is included is given whole; of a moment it is unknown whether finer fractions are.
    const moment = isInclusive && form === 'date' ? whole - unit : whole;
    const bound = isInclusive ? moment + unit : moment;
    return {
      sent: writeMoment(moment, form, zone, contract['dates.form']),
      judge: ({ createdAt }) => {
        const time = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
        return isInside(time, asked) || (isInside(time, bound) ? null : false);
      },
      isWider: bound !== asked,
    };
  };
}

/** A text in lower case, with each accent as a character of its own: a service that stores it so finds the bare letter. */
function foldText(text: string): string {
  return normalize(text, 'NFD').toLowerCase();
}

/** Compiles the reader of a record's texts, folded, and of its numbers: also with the zeros of an account or bank code. */
function createTextReader(contract: Contract): (source: unknown) => readonly string[] {
  const digits = [contract['accountNumber.digits'] ?? 0, contract['bankCode.digits'] ?? 0];
  const textsIn = (source: unknown, depth = 0): readonly string[] => {
    if (typeof source === 'string') return [foldText(source)];
    const number = numberText(source)?.toLowerCase();
    if (number !== undefined) return digits.map((count) => number.padStart(count, '0'));
    if (typeof source !== 'object' || source === null || depth > maxDepth) return [];
    return Object.values(source).flatMap((value) => textsIn(value, depth + 1));
  };
  return textsIn;
}
