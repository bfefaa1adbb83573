import { describe, expect, it } from 'vitest';
import { createContract, type RowId } from '../../src/contract/contract.ts';
import { query, startScripted } from '../support/gateway.ts';
import {
  askedPage,
  countIn,
  cutPage,
  idsOf,
  metaPage,
  page,
  parametersOf,
  readCustomers,
  readWindow,
  recordsOf,
  startsOf,
  styleOf,
  contradiction,
  walkCustomers,
  walkToError,
  type Rows,
  type Script,
} from '../support/upstream/paging.ts';
import { success, type Reply } from '../support/upstream/upstream.ts';

describe('an answer that contradicts a row', () => {
  const contradictions: readonly [name: string, row: RowId, reply: () => Reply][] = [
    ['no array anywhere', 'lists.records', () => success({ customers: [] })],
    ['no data', 'lists.records', () => ({ json: { message: 'None.' } })],
    ['an object in place of records', 'lists.records', () => success({})],
    ['nothing beside a negative flag', 'envelope.success', () => ({ json: { success: false, data: null } })],
    ['an object under another name', 'lists.records', () => ({ json: { success: true, customer: { id: 'c1' } } })],
    ['null in place of records', 'lists.records', () => ({ json: { data: null, has_more: false } })],
    ['no array beside a total of 3', 'lists.records', () => ({ json: { page: { totalElements: 3 } } })],
    ['a page that was not asked for', 'lists.currentPage', () => page(recordsOf(5), { current_page: 2 })],
    ['another page of none', 'lists.currentPage', () => page([], { current_page: 2, last_page: 0 })],
    ['a page number that is not a number', 'lists.currentPage', () => page([], { current_page: 'one' })],
    ['a negative total', 'lists.total', () => page([], { total: -1 })],
    ['a total below what it gives', 'lists.total', () => page(recordsOf(3), { current_page: 1, total: 1 })],
    ['a page size that is not a whole number', 'lists.pageSize', () => page([], { per_page: 2.5 })],
    ['a negative last page', 'lists.lastPage', () => page([], { last_page: -1 })],
    ['a last page of another type', 'lists.lastPage', () => page([], { last_page: {} })],
    ['a flag of another type', 'lists.hasMore', () => page([], { has_more: 'perhaps' })],
    ['records behind its last page', 'lists.lastPage', () => page(recordsOf(5), { last_page: 0 })],
    ['no record beside a total', 'lists.page', () => page([], { total: 17 })],
    ['no record beside further pages', 'lists.page', () => ({ json: { data: [], paging: { total_pages: 3 } } })],
    ['no record beside a flag', 'lists.page', () => metaPage([], { hasMore: true })],
    ['no record beside a next link', 'lists.page', () => ({ json: { data: [], links: { next: '/x?page=2' } } })],
  ];

  it.each(contradictions)('is an error that names it: %s', async (_, row, reply) => {
    const { list, errors, calls } = await readWindow(reply, {}, { first: 5 });
    expect([list, calls]).toEqual([null, 1]);
    expect(errors).toMatchObject(contradiction(row));
    expect(errors).toMatchObject([{ path: ['list'], extensions: { operation: 'listCustomers' } }]);
    const ownRow = row.replace('lists', 'listCustomers');
    const own = await readWindow(reply, { [ownRow]: createContract()[row] }, { first: 5 });
    expect(own.errors).toMatchObject(contradiction(ownRow));
  });

  it.each<[name: string, style: string, parts: Rows, row: string]>([
    ['fewer records than it gives', 'offset', { total: 17 }, 'lists.total'],
    ['fewer records than it gives', 'cursor', { total: 17 }, 'lists.total'],
    ['fewer records than it gives', 'none', { total: 17 }, 'lists.total'],
    ['more records', 'none', { total: 47 }, 'listCustomers.pageStyle'],
    ['more records', 'cursor', { total: 47 }, 'lists.nextCursor'],
    ['more pages', 'cursor', { total_pages: 3 }, 'lists.nextCursor'],
    ['more pages', 'none', { total_pages: 3 }, 'listCustomers.pageStyle'],
    ['a flag', 'none', { has_more: true }, 'listCustomers.pageStyle'],
    ['a token', 'none', { next_cursor: 'abc' }, 'listCustomers.pageStyle'],
    ['a link', 'none', { next_page_url: '/x?page=2' }, 'listCustomers.pageStyle'],
  ])('is an error where 20 records, all that can be asked for, come with %s: style %s', async (_, style, meta, row) => {
    const { list, errors, calls } = await readWindow(() => metaPage(recordsOf(20), meta), styleOf(style));
    expect([list, calls]).toEqual([null, 1]);
    expect(errors).toMatchObject(contradiction(row));
  });

  it('is an error where no record comes by offset although more follow', async () => {
    const { errors } = await readWindow(() => page([], { total: 17 }), styleOf('offset'));
    expect(errors).toMatchObject(contradiction('lists.offset'));
  });

  it.each(['page', 'offset', 'cursor', 'none'])(
    'is an error where an id is twice in one window: style %s',
    async (name) => {
      const script: Script = () => ({ json: { data: [{ id: 'r1' }, { id: 'r2' }, { id: 'r1' }] } });
      const { list, errors, calls } = await readWindow(script, styleOf(name));
      expect([list, calls]).toEqual([null, 1]);
      expect(errors).toMatchObject(contradiction('listCustomers.pageStyle'));
    },
  );

  it.each<[name: string, steps: readonly number[], contract: Rows, script: Script]>([
    ['its whole list again', [20], { 'lists.maxPageSize': 10 }, () => ({ json: recordsOf(10) })],
    ['its first page again', [5, 10], {}, ({ path }) => ({ json: recordsOf(10).slice(0, askedPage(path).perPage) })],
    ['the whole list by offset', [4, 10], styleOf('offset'), () => ({ json: recordsOf(30) })],
  ])('is an error in the window in which a service gives %s', async (_, steps, contract, script) => {
    const { gateway } = await startScripted(script, { contract });
    const { ids, errors } = await walkToError(gateway, ...steps);
    expect(ids).toEqual(idsOf(recordsOf(ids.length)));
    expect(errors).toMatchObject(contradiction('listCustomers.pageStyle'));
  });

  it('is an error where a page that a cursor is inside of has fewer records than before, and is not the last', async () => {
    let cap = 20;
    const script: Script = ({ path }) => metaPage(cutPage(recordsOf(50), path, cap).data, { total: 50 });
    const { gateway } = await startScripted(script);
    const { data } = await readCustomers(gateway, { first: 20 });
    cap = 5;
    const after = data.list.edges[9].cursor;
    expect((await readCustomers(gateway, { first: 20, after })).errors).toMatchObject(
      contradiction('listCustomers.pageStyle'),
    );
  });
});

