import { assert, asyncProperty, constantFrom, dictionary, integer, record, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codes, credentials, query, startScripted } from '../support/gateway.ts';
import { countIn, idsOf, parametersOf, recordsOf, type Rows, type Script } from '../support/upstream/paging.ts';
import { pageOf, success } from '../support/upstream/upstream.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2025, 1, 27, 20);
const toText = (time: number): string => new Date(time).toISOString();

interface Movement {
  readonly id: string;
  readonly time: number;
  readonly type: string;
  readonly status: string;
  readonly reference: string;
  readonly narration: string;
}

/** Newest first, with a few at midnight, at one moment, and between two seconds. */
const movements: readonly Movement[] = Array.from({ length: 60 }, (_, index): Movement => ({
  id: `t${index}`,
  time: start + Math.floor(index / 2) * 2 * hour + (index % 5 === 0 ? 1 : 0) + (index % 7 === 0 ? 500 : 0),
  type: index % 3 === 0 ? 'debit' : 'credit',
  status: index % 4 === 0 ? '9' : '2',
  reference: `ref-${index % 10}`,
  narration: index % 6 === 0 ? 'Salary of March' : 'Transfer in',
})).toSorted((one, other) => other.time - one.time);

const graphStatus: Rows = { '2': 'done', '9': 'failed' };
/** What each argument means, in the graph's words. */
const meanings: Readonly<Record<string, (movement: Movement, value: string) => boolean>> = {
  createdFrom: ({ time }, value) => time >= Date.parse(value),
  createdBefore: ({ time }, value) => time < Date.parse(value),
  direction: ({ type }, value) => type === value.toLowerCase(),
  status: ({ status }, value) => graphStatus[status] === value,
  type: ({ type }, value) => type === value,
  reference: ({ reference }, value) => reference === value,
  search: ({ narration }, value) => narration.includes(value),
};
const filters = Object.keys(meanings);

interface Wire {
  readonly form: 'date-time' | 'date' | 'seconds' | 'milliseconds';
  readonly end: 'exclusive' | 'inclusive';
  readonly zone: string;
}

/** The service's own reading of a moment: the first that it means, and the first behind what it means. */
function readMoment(text: string, { form, zone }: Wire): readonly [number, number] {
  const offset = zone === 'UTC' ? 'Z' : zone;
  if (form === 'date') {
    const first = Date.parse(`${text}T00:00:00${offset}`);
    return [first, first + day];
  }
  const time = form === 'date-time' ? Date.parse(text) : Number(text) * (form === 'seconds' ? 1000 : 1);
  return [time, time + 1];
}

/** What each parameter means at the service. */
function wireMeaning(name: string, text: string, wire: Wire): (movement: Movement) => boolean {
  const [first, behind] = readMoment(text, wire);
  if (name === 'createdFrom') return ({ time }) => time >= first;
  if (name === 'createdBefore') return ({ time }) => time < (wire.end === 'inclusive' ? behind : first);
  if (name === 'direction') return ({ type }) => type === { CR: 'credit', DR: 'debit' }[text];
  if (name === 'status') return ({ status }) => status === text;
  return (movement) => meanings[name]?.(movement, text) === true;
}

/** How a service bends a filter; `shifts`: each record is in the answer for the sake of its neighbour. */
const bends = {
  keeps: (matches: (movement: Movement) => boolean) => matches,
  ignores: () => () => true,
  inverts: (matches: (movement: Movement) => boolean) => (movement: Movement) => !matches(movement),
  shifts: (matches: (movement: Movement) => boolean) => (movement: Movement) => {
    const neighbour = movements[(movements.indexOf(movement) + 9) % movements.length];
    return neighbour !== undefined && matches(neighbour);
  },
} as const;

interface Case {
  readonly wire: Wire;
  readonly bend: keyof typeof bends;
  readonly bent: string;
  readonly args: Readonly<Record<string, string>>;
  readonly first: number;
  readonly maxPageSize: number;
}

