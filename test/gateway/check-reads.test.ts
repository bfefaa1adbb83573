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
