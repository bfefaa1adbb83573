import { beforeAll, describe, expect, it } from 'vitest';
import { query, type GraphQLAnswer } from '../../support/gateway.ts';
import { record } from '../evidence.ts';
import { gateways, proofsFolder, startStack, type Stack, type StackOptions } from './federation.ts';
import { merchant, operations, readEntities, type Ask } from './operations.ts';

interface Call {
  readonly operation: string;
  readonly credentials: readonly string[];
}

async function tell(bank: string, action: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { ok } = await fetch(`${bank}/_bank/${action}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(ok).toBe(true);
}

/** What `work` comes to, and the calls that it made the bank see, which does something wrong first where it is told to. */
async function countCalls<Value>(bank: string, work: () => Promise<Value>, fault?: object) {
  await tell(bank, 'reset', {});
  if (fault !== undefined) await tell(bank, 'faults', fault);
  const value = await work();
  const { requests } = (await (await fetch(`${bank}/_bank/requests`)).json()) as { readonly requests: readonly Call[] };
  return {
    value,
    calls: requests.map(({ operation, credentials }) => `${operation} ${credentials.join()}`).toSorted(),
  };
}

/** Each fault once, however often a gateway repeats it, and without what differs from request to request. */
const faultsOf = (errors: GraphQLAnswer['errors']) => {
  const told = errors.map(({ message, extensions: { code, operation, row, header, jsonPath, retryable } }) =>
    JSON.stringify({ message, code, operation, row, header, jsonPath, retryable }),
  );
  return [...new Set(told)].toSorted();
};

const asker =
  (server: Pick<Stack['gateway'], 'url'>, headers: Readonly<Record<string, string>> = merchant): Ask =>
  (document, variables) =>
    query(server, document, { variables, headers });

/** Starts a stack for all tests of a block. */
function useStack(options: Omit<StackOptions, 'atEnd'>): () => Stack {
  let stack: Stack | undefined;
  beforeAll(async () => {
    const stops: (() => void)[] = [];
    stack = await startStack({ ...options, atEnd: (stop) => stops.push(stop) });
    return () => stops.forEach((stop) => stop());
  });
  return () => {
    if (stack === undefined) throw new Error('the stack has not started');
    return stack;
  };
}

describe.each(gateways)('behind %s', (name) => {
  const started = useStack({ gateway: name });

  it.each(operations)('$name: answers as without it, by as many calls', async (operation) => {
    const { document, alone, callers = [merchant], calls, errorsAt = 'nowhere', fault } = operation;
    const { gateway, settlement, neighbour, bank } = started();
    const ask = (headers: (typeof callers)[number]) =>
      alone({ settlement: asker(settlement, headers), orders: asker(neighbour, headers) });
    const byHand = await countCalls(bank, () => Promise.all(callers.map(ask)), fault);
    const behind = await countCalls(
      bank,
      () => Promise.all(callers.map((headers) => asker(gateway, headers)(document))),
      fault,
    );
    expect(behind.value.map(({ data }) => data)).toEqual(byHand.value.map(({ data }) => data));
    expect(behind.value.map(({ errors }) => faultsOf(errors))).toEqual(
      byHand.value.map(({ errors = [] }) => faultsOf(errors)),
    );
    const places = behind.value.flatMap(({ errors }) => errors.map(({ path = [] }) => path.join('.')));
    expect(places.filter((place) => !place.startsWith(errorsAt))).toEqual([]);
    expect([byHand.calls.length, behind.calls]).toEqual([calls, byHand.calls]);
  });

  it('reads forty customers by forty calls for a hundred references', async () => {
    const { gateway, settlement, neighbour, bank } = started();
    const orders = await asker(neighbour)('{ orders(first: 100) { nodes { customer { id } } } }');
    const nodes: readonly { readonly customer: { readonly id: string } }[] = orders.data.orders.nodes;
    const ids = nodes.map(({ customer }) => customer.id);
    const { value: alone } = await countCalls(bank, () => readEntities(asker(settlement), 'Customer', ids, 'email'));
    const { value: behind, calls } = await countCalls(bank, () =>
      asker(gateway)('{ orders(first: 100) { nodes { customer { email } } } }'),
    );
    const found: readonly { readonly customer: unknown }[] = behind.data.orders.nodes;
    expect([ids.length, new Set(ids).size, calls.length]).toEqual([100, 40, 40]);
    expect(found.map(({ customer }) => customer)).toEqual(alone.data.entities);
    record(`Agreement behind ${name}`, `${operations.length} operations, 100 references by 40 calls`);
  });
});

describe.each(gateways)('beside a hostile neighbour, behind %s', (gateway) => {
  const environment = { TYPE_PREFIX: 'Settlement' };
  const started = useStack({ gateway, neighbour: [proofsFolder, 'hostile.js'], environment });

  it('both answer under their own names, joined only by what the neighbour says, which sees no credential', async () => {
    const ask = asker(started().gateway);
    const { data, errors } = await ask(`{
      settlementCustomer(id: "cus_0001") { __typename firstName balance { value { __typename currency } } card { points { cents } } }
      customer(id: "cus_0001") { __typename firstName points { __typename cents } account { __typename firstName } }
    }`);
    const seen = await ask('{ headersSeen }');
    expect(errors).toEqual([]);
    expect(seen.data.headersSeen).toContain('content-type');
    expect(seen.data.headersSeen).not.toContain('authorization');
    expect(seen.data.headersSeen).not.toContain('svcprivatekey');
    expect(data).toEqual({
      settlementCustomer: {
        __typename: 'SettlementCustomer',
        firstName: 'Chidi',
        balance: { value: { __typename: 'SettlementMoney', currency: 'NGN' } },
        card: { points: { cents: 12 } },
      },
      customer: {
        __typename: 'Customer',
        firstName: 7,
        points: { __typename: 'Money', cents: 12 },
        account: { __typename: 'SettlementCustomer', firstName: expect.any(String) },
      },
    });
  });
});

const roots = Array.from({ length: 21 }, (_, at) => `c${at}: customer(id: "cus_${at}") { email }`).join(' ');
const expensive = '{ customers(first: 100) { nodes { balance { value { amount } } } } }';
const references = '{ orders(first: 100) { nodes { customer { email } } } }';
const create =
  'mutation ($of: Decimal) { createOneTimeAccount(input: { customerId: "cus_0001", amount: $of }) { userErrors { code } } }';

describe.each(gateways)('a request that settlement-graph refuses, behind %s', (gateway) => {
  const ROUTER_SECRET = 'test-router-secret-of-32-letters';
  const started = useStack({
    gateway,
    environment: { MAX_UPSTREAM_CALLS: '50', MAX_REPRESENTATIONS: '30', ROUTER_SECRET },
  });

  it.each([
    ['COST_ESTIMATED_TOO_EXPENSIVE', expensive],
    ['LIMIT_EXCEEDED', references],
    ['LIMIT_EXCEEDED', `{ ${roots} }`],
    ['BAD_USER_INPUT', create],
  ])('is told to the client with its code: %s of %s', async (code, document) => {
    const { errors } = await asker(started().gateway)(document, { of: 5 });
    expect(errors.map(({ extensions }) => extensions['code'])).toContain(code);
  });
});