/** A service that pages by number, and keeps every filter but the one that it bends. */
function scriptOf({ wire, bend, bent }: Case): Script {
  return ({ path }) => {
    if (!path.includes('/transactions')) return success({ id: 'c1' });
    const given = [...parametersOf(path)].filter(([name]) => filters.includes(name));
    const tests = given.map(([name, text]) => bends[name === bent ? bend : 'keeps'](wireMeaning(name, text, wire)));
    const found = movements.filter((movement) => tests.every((test) => test(movement)));
    const records = found.map(({ time, ...movement }) => ({ ...movement, amount: '1.00', created_at: toText(time) }));
    return pageOf(records, path, Math.min(countIn(path, 'per_page'), 100));
  };
}

const contractOf = ({ wire, maxPageSize }: Pick<Case, 'wire' | 'maxPageSize'>): Rows => ({
  ...Object.fromEntries(filters.map((name) => [`listCustomerTransactions.${name}`, name])),
  'listCustomerTransactions.directionWords': { CREDIT: 'CR', DEBIT: 'DR' },
  'listCustomerTransactions.rangeForm': wire.form,
  'listCustomerTransactions.rangeEnd': wire.end,
  'listCustomerTransactions.order': 'newestFirst',
  'transaction.status.words': graphStatus,
  'times.zone': wire.zone,
  'lists.maxPageSize': maxPageSize,
});

/** Moments inside and round the movements: at midnights, at a movement, and between. */
const moments = [
  ...Array.from({ length: 5 }, (_, index) => start + 4 * hour + index * day),
  ...Array.from({ length: 5 }, (_, index) => start + 3 * hour + index * day),
  start + 10 * hour,
  start + 10 * hour + 1,
  start + 30 * hour + 501,
].map(toText);
const values: Readonly<Record<string, readonly string[]>> = {
  createdFrom: moments,
  createdBefore: moments,
  direction: ['CREDIT', 'DEBIT'],
  status: ['done', 'failed'],
  type: ['credit', 'debit'],
  reference: ['ref-1', 'ref-5'],
  search: ['Salary', 'in'],
};

const cases: Arbitrary<Case> = record({
  wire: constantFrom<Wire>(
    { form: 'date-time', end: 'exclusive', zone: '-03:30' },
    { form: 'date-time', end: 'inclusive', zone: '+01:00' },
    { form: 'date', end: 'exclusive', zone: '+01:00' },
    { form: 'date', end: 'inclusive', zone: '+01:00' },
    { form: 'date', end: 'inclusive', zone: '-03:30' },
    { form: 'seconds', end: 'exclusive', zone: 'UTC' },
    { form: 'seconds', end: 'inclusive', zone: 'UTC' },
    { form: 'milliseconds', end: 'exclusive', zone: 'UTC' },
  ),
  bend: constantFrom<keyof typeof bends>('keeps', 'ignores', 'inverts', 'shifts'),
  bent: constantFrom(...filters),
  args: dictionary(constantFrom(...filters), integer({ min: 0, max: 99 }), { minKeys: 1, maxKeys: 3 }).map((picks) =>
    Object.fromEntries(
      Object.entries(picks).map(([name, pick]) => {
        const allowed = values[name] ?? [];
        return [name, allowed[pick % allowed.length] ?? ''];
      }),
    ),
  ),
  first: constantFrom(3, 20, 100),
  maxPageSize: constantFrom(5, 100),
});

const types: Readonly<Record<string, string>> = {
  createdFrom: 'DateTime',
  createdBefore: 'DateTime',
  direction: 'TransactionDirection',
};
const declared = filters.map((name) => `$${name}: ${types[name] ?? 'String'}`).join(', ');
const document = `query ($first: Int, $after: String, ${declared}) { customer(id: "c1") {
  list: transactions(first: $first, after: $after, ${filters.map((name) => `${name}: $${name}`).join(', ')}) {
    totalCount nodes { id } pageInfo { hasNextPage endCursor }
  }
} }`;

const ofRow = (name: string) => ({
  extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: `listCustomerTransactions.${name}` },
});

