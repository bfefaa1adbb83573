import { describe, expect, it } from 'vitest';
import { checkService, contradicted, findingOf, startService, written, type Route } from '../support/check.ts';
import { pageOf, success, type Reply, type SeenRequest } from '../support/upstream.ts';

const customers = Array.from({ length: 12 }, (_, index) => ({ id: `c${index + 1}` }));
const denied: Reply = { status: 401, json: { success: false, message: 'Denied.' } };

/** A route that takes the private key alone, or the bearer alone. */
function guarded(header: 'authorization' | 'svcprivatekey', target: RegExp, answer: Route[1]): Route {
  const isAllowed = ({ headers }: SeenRequest): boolean => headers[header] !== undefined;
  return [target, (request) => (isAllowed(request) ? answer(request) : denied)];
}

describe('a check of a service that wants other credentials', () => {
  it('looks for another spelling of a path where one credential is refused and the next finds nothing', async () => {
    const service = await startService(
      guarded('svcprivatekey', /settlement-banks\?/, ({ path }) => pageOf([{ id: 'b1' }], path)),
      guarded('svcprivatekey', /./, () => ({ status: 404, json: { success: false, message: 'none' } })),
    );
    const result = await checkService(service.url);
    expect(written(result)).toMatchObject({
      'listSettlementBanks.path': '/settlement-banks',
      'listSettlementBanks.credentials': ['privateKey'],
    });
    expect(contradicted(await checkService(service.url, written(result)))).not.toContain('listSettlementBanks.path');
  });

  it('compares the balance of its endpoint, which the record of the customer carries, too', async () => {
    const service = await startService(
      guarded('authorization', /customers\/\?/, ({ path }) => pageOf(customers, path)),
      guarded('authorization', /c\d+$/, ({ path }) =>
        success({ id: path.split('/').at(-1), wallet: { balance: 100 } }),
      ),
      guarded('authorization', /c\d+\/balance$/, () => success({ balance: '1.00' })),
      guarded('authorization', /./, () => ({ status: 404, json: { success: false, message: 'none' } })),
    );
    const result = await checkService(service.url);
    expect(findingOf(result, 'balance.value').state).toBe('confirmed');
    expect(written(result)).toMatchObject({ 'getCustomerBalance.credentials': ['bearer'] });
    expect(written(result)).not.toHaveProperty('customer.balance');
  });
});

describe('a check of how each list is paged', () => {
  const records = (prefix: string) => Array.from({ length: 9 }, (_, index) => ({ id: `${prefix}${index + 1}` }));
  const one: Route = [/\/customers\/c\d+$/, ({ path }) => success({ id: path.split('/').at(-1) })];
  const parametersOf = (path: string) => new URL(path, 'http://service').searchParams;

  it('takes the name of the page size from the answer that reports it, in digits, too', async () => {
    const sized: Route = [
      /\/customers\/\?/,
      ({ path }) => {
        const [page, size] = [parametersOf(path).get('page') ?? 1, parametersOf(path).get('perPage') ?? 5].map(Number);
        const data = records('c').slice((page - 1) * size, page * size);
        return { json: { success: true, data, meta: { total: 9, page, perPage: String(size) } } };
      },
    ];
    const service = await startService(one, sized);
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({ 'lists.perPage': 'perPage', 'lists.pageSize': ['/meta/perPage'] });
    expect(rows).not.toHaveProperty('lists.maxPageSize');
  });

  it('gives a list that follows links rows of its own, beside others that follow the id of the last record', async () => {
    const cut = (all: readonly { readonly id: string }[], start: number, path: string) => {
      const end = start + Number(parametersOf(path).get('limit') ?? 5);
      return { page: all.slice(start, end), end, isLast: end >= all.length };
    };
    const flagged = (target: RegExp, prefix: string): Route => [
      target,
      ({ path }) => {
        const after = parametersOf(path).get('starting_after');
        const start = records(prefix).findIndex(({ id }) => id === after) + 1;
        const { page, isLast } = cut(records(prefix), start, path);
        return { json: { data: page, has_more: !isLast } };
      },
    ];
    const linked: Route = [
      /settlement-banks\/\?/,
      ({ path }) => {
        const { page, end, isLast } = cut(records('b'), Number(parametersOf(path).get('cursor') ?? 0), path);
        return { json: { items: page, paging: { next: isLast ? null : `/banks?cursor=${end}` } } };
      },
    ];
    const service = await startService(flagged(/customers\/\?/, 'c'), one, flagged(/transactions\?/, 't'), linked);
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({
      'lists.hasMore': ['/has_more'],
      'lists.cursor': 'starting_after',
      'listCustomerTransactions.pageStyle': 'cursor',
      'listSettlementBanks.pageStyle': 'cursor',
      'listSettlementBanks.cursor': 'cursor',
      'listSettlementBanks.nextLink': ['/paging/next'],
      'listSettlementBanks.hasMore': [],
    });
    const second = contradicted(await checkService(service.url, rows));
    expect(second.filter((id) => /^list.*\.(?!path)/.test(id))).toEqual([]);
  });
});
