import { array, assert, asyncProperty, constantFrom, integer, record, type Arbitrary } from 'fast-check';
import { expect, it } from 'vitest';
import { credentials, query, startScripted } from '../support/gateway.ts';
import {
  countIn,
  idsOf,
  parametersOf,
  recordsOf,
  styleOf,
  type Rows,
  type Script,
} from '../support/upstream/paging.ts';

/** How long the page from a record on is, with its number from 0, where it was asked to have so many records. */
type Give = (asked: number, start: number, index: number) => number;

const given: Readonly<Record<string, Give>> = {
  'as asked': (asked) => asked,
  'at most 3': (asked) => Math.min(asked, 3),
  'at least 6': (asked) => Math.max(asked, 6),
  'always 4': () => 4,
  'changing by page': (_, __, index) => [3, 1, 7, 2][index % 4] ?? 1,
};

/** The pages of a list, as the first record of each and of the next one. */
function pagesOf(length: number, asked: number, give: Give): readonly (readonly [start: number, end: number])[] {
  const pages: (readonly [number, number])[] = [];
  for (let start = 0, index = 0; start < length; index += 1) {
    const end = Math.min(start + give(asked, start, index), length);
    pages.push([start, end]);
    start = end;
  }
  return pages;
}

/** What an answer says beside its records: whether more follow is told in one of these ways, in one of the usual places. */
const tellings: Readonly<Record<string, (end: number, length: number, lastPage: number) => Rows>> = {
  'a total': (_, total) => ({ total }),
  'a total elsewhere': (_, total) => ({ pagination: { totalCount: `${total}` } }),
  'a flag': (end, length) => ({ meta: { has_more: end < length } }),
  'a link': (end, length) => ({ links: { next: end < length ? `/customers?cursor=t${end}` : null } }),
  'a token': (end, length) => ({ next_cursor: end < length ? `t${end}` : null }),
  'the last page': (_, __, last_page) => ({ meta: { last_page } }),
  nothing: () => ({}),
};

interface Service {
  readonly style: 'page' | 'offset' | 'cursor' | 'none';
  readonly give: string;
  readonly telling: string;
  readonly length: number;
  readonly maxPageSize: number;
  readonly firsts: readonly number[];
}

/** A service of this style that tells the end of its list in this way, if that style can. */
function scriptOf({ style, give: giveName, telling, length }: Service): Script {
  const give = given[giveName] ?? given['as asked'];
  return ({ path }) => {
    const asked = countIn(path, 'per_page') || countIn(path, 'limit') || 4;
    const pages = pagesOf(length, asked, give as Give);
    const token = Number(parametersOf(path).get('cursor')?.slice(1) ?? 0);
    const number = countIn(path, 'page') - 1;
    const offset = style === 'offset' ? countIn(path, 'offset') : token;
    const byOffset = [offset, Math.min(offset + (give as Give)(asked, offset, offset), length)] as const;
    const [start, end] =
      style === 'page' ? (pages[number] ?? [length, length]) : style === 'none' ? [0, length] : byOffset;
    const told = tellings[style === 'cursor' && telling !== 'a link' ? 'a token' : telling];
    return {
      json: {
        data: recordsOf(length).slice(start, end),
        ...told?.(end, length, style === 'none' ? 1 : Math.max(pages.length, 1)),
      },
    };
  };
}

const services: Arbitrary<Service> = record({
  style: constantFrom('page', 'offset', 'cursor', 'none'),
  give: constantFrom(...Object.keys(given)),
  telling: constantFrom(...Object.keys(tellings)),
  length: integer({ min: 0, max: 30 }),
  maxPageSize: constantFrom(4, 7, 100),
  firsts: array(integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
}).filter(
  // Where nothing tells the end, only pages as asked show it; only numbered pages have a last one.
  ({ style, give, telling }) =>
    style === 'none' ||
    style === 'cursor' ||
    !(telling === 'nothing' || (telling === 'the last page' && style === 'offset')) ||
    give === 'as asked',
);

const document = `query ($first: Int, $after: String) {
  list: customers(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
}`;

it(
  'gives every record of a list once, in full windows, in the calls that are estimated',
  { timeout: 120_000 },
  async () => {
    let current: Service;
    /** A gateway for each contract, in front of the service of the walk. */
    const gateways = new Map<string, ReturnType<typeof startScripted>>();
    const gatewayOf = (contract: Readonly<Record<string, unknown>>): ReturnType<typeof startScripted> => {
      const key = JSON.stringify(contract);
      const started = gateways.get(key) ?? startScripted((request) => scriptOf(current)(request), { contract });
      gateways.set(key, started);
      return started;
    };
    const walks = asyncProperty(services, async (service) => {
      current = service;
      const { style, give, length, maxPageSize, firsts } = service;
      const isFixed = style === 'page' && give === 'always 4' && maxPageSize === 4;
      const contract = {
        ...styleOf(style),
        'lists.maxPageSize': maxPageSize,
        ...(isFixed && { 'lists.perPage': null }),
      };
      const { gateway, upstream } = await gatewayOf(contract);
      const isHonest = give === 'as asked' || style === 'none' || isFixed;
      const ids: string[] = [];
      let after: string | null = null;
      let hasNextPage = true;
      for (let step = 0; hasNextPage; step += 1) {
        const first = firsts[step % firsts.length] ?? 1;
        const before = upstream.requests.length;
        const headers = { ...credentials, 'x-explain': 'calls' };
        const { data, errors, extensions } = await query(gateway, document, { variables: { first, after }, headers });
        expect(errors).toEqual([]);
        ids.push(...idsOf(data.list.nodes));
        ({ endCursor: after, hasNextPage } = data.list.pageInfo);
        const calls = upstream.requests.length - before;
        const { estimated } = extensions.cost;
        // A full window costs exactly what is estimated, the last one no more, where the service gives what is asked.
        expect(calls).toBeLessThanOrEqual(isHonest ? estimated : first + 2);
        expect(calls).toBeGreaterThanOrEqual(isHonest && hasNextPage ? estimated : 1);
        expect(hasNextPage ? data.list.nodes.length : first).toBe(first);
        // Constant windows begin where pages do.
        expect(isHonest && firsts.length === 1 && first <= maxPageSize && !isFixed ? calls : 1).toBe(1);
      }
      expect(ids).toEqual(idsOf(recordsOf(length)));
    });
    await assert(walks, { seed: 20_260_101, numRuns: 150 });
  },
);
