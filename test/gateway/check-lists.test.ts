import { describe, expect, it, onTestFinished } from 'vitest';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { checkService, contradicted, findingOf, startService, written, type Route } from '../support/check.ts';
import { leftToDecide } from '../support/dialects/planted.ts';
import { startUpstream, success } from '../support/upstream.ts';

const customers = Array.from({ length: 7 }, (_, index) => ({
  id: `c${index}`,
  wallet_id: 'another',
  collection_wallet: null,
  status: index % 2 === 0,
  created_at: 1_700_000_000 + index,
  balance: { balance: 12_300 },
}));
/** A service that counts pages from 0, sends times as seconds and statuses as booleans, and knows one media type. */
const startScripted = async (answer: (path: URL) => unknown) => {
  const upstream = await startUpstream(({ path, headers }) => {
    if (headers['accept']?.join() !== 'application/vnd.api+json') return { status: 406, json: {} };
    const url = new URL(path, 'http://service');
    if (url.pathname.endsWith('/balance')) return success({ balance: 123 });
    if (/customers\/c\d$/.test(url.pathname)) return success({ ...customers[0] });
    if (/customers\/$|virtual-accounts$/.test(url.pathname)) return { json: answer(url) };
    return { status: 404, json: { success: false, message: 'none' } };
  });
  onTestFinished(upstream.close);
  return upstream.url;
};
const mediaType = { 'service.contentType': 'application/vnd.api+json' };

describe('a check of one list and its records', () => {
  it('recognises pages from 0, epoch seconds, statuses without words and two units of one balance', async () => {
    const url = await startScripted(({ searchParams }) => {
      const [page, size] = ['page', 'per_page'].map((name) => Number(searchParams.get(name) ?? 0));
      const start = (page ?? 0) * (size ?? 0);
      return { success: true, data: customers.slice(start, start + (size ?? 0)), meta: { total: 7 } };
    });
    const { rows, file } = await checkService(url, { ...mediaType, 'customer.balance': ['/balance'] });
    const { overrides } = parseOverrides(file, 'written.yaml');
    expect(overrides).toMatchObject({
      'lists.firstPage': 0,
      'times.numbers': 'seconds',
      'customer.balance.unit': 'minor',
    });
    expect(overrides).not.toHaveProperty('customer.collectionWalletId');
    expect(file).toMatch(/^ {2}# status\.words: /m);
    expect(rows.find(({ id }) => id === 'listCustomers.pageStyle')?.state).toBe('confirmed');
    const decided = { ...overrides, 'status.words': { true: 'ACTIVE', false: 'BLOCKED' } };
    const second = contradicted(await checkService(url, decided));
    expect(second.filter((id) => /^(?:lists|times|status|customer)\.|^listCustomers\.pageStyle/.test(id))).toEqual([]);
  });

  it('takes a fixed page size for the largest page, not for a wrong style', async () => {
    const url = await startScripted(({ searchParams }) => {
      const page = Math.max(Number(searchParams.get('page')), 1);
      return { success: true, data: customers.slice(page * 3 - 3, page * 3), meta: { total: 7, per_page: 3 } };
    });
    const ids = contradicted(await checkService(url, mediaType));
    expect(ids.filter((id) => id.startsWith('lists.') || id === 'listCustomers.pageStyle')).toEqual([
      'lists.maxPageSize',
    ]);
  });

  it('leaves to a person whether a list whose every page is the same is whole', async () => {
    const url = await startScripted(() => customers);
    const { file, rows } = await checkService(url, mediaType);
    expect(rows.find(({ id }) => id === 'listCustomers.pageStyle')?.state).toBe('contradicted');
    expect(file).toMatch(
      /^ {2}listCustomers\.pageStyle: undecided # to decide: .*none, if one answer is the whole list/m,
    );
    const again = await checkService(url, { ...mediaType, ...parseOverrides(file, 'written.yaml').overrides });
    expect(leftToDecide(again.file)).toEqual(expect.arrayContaining([...leftToDecide(file)]));
    expect(parseOverrides(file, 'written.yaml').overrides['listCustomers.pageStyle']).toBe('undecided');
  });

  it('keeps a page style that the file states where nothing says more', async () => {
    const url = await startScripted(() => customers);
    const { file } = await checkService(url, { ...mediaType, 'listCustomers.pageStyle': 'page' });
    expect(parseOverrides(file, 'written.yaml').overrides['listCustomers.pageStyle']).toBe('page');
  });

  it.each([
    [7, true],
    [3, false],
  ])('offers a count of %i as the total where it exceeds the records of a page: %s', async (count, isOffered) => {
    const url = await startScripted(() => ({ count, results: customers.slice(0, 3) }));
    const { file } = await checkService(url, mediaType);
    expect(/^ {2}# lists\.total: .*\/count/m.test(file)).toBe(isOffered);
  });

  it('leaves a list that is read whole as it is', async () => {
    const url = await startScripted(() => customers);
    const ids = contradicted(await checkService(url, { ...mediaType, 'listCustomers.pageStyle': 'none' }));
    expect(ids).not.toContain('listCustomers.pageStyle');
  });
});

describe('a check of how a list is paged', () => {
  const all = Array.from({ length: 12 }, (_, index) => ({ id: `c${index + 1}` }));
  const parametersOf = (path: string) => new URL(path, 'http://service').searchParams;
  const one: Route = [/\/customers\/c\d+$/, ({ path }) => success({ id: path.split('/').at(-1) })];

  it('confirms a list that is read by the ids of last records, without any flag', async () => {
    const byRecord: Route = [
      /customers\/\?/,
      ({ path }) => {
        const start = all.findIndex(({ id }) => id === parametersOf(path).get('after')) + 1;
        return success(all.slice(start, start + Number(parametersOf(path).get('limit') ?? 5)));
      },
    ];
    const rows = {
      'listCustomers.pageStyle': 'cursor',
      'lists.cursor': 'after',
      'lists.limit': 'limit',
      'lists.cursorFrom': 'lastRecord',
    };
    const service = await startService(byRecord, one);
    const result = await checkService(service.url, rows);
    expect(findingOf(result, 'listCustomers.pageStyle').state).toBe('confirmed');
    expect(written(result)).toEqual(rows);
  });

  it('finds a list read by offset whose parameter has a name that is usual for pages', async () => {
    const byOffset: Route = [
      /customers\/(?:\?|$)/,
      ({ path }) => {
        const start = Number(parametersOf(path).get('page') ?? 0);
        return success(all.slice(start, start + Number(parametersOf(path).get('size') ?? 20)));
      },
    ];
    const service = await startService(byOffset, one);
    const rows = { 'lists.offset': 'page' };
    const expected = { 'listCustomers.pageStyle': 'offset', 'lists.limit': 'size' };
    expect(written(await checkService(service.url, rows))).toMatchObject(expected);
  });

  it('does not call every page the same where the second one is empty', async () => {
    const whole: Route = [
      /customers\/(?:\?|$)/,
      ({ path }) => success(parametersOf(path).get('page') === '2' ? [] : all.slice(0, 5)),
    ];
    const service = await startService(whole, one);
    const result = await checkService(service.url);
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
    const service = await startService([/customers\/(?:\?|$)/, () => success(all)], one, banks);
    const result = await checkService(service.url, rows);
    expect(findingOf(result, 'listSettlementBanks.pageStyle').state).toBe('contradicted');
    expect(written(result)).toMatchObject({ 'listSettlementBanks.pageStyle': 'undecided' });
  });
});
