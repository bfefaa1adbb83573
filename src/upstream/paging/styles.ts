import { undecidedError, type Contract, type ListName, type PageStyle, type RowId } from '../../contract/contract.ts';
import { listSettings, type ListSettings } from '../../contract/list-rows.ts';
import type { Parameters } from '../decoding/request-path.ts';
import type { Key, Place } from './cursor.ts';
import { idOf, type Page } from './page.ts';
import { saysMore, type Contradiction } from './page-signs.ts';

/** The size of the single page of a list that comes whole. */
const wholeListSize = 100_000;

/** A page style: how the pages of a list are asked for, one after the other. */
export interface Style {
  /** Where a list begins. Each page is asked to have as many records as the first window, if the service takes a size. */
  readonly first: (count: number) => Place;
  /** Whether a key, read from a cursor, can be one of this style. */
  readonly isKey: (key: Key) => boolean;
  readonly parameters: (key: Key, asked: number) => Parameters;
  /** The key of the next page; null at the end of the list. Throws where the answer contradicts a row. */
  readonly next: (key: Key, page: Page<unknown>, asked: number) => Key | null;
}

/** The page style of a list. While it is undecided, no page can be asked for. */
export function createStyle(contract: Contract, name: ListName, contradiction: Contradiction): Style {
  const row = `${name}.pageStyle` as const;
  const lists = listSettings(contract, name);
  const largest = lists.maxPageSize;
  const whole = (): number => wholeListSize;
  const refuse = (): never => {
    throw undecidedError(name, row);
  };
  const tokenRow = lists.cursorFrom === 'lastRecord' ? 'lists.cursorFrom' : 'lists.nextCursor';
  const tokenParameters: Style['parameters'] = ({ at }, asked) => ({
    ...(at !== '' && { [lists.cursor]: at }),
    [lists.limit]: asked,
  });
  const styles: Readonly<Record<PageStyle, () => Style>> = {
    page: () => countedPages(lists, 'page', contradiction),
    offset: () => countedPages(lists, 'offset', contradiction),
    cursor: () => chainedPages((count) => Math.min(count, largest), tokenParameters, tokenRow, contradiction),
    // Every answer is the whole list, in a single page.
    none: () => chainedPages(whole, () => ({}), row, contradiction),
    undecided: () => chainedPages(whole, refuse, row, contradiction),
  };
  return styles[contract[row]]();
}

/** Pages that have numbers, or that begin behind a number of records. */
function countedPages(lists: ListSettings, style: 'page' | 'offset', contradiction: Contradiction): Style {
  const largest = lists.maxPageSize;
  const isNumbered = style === 'page';
  const sizeName = isNumbered ? lists.perPage : lists.limit;
  const firstKey = { at: isNumbered ? String(lists.firstPage) : '0', before: 0 };
  return {
    first: (count) => ({ key: firstKey, skip: 0, asked: sizeName === null ? largest : Math.min(count, largest) }),
    isKey: ({ at, before }) => before !== null && /^\d{1,9}$/.test(at),
    parameters: ({ at }, asked) => ({ [lists[style]]: Number(at), ...(sizeName !== null && { [sizeName]: asked }) }),
    next: ({ at, before }, { records, signs }, asked) => {
      const end = (before ?? 0) + records.length;
      const number = isNumbered ? Number(at) - lists.firstPage + 1 : null;
      if (isNumbered && signs.number !== null && signs.number !== Number(at)) throw contradiction('lists.currentPage');
      const says = saysMore(signs, end, number);
      if (records.length === 0) {
        if (says === true) throw contradiction(`lists.${style}`);
        return null;
      }
      if (number !== null && signs.lastPage !== null && signs.lastPage < number) throw contradiction('lists.lastPage');
      // Without a word about the end, a page as long as asked, or as long as it says that pages are, has a next one.
      const isMore = says ?? records.length >= Math.min(asked, signs.size ?? asked);
      return isMore ? { at: String(isNumbered ? Number(at) + 1 : end), before: end } : null;
    },
  };
}

/**
 * Pages of which each gives the token of the next one, if any. `ask`: how many records each is asked to have; `row`: what a
 * list contradicts that ends without a token although more follow.
 */
function chainedPages(
  ask: (count: number) => number,
  parameters: Style['parameters'],
  row: RowId,
  contradiction: Contradiction,
): Style {
  return {
    first: (count) => ({ key: { at: '', before: 0 }, skip: 0, asked: ask(count) }),
    isKey: () => true,
    parameters,
    next: ({ at, before }, page) => {
      const { records, signs, token } = page;
      const end = before === null ? null : before + records.length;
      if (token === null && saysMore(signs, end, at === '' ? 1 : null) === true) throw contradiction(row);
      // Some services send a token with the last page, too.
      if (token === null || signs.hasMore === false) return null;
      const isCounter = token.row === 'lists.nextLink' && isCounting(at, token.text, page);
      if (isCounter || token.text === at) throw contradiction(token.row);
      return { at: token.text, before: null };
    },
  };
}

/**
 * Whether a token is the number behind the one that its page was asked for by: the parameter of the link counts pages or
 * records then, and is no cursor. The id of the last record is one, though ids may be consecutive.
 */
function isCounting(at: string, next: string, { records }: Page<unknown>): boolean {
  if (!/^\d{1,15}$/.test(at) || idOf(records.at(-1)) === next) return false;
  return [1, records.length].some((step) => String(Number(at) + step) === next);
}
