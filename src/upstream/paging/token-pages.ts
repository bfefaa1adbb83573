import type { ValueOrError } from '../../domain/records.ts';
import type { Contract, RowId } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { Resume } from './cursor.ts';
import { createExpiringValue } from '../../runtime/expiring-value.ts';
import { rowOfToken, saysMore, type Page, type Pages, type Window, type WindowRequest } from './page.ts';
import { toQuery } from '../decoding/request-path.ts';

/** The most pages that one window may cost, however few records a service puts on each. */
const maxPages = 101;

type TokenResume = Required<Resume>;

const firstPage: TokenResume = { index: 0, token: null, size: 0 };

/**
 * The longest page seen, and whether the service cut one that was asked to be longer. Only the cost of a window is
 * estimated by it.
 */
interface PageCap {
  longest: number;
  isCut: boolean;
}

/**
 * Page style `cursor`: pages are chained by tokens of the service. A window that begins where a page ends costs one call,
 * or ceil(first / cap) where the service caps the page; one that begins inside a page reads that page again, at the size
 * it had, and then goes on.
 */
export function createTokenPages<Value>(contract: Contract): Pages<Value> {
  const largest = contract['lists.maxPageSize'];
  const pageCap = createExpiringValue<PageCap>(() => ({ longest: 1, isCut: false }));
  /** Whether only an empty page shows the end: a window that its list does not fill costs a further call. */
  const endsEmpty = rowOfToken(contract) === 'lists.cursorFrom';
  return {
    start: firstPage,
    readWindow: (from, request) => readWindow(contract, pageCap(), { ...firstPage, ...from }, request),
    countCalls: ({ size = 0, index }, first) => {
      const { isCut, longest } = pageCap();
      const cap = isCut ? Math.min(longest, largest) : largest;
      const onThisPage = Math.max(Math.min(size, cap) - index, 0);
      const missing = Math.max(first - onThisPage, 0);
      const further = endsEmpty && first > 1 ? Math.ceil(Math.max(missing - 1, 0) / cap) + 1 : Math.ceil(missing / cap);
      return further + (size > 0 ? 1 : 0);
    },
  };
}

async function readWindow<Value>(
  contract: Contract,
  pageCap: PageCap,
  start: TokenResume,
  { first, readPage }: WindowRequest<Value>,
): Promise<Window<Value>> {
  const largest = contract['lists.maxPageSize'];
  const tokenRow = rowOfToken(contract);
  if (start.size > largest) throw new GatewayError('INVALID_CURSOR');
  const nodes: ValueOrError<Value>[] = [];
  const resumes: TokenResume[] = [];
  const pageStarts: ValueOrError<Value>[] = [];
  const tokens = new Set<string | null>();
  /** The position behind the pages read, known where the window begins at the first page. */
  let end = start.token === null ? 0 : null;
  let totalCount: number | null = null;
  let from: TokenResume | null = start;
  for (let read = 0; from !== null && nodes.length < first && read < maxPages; read += 1) {
    const size = from.size || Math.min(from.index + first - nodes.length, largest);
    const token = from.token === null ? {} : { [contract['lists.cursor']]: from.token };
    const page = await readPage(toQuery({ ...token, [contract['lists.limit']]: String(size) }));
    totalCount ??= page.total;
    if (end !== null) end += page.records.length;
    tokens.add(from.token);
    checkTokenPage(page, end, tokens, tokenRow);
    rememberCap(pageCap, page, size);
    if (from.token !== null) pageStarts.push(...page.records.slice(0, 1));
    const taken = page.records.slice(from.index, from.index + first - nodes.length);
    for (const [offset, record] of taken.entries()) {
      nodes.push(record);
      resumes.push({ token: from.token, size, index: from.index + offset + 1 });
    }
    const behind: number = from.index + taken.length;
    const isPageDone = behind >= page.records.length;
    // If the page was longer when it was read before, the position is inside one of the pages behind it. A position beyond
    // the size asked for is of a service that ignores limits, whose page is shorter because records were removed.
    const skipped = from.index > size ? 0 : behind - page.records.length;
    const next: TokenResume = isPageDone
      ? { ...firstPage, token: page.nextToken, index: skipped }
      : { token: from.token, size, index: behind };
    const hasNextPage = !isPageDone || page.nextToken !== null;
    // Behind a whole page the next page's token is cheaper: it spares reading this page again.
    if (hasNextPage && resumes.length > 0) resumes[resumes.length - 1] = next;
    from = hasNextPage ? next : null;
  }
  return toWindow({ nodes, pageStarts }, resumes, from, totalCount);
}

/**
 * Compares a page with what its answer says of the list: no more records than the total, no token that was followed
 * before, no end although the answer says that more follow. `end` is the position behind the page, null where it is not
 * known; `row` is the row that tokens come from.
 */
function checkTokenPage<Value>(
  page: Page<Value>,
  end: number | null,
  tokens: ReadonlySet<string | null>,
  row: RowId,
): void {
  const { nextToken, total, signs, surprise } = page;
  if (nextToken !== null && tokens.has(nextToken)) throw surprise(row);
  if (end !== null && total !== null && end > total) throw surprise('lists.total');
  if (nextToken !== null) return;
  const isFirstPage = tokens.size === 1 && tokens.has(null);
  const hasMore = saysMore(page, end ?? Infinity, isFirstPage ? 1 : null) || signs.hasNextToken;
  if (hasMore) throw surprise(row);
}

function rememberCap<Value>(pageCap: PageCap, { records, nextToken }: Page<Value>, askedSize: number): void {
  // A page of the size asked for has been seen: this one is short for another reason.
  if (records.length < askedSize && askedSize > pageCap.longest && nextToken !== null) pageCap.isCut = true;
  pageCap.longest = Math.max(pageCap.longest, records.length);
}

function toWindow<Value>(
  records: Pick<Window<Value>, 'nodes' | 'pageStarts'>,
  resumes: readonly TokenResume[],
  next: TokenResume | null,
  totalCount: number | null,
): Window<Value> {
  return {
    ...records,
    behind: [],
    resumeAfter: (index) => resumes[index] ?? firstPage,
    end: next ?? resumes.at(-1) ?? null,
    hasNextPage: next !== null,
    totalCount,
  };
}