describe('a statement', () => {
  it(
    'has every record that was asked for and no other, or an error, whatever a service does to a filter',
    { timeout: 120_000 },
    async () => {
      let current: Case;
      const gateways = new Map<string, ReturnType<typeof startScripted>>();
      const gatewayOf = (contract: Rows): ReturnType<typeof startScripted> => {
        const key = JSON.stringify(contract);
        const started = gateways.get(key) ?? startScripted((request) => scriptOf(current)(request), { contract });
        gateways.set(key, started);
        return started;
      };
      const seen = { told: 0, refused: 0 };
      const statements = asyncProperty(cases, async (each) => {
        current = each;
        const { args, first, bend, bent, wire } = each;
        const { gateway, upstream } = await gatewayOf(contractOf(each));
        const asked = movements.filter((movement) =>
          Object.entries(args).every(([name, value]) => meanings[name]?.(movement, value) === true),
        );
        const isHonest = bend === 'keeps' || !(bent in args);
        // Records that the gateway leaves out cost the calls that bring them, and are in the service's total.
        const isExact = isHonest && /^(?:date-time|milliseconds)$/.test(wire.form) && wire.end === 'exclusive';
        const told: string[] = [];
        for (let after: string | null | undefined; after !== null;) {
          const before = upstream.requests.length;
          const { data, errors, extensions } = await query(gateway, document, {
            variables: { first, after, ...args },
            headers: { ...credentials, 'x-explain': 'calls' },
          });
          const { nodes, pageInfo, totalCount } = data.customer.list;
          const read = nodes.filter((node: object | null) => node !== null);
          told.push(...idsOf(read));
          seen.refused += errors.length;
          expect(errors).toMatchObject(errors.map(() => ofRow(bent)));
          expect(errors).toHaveLength(nodes.length - read.length);
          expect(isHonest ? errors : []).toEqual([]);
          expect([asked.length, isExact ? asked.length : null]).toContain(isHonest ? totalCount : asked.length);
          expect(isExact ? upstream.requests.length - before : 0).toBeLessThanOrEqual(extensions.cost.estimated);
          after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
        }
        const ids = idsOf(asked);
        expect(told.filter((id) => !ids.includes(id))).toEqual([]);
        expect(isHonest ? told : ids).toEqual(ids);
        seen.told += told.length;
      });
      await assert(statements, { seed: 20_260_101, numRuns: 150 });
      expect(seen.told).toBeGreaterThan(500);
      expect(seen.refused).toBeGreaterThan(250);
    },
  );

  const every = Object.fromEntries(filters.map((name) => [`listCustomerTransactions.${name}`, name]));
  const march = { createdFrom: '2025-03-01T00:00:00+01:00', createdBefore: '2025-04-01T00:00:00+01:00' };
  const ask = async (rows: Rows, args: Rows, records: readonly object[] = []) => {
    const { gateway, upstream } = await startScripted(
      ({ path }) => (path.includes('/transactions') ? pageOf(records, path) : success({ id: 'c1' })),
      { contract: { ...every, ...rows } },
    );
    const answer = await query(gateway, document, { variables: args });
    const path = upstream.requests.map(({ path }) => path).find((path) => path.includes('/transactions')) ?? '';
    return { ...answer, sent: Object.fromEntries(parametersOf(path)) };
  };
  const range = (form: string, end: string, zone = '+01:00'): Rows => ({
    'listCustomerTransactions.rangeForm': form,
    'listCustomerTransactions.rangeEnd': end,
    'times.zone': zone,
  });
  const noon = { createdFrom: '2025-03-01T11:00:00.250Z', createdBefore: '2025-03-01T11:00:00.250Z' };

  it.each<[rows: Rows, args: Rows, sent: Rows]>([
    [range('date-time', 'exclusive'), march, march],
    [range('date-time', 'exclusive', 'UTC'), noon, noon],
    [range('date', 'exclusive'), march, { createdFrom: '2025-03-01', createdBefore: '2025-04-01' }],
    [range('date', 'inclusive'), march, { createdFrom: '2025-03-01', createdBefore: '2025-03-31' }],
    [range('date', 'exclusive'), noon, { createdFrom: '2025-03-01', createdBefore: '2025-03-02' }],
    [range('date', 'inclusive'), noon, { createdFrom: '2025-03-01', createdBefore: '2025-03-01' }],
    [
      { ...range('date', 'inclusive', 'UTC'), 'dates.form': 'DD/MM/YYYY' },
      march,
      { createdFrom: '28/02/2025', createdBefore: '31/03/2025' },
    ],
    [range('seconds', 'exclusive'), noon, { createdFrom: '1740826800', createdBefore: '1740826801' }],
    [range('milliseconds', 'inclusive'), noon, { createdFrom: '1740826800250', createdBefore: '1740826800250' }],
    [range('date', 'exclusive'), { createdBefore: '9999-12-31T23:59:59.999Z' }, { createdBefore: '9999-12-31' }],
    [
      { 'listCustomerTransactions.directionWords': { CREDIT: 'C', DEBIT: 'D' } },
      { direction: 'DEBIT' },
      { direction: 'D' },
    ],
    [{ 'transaction.status.words': { 7: 'Done' } }, { status: 'done' }, { status: '7' }],
    [{ 'extra.Customer.transactions.status': { wire: 'state', matches: '/state' } }, { status: 'x' }, { state: 'x' }],
  ])('asks as the contract says: case %#', async (rows, args, sent) => {
    const { errors, sent: parameters } = await ask(rows, args);
    expect(errors).toEqual([]);
    const { page: _page, per_page: _size, ...asked } = parameters;
    expect(asked).toEqual(sent);
  });

  const row = (name: string) => `listCustomerTransactions.${name}`;

  it.each<[code: string, named: string | undefined, rows: Rows, args: Rows]>([
    ...filters.map((name): [string, string, Rows, Rows] => {
      return ['BAD_USER_INPUT', row(name), { [row(name)]: null }, { [name]: values[name]?.[0] }];
    }),
    ['BAD_USER_INPUT', row('directionWords'), {}, { direction: 'UNKNOWN' }],
    ['BAD_USER_INPUT', 'transaction.status.words', { 'status.words': { 1: 'up', 2: 'up' } }, { status: 'up' }],
    ['BAD_USER_INPUT', 'transaction.status.words', { 'status.words': { ok: 'done' } }, { status: 'ok' }],
    ['CONTRACT_UNDECIDED', 'times.zone', range('date', 'exclusive', 'undecided'), march],
    ['BAD_USER_INPUT', undefined, {}, { createdFrom: '2025-03-01T00:00:00' }],
    ['BAD_USER_INPUT', undefined, {}, { createdBefore: '2025-02-30T00:00:00Z' }],
    ['BAD_USER_INPUT', undefined, {}, { createdBefore: 1_740_826_800 }],
  ])('is refused with %s and the row %s, and nothing is sent: case %#', async (code, named, rows, args) => {
    const answer = await ask(rows, args);
    expect([codes(answer), answer.errors[0]?.extensions['row'], answer.sent]).toEqual([[code], named, {}]);
  });

  it('is part of what a cursor belongs to', async () => {
    const records = recordsOf(3, { amount: '1.00', type: 'credit', created_at: '2025-03-02T00:00:00Z' });
    const { data } = await ask({}, { ...march, first: 1 }, records);
    const after: string = data.customer.list.pageInfo.endCursor;
    expect(idsOf((await ask({}, { ...march, after }, records)).data.customer.list.nodes)).toEqual(['r2', 'r3']);
    for (const other of [{}, { ...march, direction: 'CREDIT' }, { createdFrom: march.createdFrom }])
      expect(codes(await ask({}, { ...other, after }, records))).toEqual(['INVALID_CURSOR']);
  });

  const at = (...days: readonly (number | null)[]) =>
    days.map((each, index) => ({
      id: `t${index}`,
      amount: '1.00',
      created_at: each === null ? null : `2025-03-0${each}T00:00:00Z`,
    }));

  it.each([
    ['newestFirst', at(3, 2, null, 2, 1), []],
    ['oldestFirst', at(1, 2, null, 2, 3), []],
    ['unknown', at(1, 3, 2), []],
    ['newestFirst', at(3, 2, null, 3), [ofRow('order')]],
    ['oldestFirst', at(1, 2, null, 1), [ofRow('order')]],
  ])('is held to its order, on every page of a window: %s, case %#', async (order, records, expected) => {
    for (const size of [1, 2, 100]) {
      const rows = { [row('order')]: order, 'lists.maxPageSize': size };
      const { errors, data } = await ask(rows, { first: 100 }, records);
      expect(errors).toMatchObject(expected);
      expect(errors.length > 0 || data.customer.list.nodes.length === records.length).toBe(true);
    }
  });
});
