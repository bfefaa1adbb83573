import { beforeAll, describe, expect, it } from 'vitest';
import { gateways, proofsFolder, startStack, type Stack } from '../support/federation.ts';
import {
  merchant,
  operations,
  readEntities,
  type Ask,
  type FederatedOperation,
} from '../support/federated-operations.ts';
import { query, type GraphQLAnswer } from '../support/gateway.ts';
import { record } from './evidence.ts';

interface Call {
  readonly operation: string;
  readonly credentials: readonly string[];
}

/** What `work` comes to, and the calls that it made the bank see. */
async function countCalls<Value>(bank: string, work: () => Promise<Value>): Promise<readonly [Value, readonly Call[]]> {
  await tell(bank, 'reset', {});
  return [await work(), await readJournal(bank)];
}

async function tell(bank: string, action: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { ok } = await fetch(`${bank}/_bank/${action}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(ok).toBe(true);
}

async function readJournal(bank: string): Promise<readonly Call[]> {
  const { requests } = (await (await fetch(`${bank}/_bank/requests`)).json()) as { readonly requests: readonly Call[] };
  return requests;
}

const namesOf = (calls: readonly Call[]) => calls.map(({ operation }) => operation).toSorted();

/** Each fault once, however often a gateway repeats it, and without what differs from request to request. */
const faultsOf = (errors: GraphQLAnswer['errors']) =>
  [
    ...new Set(
      errors.map(({ message, extensions: { code, operation, row, header, jsonPath, retryable } }) =>
        JSON.stringify({ message, code, operation, row, header, jsonPath, retryable }),
      ),
    ),
  ].toSorted();

const asker =
  (server: Pick<Stack['gateway'], 'url'>, headers: Readonly<Record<string, string>>): Ask =>
  (document, variables) =>
    query(server, document, { variables, headers });

/** Orders the operation's fault as often as it is sent. */
async function prepare(bank: string, { fault }: FederatedOperation): Promise<void> {
  for (const ordered of [fault ?? []].flat()) await tell(bank, 'faults', ordered);
}

describe.each(gateways)('behind %s', (name) => {
  let stack: Stack;

  beforeAll(async () => {
    const stops: (() => void)[] = [];
    stack = await startStack({ gateway: name, atEnd: (stop) => stops.push(stop) });
    return () => stops.forEach((stop) => stop());
  });

  const agreed: { readonly alone: number; readonly behind: number }[] = [];

  it.each(operations)('$name: answers as without it', async (operation) => {
    const { document, alone, callers = [merchant], calls, errorsAt = 'nowhere' } = operation;
    const { gateway, settlement, neighbour, bank } = stack;
    const [expected, callsAlone] = await countCalls(bank, async () => {
      await prepare(bank, operation);
      return Promise.all(
        callers.map((headers) => alone({ settlement: asker(settlement, headers), orders: asker(neighbour, headers) })),
      );
    });
    const [answers, callsBehind] = await countCalls(bank, async () => {
      await prepare(bank, operation);
      return Promise.all(callers.map((headers) => asker(gateway, headers)(document)));
    });
    expect(answers.map(({ data }) => data)).toEqual(expected.map(({ data }) => data));
    expect(answers.map(({ errors }) => faultsOf(errors))).toEqual(expected.map(({ errors = [] }) => faultsOf(errors)));
    const places = answers.flatMap(({ errors }) => errors.map(({ path = [] }) => path.join('.')));
    expect(places.filter((place) => !place.startsWith(errorsAt))).toEqual([]);
    expect(callsAlone).toHaveLength(calls);
    expect(callsBehind).toHaveLength(calls);
    expect(new Set(namesOf(callsBehind))).toEqual(new Set(namesOf(callsAlone)));
    agreed.push({ alone: callsAlone.length, behind: callsBehind.length });
  });

  it('reads forty customers by forty calls for a hundred references', async () => {
    const { gateway, settlement, neighbour, bank } = stack;
    const selection = '{ orders(first: 100) { nodes { customer { id } } } }';
    const orders = await asker(neighbour, {})(selection);
    const ids: readonly string[] = orders.data.orders.nodes.map(
      ({ customer }: { readonly customer: { readonly id: string } }) => customer.id,
    );
    const [alone, callsAlone] = await countCalls(bank, () =>
      readEntities(asker(settlement, merchant), 'Customer', ids, 'email'),
    );
    const [behind, callsBehind] = await countCalls(bank, () =>
      asker(gateway, merchant)('{ orders(first: 100) { nodes { customer { email } } } }'),
    );
    const emails = behind.data.orders.nodes.map(({ customer }: { readonly customer: unknown }) => customer);
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(40);
    expect(emails).toEqual(alone.data.entities);
    expect(callsAlone).toHaveLength(40);
    expect(callsBehind).toHaveLength(40);
    record(`100 references to 40 customers, ${name}`, `${callsAlone.length} calls alone, ${callsBehind.length} behind`);
  });

  it('lets both credentials arrive, each where it belongs', async () => {
    const { gateway, bank } = stack;
    const [{ errors }, calls] = await countCalls(bank, () =>
      asker(gateway, merchant)('{ order(id: "ord_0003") { customer { lastName } settledTo { name } } }'),
    );
    expect(errors).toEqual([]);
    expect(calls.map(({ operation, credentials }) => `${operation} ${credentials.join()}`).toSorted()).toEqual([
      'getCustomer privateKey',
      'getSettlementBank authorization',
    ]);
  });

  it('has agreed on all, at the same cost', () => {
    const equal = agreed.filter(({ alone, behind }) => alone === behind).length;
    record(
      `Agreement behind ${name}`,
      `${agreed.length} of ${operations.length} operations, ${equal} at the same cost`,
    );
    expect([agreed.length, equal]).toEqual([operations.length, operations.length]);
  });
});

describe.each(gateways)('beside a hostile neighbour, behind %s', (name) => {
  it('both answer under their own names, joined only by what the neighbour says, which sees no credential', async () => {
    const stops: (() => void)[] = [];
    const { gateway } = await startStack({
      gateway: name,
      atEnd: (stop) => stops.push(stop),
      neighbour: [proofsFolder, 'hostile.js'],
      environment: { TYPE_PREFIX: 'Settlement' },
    });
    const { data, errors } = await asker(
      gateway,
      merchant,
    )(`{
      settlementCustomer(id: "cus_0001") { __typename firstName balance { value { __typename currency } } card { points { cents } } }
      customer(id: "cus_0001") { __typename firstName points { __typename cents } account { __typename firstName } }
    }`);
    const seen = await asker(gateway, merchant)('{ headersSeen }');
    stops.forEach((stop) => stop());
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

const secret = 'test-router-secret-of-32-letters';
const limits = { MAX_UPSTREAM_CALLS: '50', MAX_REPRESENTATIONS: '30', ROUTER_SECRET: secret };
const roots = Array.from({ length: 21 }, (_, at) => `c${at}: customer(id: "cus_${at}") { email }`).join(' ');

/** Requests that settlement-graph refuses as a whole, by the code that its clients must be told. */
const refusals: readonly [code: string, what: string, document: string, variables?: object][] = [
  ['COST_ESTIMATED_TOO_EXPENSIVE', 'a list', '{ customers(first: 100) { nodes { balance { value { amount } } } } }'],
  [
    'COST_ESTIMATED_TOO_EXPENSIVE',
    'a batch of references',
    '{ orders(first: 25) { nodes { customer { email balance { value { amount } } transactions { totalCount } } } } }',
  ],
  ['LIMIT_EXCEEDED', 'references', '{ orders(first: 100) { nodes { customer { email } } } }'],
  ['LIMIT_EXCEEDED', 'root fields', `{ ${roots} }`],
  [
    'BAD_USER_INPUT',
    'a variable',
    'mutation ($of: Decimal) { createOneTimeAccount(input: { customerId: "cus_0001", amount: $of }) { userErrors { code } } }',
    { of: 'five' },
  ],
];

describe.each(gateways)('a request that settlement-graph refuses, behind %s', (name) => {
  it('is told to the client with its code', async () => {
    const stops: (() => void)[] = [];
    const stack = await startStack({ gateway: name, atEnd: (stop) => stops.push(stop), environment: limits });
    const told: string[] = [];
    for (const [code, what, document, variables] of refusals) {
      const { errors } = await asker(stack.gateway, merchant)(document, variables);
      const isTold = errors.some(({ extensions }) => extensions['code'] === code);
      told.push(`${code} of ${what}: ${isTold ? 'told' : JSON.stringify(errors[0]?.extensions)}`);
    }
    stops.forEach((stop) => stop());
    const expected = refusals.map(([code, what]) => `${code} of ${what}: told`);
    record(
      `Refusals behind ${name}`,
      `${told.filter((line) => expected.includes(line)).length} of ${expected.length} told with their codes`,
    );
    expect(told).toEqual(expected);
  });
});