describe('a service that counts pages from 0, read as one that counts from 1,', () => {
  const fromZero =
    (length: number, tell: (page: number, last: number) => Rows): Script =>
    ({ path }) => {
      const { page: asked, perPage } = askedPage(path);
      const data = recordsOf(length).slice(asked * perPage, (asked + 1) * perPage);
      return metaPage(data, tell(asked, Math.ceil(length / perPage) - 1));
    };

  it.each<[length: number, by: string, tell: (page: number, last: number) => Rows]>([
    [17, 'a total', () => ({ total: 17 })],
    [47, 'a total', () => ({ total: 47 })],
  ])('is contradicted before the end of its list of %i by %s', async (length, _, tell) => {
    const { gateway } = await startScripted(fromZero(length, tell));
    expect((await walkToError(gateway, 20)).errors).toMatchObject(contradiction('lists.page'));
  });
});

describe('the end of a list', () => {
  it.each<[told: string, parts: Rows]>([
    ['its total, beside a token', { total: 20, next_cursor: 'abc' }],
    ['its last page', { last_page: 1 }],
    ['a flag', { has_more: false }],
    ['a flag as text', { has_more: 'false' }],
    ['null in place of a next link', { next: null }],
  ])('is where a full page tells it, by %s', async (_, meta) => {
    const { list, calls } = await readWindow(() => metaPage(recordsOf(20), meta));
    expect([list.nodes.length, list.pageInfo.hasNextPage, calls]).toEqual([20, false, 1]);
  });

  it.each<[told: string, parts: Rows]>([
    ['a total', { total: 20, has_more: true }],
    ['a last page', { last_page: 1, has_more: true }],
    ['a flag', { has_more: false, total: 21 }],
  ])('is not where one row says that more follow, whatever %s says', async (_, meta) => {
    const { list } = await readWindow(() => metaPage(recordsOf(20), meta));
    expect(list.pageInfo.hasNextPage).toBe(true);
  });

  it.each([20, 19])('is where a page is short, of %i, and nothing tells it', async (length) => {
    const { list, calls } = await readWindow(() => success(recordsOf(length)));
    expect([list.pageInfo.hasNextPage, calls]).toEqual([length === 20, 1]);
  });

  it('is not where a page is as long as it says that pages are, though more were asked for', async () => {
    const script: Script = ({ path }) => metaPage(cutPage(recordsOf(24), path, 10).data, { per_page: 10 });
    const { gateway } = await startScripted(script);
    for (const first of [10, 20, 100]) expect(await walkCustomers(gateway, first)).toEqual(idsOf(recordsOf(24)));
  });

  it.each([
    [0, { success: true, data: [], meta: { total: 0 } }],
    [0, { success: true, data: { links: [{ rel: 'self', href: '/customers' }], total: 0 } }],
    [0, { success: true, data: null, meta: { total: 0 }, messages: ['No customers found.'] }],
  ])('is its start, without cursors and with a total of %j, where there is no record: %j', async (totalCount, json) => {
    const { list, errors } = await readWindow(() => ({ json }));
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
    expect(errors).toEqual([]);
    expect(list).toEqual({ edges: [], nodes: [], pageInfo, totalCount });
  });

  it('has the cursor of its last record, behind which later ones are found', async () => {
    let length = 7;
    for (const style of ['page', 'offset', 'cursor']) {
      length = 7;
      const script: Script = ({ path }) => {
        const start = style === 'page' ? (askedPage(path).page - 1) * askedPage(path).perPage : countIn(path, style);
        const end = start + (countIn(path, 'per_page') || countIn(path, 'limit'));
        const next_cursor = end < length ? end : null;
        return metaPage(recordsOf(length).slice(start, end), style === 'cursor' ? { next_cursor } : { total: length });
      };
      const { gateway } = await startScripted(script, { contract: styleOf(style) });
      const { data } = await readCustomers(gateway, { first: 4 });
      const last = await readCustomers(gateway, { first: 4, after: data.list.pageInfo.endCursor });
      const { endCursor: after, hasNextPage } = last.data.list.pageInfo;
      expect([hasNextPage, last.data.list.edges[2].cursor]).toEqual([false, after]);
      expect((await readCustomers(gateway, { first: 4, after })).data.list.nodes).toEqual([]);
      length = 10;
      const { data: later } = await readCustomers(gateway, { first: 4, after });
      expect(idsOf(later.list.nodes)).toEqual(['r8', 'r9', 'r10']);
    }
  });

  it.each<[told: string, tell: (next: string, isEnd: boolean) => Rows]>([
    ['a token', (next) => ({ next_cursor: next })],
    ['a link', (next) => ({ links: { next: `/customers?cursor=${next}` } })],
    ['a link that leads nowhere at last', (next, isEnd) => ({ links: { next: isEnd ? '/x' : `/x?cursor=${next}` } })],
    ['a flag', (next, isEnd) => ({ has_more: true, next_cursor: isEnd ? null : next })],
  ])('is an empty page of a list that always tells a next one, by %s', async (_, tell) => {
    const script: Script = ({ path }) => {
      const start = Number(parametersOf(path).get('cursor')?.replace('after-', '') ?? 0);
      const data = recordsOf(5).slice(start, start + 2);
      return { json: { data, ...tell(`after-${start + 2}`, data.length === 0) } };
    };
    const { gateway } = await startScripted(script, { contract: { ...styleOf('cursor'), 'lists.maxPageSize': 2 } });
    for (const first of [2, 4, 20]) expect(await walkCustomers(gateway, first)).toEqual(idsOf(recordsOf(5)));
  });

  it('is passed by no window of a list that shrank: it is empty', async () => {
    const starts = await startsOf(({ path }) => metaPage(cutPage(recordsOf(40), path, 10).data, { total: 40 }), {
      'lists.maxPageSize': 10,
    });
    const script: Script = ({ path }) => metaPage(cutPage(recordsOf(9), path).data, { total: 9 });
    const { list, errors } = await readWindow(script, {}, { first: 10, after: starts[30] });
    expect([list.nodes, list.pageInfo.hasNextPage, errors]).toEqual([[], false, []]);
  });
});

