import { describe, expect, it } from 'vitest';
import {
  byOffset,
  byRecord,
  checkRoutes,
  contradicted,
  customers as all,
  findingOf,
  list,
  singleCustomer,
  written,
  type Route,
} from '../support/check.ts';
import { leftToDecide } from '../support/dialects/planted.ts';
import { parametersOf } from '../support/paging.ts';
import { success } from '../support/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

describe('a check of one list and its records', () => {
  const customers = Array.from({ length: 7 }, (_, index) => ({
    id: `c${index}`,
    wallet_id: 'another',
    collection_wallet: null,
    status: index % 2 === 0,
    created_at: 1_700_000_000 + index,
    balance: { balance: 12_300 },
  }));
  const checkList = (answer: (parameters: URLSearchParams) => unknown, rows: Rows = {}) =>
    checkRoutes(
      [
        [/\/balance$/, () => success({ balance: 123 })],
        [/customers\/c\d$/, () => success({ ...customers[0] })],
        [/(?:customers\/|virtual-accounts)(?:\?|$)/, ({ path }) => ({ json: answer(parametersOf(path)) })],
      ],
      rows,
    );

  it('recognises pages from 0, epoch seconds, statuses without words and two units of one balance', async () => {
    const result = await checkList(
      (parameters) => {
        const [page, size] = ['page', 'per_page'].map((name) => Number(parameters.get(name) ?? 0));
        const start = (page ?? 0) * (size ?? 0);
        return { success: true, data: customers.slice(start, start + (size ?? 0)), meta: { total: 7 } };
      },
      { 'customer.balance': ['/balance'] },
    );
    const rows = written(result);
    expect(rows).toMatchObject({
      'lists.firstPage': 0,
      'times.numbers': 'seconds',
      'customer.balance.unit': 'minor',
    });
    expect(rows).not.toHaveProperty('customer.collectionWalletId');
    expect(result.file).toMatch(/^ {2}# status\.words: /m);
    expect(findingOf(result, 'listCustomers.pageStyle').state).toBe('confirmed');
    const decided = { ...rows, 'status.words': { true: 'ACTIVE', false: 'BLOCKED' } };
    const second = contradicted(await result.again(decided));
    expect(second.filter((id) => /^(?:lists|times|status|customer)\.|^listCustomers\.pageStyle/.test(id))).toEqual([]);
  });

  it('takes a fixed page size for the largest page, not for a wrong style', async () => {
    const result = await checkList((parameters) => {
      const page = Math.max(Number(parameters.get('page')), 1);
      return { success: true, data: customers.slice(page * 3 - 3, page * 3), meta: { total: 7, per_page: 3 } };
    });
    const ids = contradicted(result).filter((id) => id.startsWith('lists.') || id === 'listCustomers.pageStyle');
    expect(ids).toEqual(['lists.maxPageSize']);
  });

  it('leaves to a person whether a list whose every page is the same is whole', async () => {
    const result = await checkList(() => customers);
    expect(findingOf(result, 'listCustomers.pageStyle').state).toBe('contradicted');
    expect(result.file).toMatch(
      /^ {2}listCustomers\.pageStyle: undecided # to decide: .*none, if one answer is the whole list/m,
    );
    const { file } = await result.again();
    expect(leftToDecide(file)).toEqual(expect.arrayContaining([...leftToDecide(result.file)]));
  });

  it('keeps a page style that the file states where nothing says more', async () => {
    const result = await checkList(() => customers, { 'listCustomers.pageStyle': 'page' });
    expect(written(result)).toMatchObject({ 'listCustomers.pageStyle': 'page' });
  });

  it.each([
    [7, true],
    [3, false],
  ])('offers a count of %i as the total where it exceeds the records of a page: %s', async (count, isOffered) => {
    const { file } = await checkList(() => ({ count, results: customers.slice(0, 3) }));
    expect(/^ {2}# lists\.total: .*\/count/m.test(file)).toBe(isOffered);
  });

  it('leaves a list that is read whole as it is', async () => {
    const result = await checkList(() => customers, { 'listCustomers.pageStyle': 'none' });
    expect(contradicted(result)).not.toContain('listCustomers.pageStyle');
  });
});

describe('a check of how a list is paged', () => {
  it('confirms a list that is read by the ids of last records, without any flag', async () => {
    const unflagged = list(/customers\/\?/, all, byRecord('after'), 'limit', (data) => ({ success: true, data }));
    const rows = {
      'listCustomers.pageStyle': 'cursor',
      'lists.cursor': 'after',
      'lists.limit': 'limit',
      'lists.cursorFrom': 'lastRecord',
    };
    const result = await checkRoutes([unflagged, singleCustomer], rows);
    expect(findingOf(result, 'listCustomers.pageStyle').state).toBe('confirmed');
    expect(written(result)).toEqual(rows);
  });

  it('finds a list read by offset whose parameter has a name that is usual for pages', async () => {
    const offsets = list(/customers\/(?:\?|$)/, all, byOffset('page'), 'size', (data) => ({ success: true, data }), 20);
    const result = await checkRoutes([offsets, singleCustomer], { 'lists.offset': 'page' });
    expect(written(result)).toMatchObject({ 'listCustomers.pageStyle': 'offset', 'lists.limit': 'size' });
  });

  it('does not call every page the same where the second one is empty', async () => {
    const whole: Route = [
      /customers\/(?:\?|$)/,
      ({ path }) => success(parametersOf(path).get('page') === '2' ? [] : all.slice(0, 5)),
    ];
    const result = await checkRoutes([whole, singleCustomer]);
    expect(findingOf(result, 'listCustomers.pageStyle')).toMatchObject({
      state: 'not observable',
      why: 'the size asked for is not kept, and one page is all',
    });
    expect(written(result)).not.toHaveProperty(['listCustomers.pageStyle']);
  });

  it.each([
    ['the style of the customers', { 'listCustomers.pageStyle': 'none' }],
    ['its own row', { 'listCustomers.pageStyle': 'none', 'listSettlementBanks.pageStyle': 'none' }],
  ])('takes no list for whole by %s where its answer says that more follows', async (_, rows) => {
    const banks: Route = [/settlement-banks\/?$/, () => ({ json: { success: true, data: all, meta: { total: 50 } } })];
    const result = await checkRoutes([[/customers\/(?:\?|$)/, () => success(all)], singleCustomer, banks], rows);
    expect(findingOf(result, 'listSettlementBanks.pageStyle').state).toBe('contradicted');
    expect(written(result)).toMatchObject({ 'listSettlementBanks.pageStyle': 'undecided' });
  });
});
