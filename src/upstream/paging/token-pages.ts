import type { ValueOrError } from '../../domain/records.ts';
import type { Contract } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { TokenResume } from './cursor.ts';
import { contractSurprise } from '../decoding/field-decoders.ts';
import { createExpiringValue } from '../../runtime/expiring-value.ts';
import type { Page, Pages, ReadWindow, Window } from './page.ts';
import { toQuery } from '../decoding/request-path.ts';

/** The most pages that one window may cost, however few records a service puts on each. */
const maxPages = 101;

/**
 * Windows over a list whose pages are chained by tokens of the service. A window that begins where a page ends costs
 * one call, or ceil(first / cap) where the service caps the page; one that begins inside a page reads that page again,
 * at the size it had, and then goes on.
 */
export function createTokenPages<Value>(contract: Contract): Pages<TokenResume, Value> {
  const most = contract['lists.maxPageSize'];
  const memory = createExpiringValue<Seen>(() => ({ cap: undefined }));
  const readWindow: ReadWindow<TokenResume, Value> = async (start, asked) => {
    const { first } = asked;
    const seen = memory();
    const nodes: ValueOrError<Value>[] = [];
    const resumes: TokenResume[] = [];
    let totalCount: number | null = null;
    let from = start;
    const passed = new Set<string | null>();
    if (start.size > most || start.index > start.size) throw new GatewayError('INVALID_CURSOR');
    for (let read = 0; read < maxPages; read += 1) {
      const size = from.size || Math.min(first - nodes.length, most);
      const page = await asked.readPage(
        toQuery({
          ...(from.token === null ? {} : { [contract['lists.cursor']]: from.token }),
          [contract['lists.limit']]: String(size),
        }),
      );
      totalCount ??= page.total;
      if (page.records.length > size) throw contractSurprise(page.location, 'lists.limit');
      rememberCap(seen, page, size);
      passed.add(from.token);
      if (page.nextToken !== null && passed.has(page.nextToken)) {
        throw contractSurprise(page.location, 'lists.nextCursor');
      }
      const taken = page.records.slice(from.index, from.index + first - nodes.length);
      const behind = from.index + taken.length;
      taken.forEach((record, offset) => {
        nodes.push(record);
        resumes.push({ kind: 'token', token: from.token, size, index: from.index + offset + 1 });
      });
      const isPageDone = behind >= page.records.length;
      const next: TokenResume = isPageDone
        ? { kind: 'token', token: page.nextToken, size: 0, index: 0 }
        : { kind: 'token', token: from.token, size, index: behind };
      const hasNextPage = !isPageDone || page.nextToken !== null;
      // Behind a whole page the next page's token is the cheaper place to go on from.
      if (hasNextPage && resumes.length > 0) resumes[resumes.length - 1] = next;
      if (nodes.length === first || !hasNextPage)
        return asked.finish(toWindow(nodes, resumes, hasNextPage ? next : null, totalCount));
      from = next;
    }
    return asked.finish(toWindow(nodes, resumes, from, totalCount));
  };
  return {
    readWindow,
    countCalls: ({ size, index }, first) => {
      const cap = Math.min(memory().cap ?? most, most);
      const isInside = size > 0;
      const onThisPage = isInside ? Math.max(Math.min(size, cap) - index, 0) : 0;
      const further = Math.ceil(Math.max(first - onThisPage, 0) / cap);
      return Math.min(further + (isInside ? 1 : 0), maxPages);
    },
  };
}

/** The longest page that was cut short though more followed. Nothing is asked for by it: it tells what a window costs. */
interface Seen {
  cap: number | undefined;
}

function rememberCap<Value>(seen: Seen, { records, nextToken }: Page<Value>, asked: number): void {
  const isCut = records.length < asked && nextToken !== null;
  const isLonger = seen.cap !== undefined && records.length > seen.cap;
  if (isCut || isLonger) seen.cap = Math.max(records.length, seen.cap ?? 1);
}

function toWindow<Value>(
  nodes: readonly ValueOrError<Value>[],
  resumes: readonly TokenResume[],
  next: TokenResume | null,
  totalCount: number | null,
): Window<Value> {
  return {
    nodes,
    resumeAfter: (index) => resumes[index] ?? { kind: 'token', token: null, size: 0, index: 0 },
    end: next ?? resumes.at(-1) ?? null,
    hasNextPage: next !== null,
    totalCount,
  };
}