it('leaves out records that are marked as deleted and reads on for others; a total may count them, or is an error', async () => {
  const records = recordsOf(9).map((record, index) => ({ ...record, deleted: index > 0 && index < 6 }));
  let total = 9;
  const script: Script = ({ path }) =>
    path.includes('?') ? metaPage(cutPage(records, path).data, { total }) : success(records[1]);
  const { gateway, upstream } = await startScripted(script, { contract: { 'customer.deleted': ['/deleted'] } });
  expect(await walkCustomers(gateway, 3)).toEqual(['r1', 'r7', 'r8', 'r9']);
  expect(upstream.requests.map(({ path }) => askedPage(path).page)).toEqual([1, 2, 3, 3, 4]);
  expect((await readCustomers(gateway, { first: 3 })).data.list.totalCount).toBeNull();
  const { data, errors } = await query(gateway, '{ customer(id: "r2") { type } }');
  expect([data, errors]).toEqual([{ customer: null }, []]);
  // One that is reached at the end of a page, with records behind it.
  total = 6;
  expect((await readCustomers(gateway, { first: 6 })).errors[0]?.extensions['row']).toBe('lists.total');
});

describe('the full form of a page that the contract assumes', () => {
  const laravel =
    (length: number, isResource: boolean): Script =>
    ({ path }) => {
      const { data, page: number, size, lastPage, total } = cutPage(recordsOf(length), path);
      const link = (to: number) => (to < 1 || to > lastPage ? null : `http://x/customers?page=${to}`);
      const labels = [{ url: link(number - 1), label: 'Previous', active: false }];
      const meta = {
        current_page: number,
        last_page: lastPage,
        per_page: `${size}`,
        total,
        path: 'http://x/customers',
      };
      const ends = { from: data.length === 0 ? null : (number - 1) * size + 1, to: (number - 1) * size + data.length };
      const urls = { first: link(1), last: link(lastPage), prev: link(number - 1), next: link(number + 1) };
      if (isResource) return { json: { data, links: urls, meta: { ...meta, ...ends, links: labels } } };
      const { first, last, prev, next } = urls;
      const flat = { first_page_url: first, last_page_url: last, prev_page_url: prev, next_page_url: next };
      return success({ data, ...meta, ...ends, ...flat, links: labels });
    };

  it.each([true, false])('raises no false alarm: as a resource %s', async (isResource) => {
    for (const length of [0, 20, 47]) {
      const { gateway } = await startScripted(laravel(length, isResource));
      for (const first of [7, 20, 100]) {
        expect(await walkCustomers(gateway, first)).toEqual(idsOf(recordsOf(length)));
      }
    }
  });
});

it.each<[style: string, pageOf: (path: string) => number]>([
  ['page', (path) => askedPage(path).page - 1],
  ['offset', (path) => countIn(path, 'offset') / 2],
  ['cursor', (path) => countIn(path, 'cursor')],
])('a record that others insert meanwhile may move one to a later window, without an error: %s', async (style, of) => {
  const pages = [['t1', 't2'], ['t3', 't1'], ['t5']];
  const script: Script = ({ path }) => {
    const data = (pages[of(path)] ?? []).map((id) => ({ id }));
    return { json: { data, next_cursor: style === 'cursor' ? [1, 2][of(path)] : null } };
  };
  const { gateway } = await startScripted(script, { contract: styleOf(style) });
  expect(await walkToError(gateway, 2)).toEqual({ ids: pages.flat(), errors: [] });
});
