import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../src/domain/errors.ts';
import { createContract, type Contract } from '../../src/contract/contract.ts';
import { numberText, parseJson, writeJson } from '../../src/upstream/decoding/exact-json.ts';
import { currencyDigits, fromAmount, toAmount } from '../../src/contract/money.ts';
import type { Write } from '../../src/upstream/operation.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { operationBasics } from '../../src/upstream/decoding/request-path.ts';
import { compilePointers } from '../../src/upstream/decoding/json-pointer.ts';
import { epochUnit, isDate, isZoneless, toDateTime } from '../../src/contract/date-time.ts';

/** Checks a thousand generated values. */
function assert<Values extends [unknown, ...unknown[]]>(
  arbitraries: { readonly [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  predicate: (...values: Values) => void,
): void {
  fc.assert(fc.property(...arbitraries, predicate), { seed: 20_260_101, numRuns: 1_000 });
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const escapedInCapitals = (unit: string): string => `\\u${escaped(unit).slice(2).toUpperCase()}`;

/** The digits of an amount in its minor unit, and how many places its currency has. */
const amounts = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.integer({ min: 0, max: 4 }));

/** Decimal text in the major unit with exactly `places` decimals, by other means than the code under test. */
const majorOf = (minor: bigint, places: number) => {
  const scale = 10n ** BigInt(places);
  const fraction = String(minor % scale).padStart(places, '0');
  return [String(minor / scale), fraction].slice(0, 1 + Math.sign(places)).join('.');
};

describe('toAmount and fromAmount', () => {
  it('keep every digit in either unit and back', () => {
    assert([amounts], ([minor, places]) => {
      const amount = majorOf(minor, places);
      expect(toAmount(String(minor), 'minor', places)).toBe(amount);
      expect(fromAmount(amount, 'minor', places)).toBe(String(minor));
      expect(toAmount(amount, 'major', places)).toBe(amount);
      expect(toAmount(fromAmount(amount, 'major', places), 'major', places)).toBe(amount);
    });
  });

  it('carry a minus sign along, but not before zero', () => {
    assert([amounts], ([digits, places]) => {
      const minor = digits + 1n;
      expect(toAmount(`-${minor}`, 'minor', places)).toBe(`-${majorOf(minor, places)}`);
      expect(toAmount(`-${majorOf(minor, places)}`, 'major', places)).toBe(`-${majorOf(minor, places)}`);
    });
    expect(toAmount('-0', 'minor', 2)).toBe('0.00');
    expect(toAmount('-0.00', 'major', 2)).toBe('0.00');
    expect(toAmount('007.50', 'major', 2)).toBe('7.50');
  });

  it('fill missing decimals and drop zeros before the number', () => {
    assert([amounts, fc.integer({ min: 0, max: 5 })], ([minor, places], zeros) => {
      const padded = '0'.repeat(zeros);
      const whole = String(minor);
      expect(toAmount(padded + whole, 'major', places)).toBe(majorOf(minor * 10n ** BigInt(places), places));
      expect(toAmount(padded + whole, 'minor', places)).toBe(majorOf(minor, places));
    });
  });

  it('refuse one decimal more than the currency has', () => {
    assert([amounts, fc.integer({ min: 0, max: 9 })], ([minor, places], digit) => {
      expect(toAmount(`${majorOf(minor, places + 1).slice(0, -1)}${digit}`, 'major', places)).toBeUndefined();
    });
  });

  it('refuse in both units what is not a plain number, and decimals in the minor one', () => {
    for (const text of ['1e3', '+1', '', ' 1', '1 ', '1\n', '.5', '1.', '1,000', '--1', '0x10', 'NaN', '١']) {
      expect(toAmount(text, 'major', 2), `for ${text}`).toBeUndefined();
      expect(toAmount(text, 'minor', 2), `for ${text}`).toBeUndefined();
    }
    expect(toAmount('5.00', 'minor', 2)).toBeUndefined();
  });
});

it.each([
  ['NGN', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  ['ZZZ', undefined],
  ['', undefined],
  ['__proto__', undefined],
])('currencyDigits of %s is %s', (currency, digits) => {
  expect(currencyDigits(currency)).toBe(digits);
});

describe('parseJson', () => {
  it('keeps every digit of long numbers, wherever they stand', () => {
    const digits = fc.bigInt({ min: 10n ** 15n, max: 10n ** 40n });
    assert([digits, fc.integer({ min: 0, max: 20 }), fc.constantFrom('', '-')], (number, cut, sign) => {
      const whole = String(number).padStart(cut + 1, '0');
      const text =
        sign + [whole.slice(0, whole.length - cut), whole.slice(whole.length - cut)].filter(Boolean).join('.');
      const parsed = parseJson(Buffer.from(`{"a":[${text}],"b":{"c":${text}},"d":${text}}`));
      const read = (pointer: string) => numberText(compilePointers([pointer]).read(parsed));
      expect([read('/a/0'), read('/b/c'), read('/d')]).toEqual([text, text, text]);
    });
  });

  it('reads up to 15 significant digits as the numbers that they are', () => {
    assert([fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })], (number) => {
      expect(numberText(parseJson(Buffer.from(String(number))))).toBe(String(number));
    });
  });

  it.each(['#', '\uFEFF#', '[#]', '[1,#]', '{"a":#}', '[ #]', '[\t#]', '[\n#]', '[\r#]', '[-#]'])(
    'keeps every digit of the one long number in %j, and writes it again',
    (body) => {
      const text = body.replace('#', '12345678901234567.8');
      expect(writeJson([parseJson(Buffer.from(text))])).toBe(`[${text.replaceAll(/\s/g, '')}]`);
    },
  );

  it.each([
    ['as they are, where UTF-8 can', (text: string) => JSON.stringify(text)],
    ['all by their numbers', (text: string) => `"${text.split('').map(escaped).join('')}"`],
    ['all by their numbers, in capitals', (text: string) => `"${text.split('').map(escapedInCapitals).join('')}"`],
  ])(
    'keeps texts, and takes none with half a character for one; their characters are written %s',
    { timeout: 60_000 },
    (_, write) => {
      const texts = fc.array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('\ud83d\ude00', '\ud83d', 'a\udfff', '\\ud800', '\\ud83d\udc00'),
        ),
      );
      assert([texts], (all) => {
        const body = `{"texts":[${all.map(write).join()}]}`;
        const parsed = parseJson(Buffer.from(body)) as { readonly texts: readonly unknown[] };
        const kept = parsed.texts.map((text) => (typeof text === 'symbol' ? undefined : text));
        expect(kept).toEqual(all.map((text) => (text.isWellFormed() ? text : undefined)));
      });
    },
  );

  it('keeps long digits in text as text, and does not count zeros before a fraction as digits', () => {
    const text = '{"a":"12345678901234567890","b":0.00000000000000000001}';
    expect(parseJson(Buffer.from(text))).toEqual({ a: '12345678901234567890', b: 1e-20 });
  });

  it('skips a byte order mark, and no other', () => {
    expect(parseJson(Buffer.from('\uFEFF{"a":1}'))).toEqual({ a: 1 });
    expect(() => parseJson(Buffer.from('\uFEFF\uFEFF1'))).toThrow(SyntaxError);
  });

  it.each(['', '{', '{"a":1}x', "{'a':1}", '[1,]', 'NaN', '01', '1.', '[12345678901234567', '\u00a01'])(
    'throws a SyntaxError for %j',
    (text) => {
      expect(() => parseJson(Buffer.from(text))).toThrow(SyntaxError);
    },
  );

  it.each(['{"__proto__":{"polluted":1}}', '{"__proto__":{"polluted":12345678901234567890}}'])(
    'makes a plain property of __proto__ in %s',
    (text) => {
      const parsed = parseJson(Buffer.from(text)) as object;
      expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
      expect('polluted' in parsed).toBe(false);
    },
  );
});

const nastyKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'toJSON', ''];
const wireKeys = ['id', 'data', 'success', 'status', 'meta', 'total', 'per_page', 'current_page', 'last_page'];
const recordKeys = ['first_name', 'reference', 'dob', 'collection_wallet', 'created_at', 'type', 'currency'];
const moneyKeys = ['amount', 'amount_kobo', 'balance', 'balanceKobo', 'account_number', 'code', 'message', 'errors'];
const keys = fc.constantFrom(...nastyKeys, ...wireKeys, ...recordKeys, ...moneyKeys);

/** JSON texts of every shape, with keys that matter here and numbers of any length. */
const { json } = fc.letrec<{ json: string; leaf: string; list: string; record: string }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom('null', 'true', 'false', '0', '-0', '1e400', '-1.5e-7', '12345678901234567890.12', '"NGN"'),
    fc.constantFrom('"2026-01-01"', '"2026-02-30T25:61:61Z"', '"500.00"', '"-1"', '""', '"\\ud800"', '"\\u0000"'),
    fc.string().map((text) => JSON.stringify(text)),
    fc.bigInt().map(String),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
  record: fc
    .array(fc.tuple(keys, tie('json')), { maxLength: 6 })
    .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
  json: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('record'), tie('list')),
}));

const operations = createOperations(createContract({ 'money.unit': 'major', 'money.currency': 'NGN' }));
const undecidedOperations = createOperations(createContract());

const decoders: readonly [name: string, decode: (body: unknown) => unknown][] = [
  operations.getCustomer,
  operations.getSettlementBank,
  operations.getCustomerBalance,
  undecidedOperations.getCustomerBalance,
  operations.listCustomers.readPage,
  operations.listSettlementBanks.readPage,
  operations.listCustomerTransactions.readPage,
  undecidedOperations.listCustomerTransactions.readPage,
  operations.listCustomerVirtualAccounts.readPage,
  written(operations.createCustomer, { reference: 'NGN' }),
  written(operations.createCustomerOneTimeAccount, { customerId: 'c1', amount: '500.00' }),
].map(({ name, decode }) => [name, decode]);

/** A write's decoder of whole bodies. */
function written<Input, Value>({ name, findRecord, decode }: Write<Input, Value>, input: Input) {
  return { name, decode: (body: unknown) => decode(findRecord(body, input)) };
}

/** What a decoder makes of a body: its value, or the error that it threw. */
const outcomeOf = (decode: (body: unknown) => unknown, body: unknown): unknown => {
  try {
    return decode(body);
  } catch (error) {
    return { thrown: error };
  }
};

const prototypeNames = Object.getOwnPropertyNames(Object.prototype).toSorted();
const arrayNames = Object.getOwnPropertyNames(Array.prototype).toSorted();

const expectSound = (decode: (body: unknown) => unknown, text: string) => {
  const outcome = outcomeOf(decode, parseJson(Buffer.from(text)));
  const thrown = Object(outcome).thrown ?? new GatewayError('UPSTREAM_INVALID_RESPONSE');
  expect(thrown).toBeInstanceOf(GatewayError);
  expect(['UPSTREAM_INVALID_RESPONSE', 'CONTRACT_UNDECIDED']).toContain(thrown.code);
  expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(prototypeNames);
  expect(Object.getOwnPropertyNames(Array.prototype).toSorted()).toEqual(arrayNames);
};

describe('a decoder', () => {
  it.each(decoders)('of %s throws nothing but a GatewayError, whatever the body or its data is', (_, decode) => {
    const bodies: fc.Arbitrary<string> = fc.oneof(
      json,
      json.map((data) => `{"success":true,"message":"OK","data":${data}}`),
    );
    assert([bodies], (body) => expectSound(decode, body));
  });

  it('makes of any value at any location of a customer a text, null or a GatewayError', () => {
    assert([keys, json], (key, value) => {
      const body = parseJson(Buffer.from(`{"success":true,"data":{"id":"c1",${JSON.stringify(key)}:${value}}}`));
      const outcome = outcomeOf(operations.getCustomer.decode, body);
      const slots = Object.values(Object(outcome));
      const isSlot = (slot: unknown) => slot === null || typeof slot === 'string' || slot instanceof GatewayError;
      expect(slots.filter((slot) => !isSlot(slot))).toEqual([]);
      expect(Object.getPrototypeOf(outcome)).toBe(Object.prototype);
    });
  });

  it('reads nothing off a prototype', () => {
    const read = (data: string) =>
      operations.getCustomer.decode(parseJson(Buffer.from(`{"success":true,"data":${data}}`)));
    const forged = '{"id":"c1","__proto__":{"first_name":"Mallory","email":"m@example.com"}}';
    expect(read(forged)).toMatchObject({ id: 'c1', firstName: null, email: null });
    expect(() => read('{"__proto__":{"id":"c1"}}')).toThrow(GatewayError);
  });
});

describe('toDateTime', () => {
  it.each([
    ['2026-01-01T09:30:00.000Z', 'UTC', '2026-01-01T09:30:00.000Z'],
    ['2026-01-01T09:30:00.5Z', 'UTC', '2026-01-01T09:30:00.500Z'],
    ['2026-01-01T00:00:00.123456789Z', 'UTC', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01t09:30:00.5z', '+01:00', '2026-01-01T09:30:00.500Z'],
    ['2026-01-01 00:00:00', 'UTC', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00', '+01:00', '2025-12-31T23:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '+01:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01 00:00:00+01:00', '-09:00', '2025-12-31T23:00:00.000Z'],
    ['2026-01-01T01:00:00+01:00', 'UTC', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T23:00:00-01:00', 'UTC', '2026-01-02T00:00:00.000Z'],
    ['2024-02-29T00:00:00Z', 'UTC', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29 12:00:00', 'UTC', '2000-02-29T12:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 'UTC', '2026-12-31T23:59:59.999Z'],
  ])('of %s in the zone %s is %s', (text, zone, expected) => {
    expect(toDateTime(text, zone)).toBe(expected);
  });

  it('lack a zone where nothing follows the seconds', () => {
    const zoneless = ['2026-01-01 00:00:00', '2026-01-01T00:00:00.5'];
    const others = ['2026-01-01T00:00:00Z', '2026-01-01 00:00:00+0100', '', 'soon'];
    expect([...zoneless, ...others].filter(isZoneless)).toEqual(zoneless);
  });

  it('of what is no moment, or in UTC none of a year that RFC 3339 has, is nothing', () => {
    const notTimes = `
      2026-02-29T00:00:00Z 2026-13-01T00:00:00Z 2026-00-01T00:00:00Z 2026-01-32T00:00:00Z 2026-01-01T24:00:00Z
      2026-01-01T00:60:00Z 2026-01-01T00:00:60Z 2026-01-01T00:00:00+2500 2026-01-01T00:00:00.Z 2026-01-01T00:00Z
      2026-01-01 1767225600 +002026-01-01T00:00:00Z 0000-01-01T00:00:00Z 0000-01-01T00:00:00.000Z 9999-12-31T23:59:59-01:00
      0001-01-01T00:00:00+01:00`;
    const blanks = ['1900-02-29 00:00:00', 'Thu, 01 Jan 2026 00:00:00 GMT', '2026-01-01T00:00:00Z ', ''];
    const texts = [...notTimes.trim().split(/\s+/), ...blanks, ' 2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z\n'];
    expect(texts.filter((text) => toDateTime(text, 'UTC') !== undefined)).toEqual([]);
    const ends = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
    expect(ends.map((text) => toDateTime(text.replace('T', ' '), 'UTC'))).toEqual(ends);
  });

  it('is the same moment in every form, and always RFC 3339 with milliseconds', () => {
    const moments = fc.integer({ min: -2_000_000_000, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000));
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });
    assert([moments, offsets], (moment, offset) => {
      const expected = moment.toISOString();
      const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, 19);
      const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
      const sign = offset < 0 ? '-' : '+';
      const zone = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
      expect(toDateTime(`${local}${zone}`, 'UTC')).toBe(expected);
      expect(toDateTime(`${local}.000000${zone}`, 'UTC')).toBe(expected);
      expect(toDateTime(local.replace('T', ' '), zone)).toBe(expected);
      expect(toDateTime(expected, zone)).toBe(expected);
    });
  });
});

it('epochUnit takes a number for seconds or milliseconds by its size', () => {
  const numbers = ['99999999', '100000000', '99999999999', '100000000000', '99999999999999', '100000000000000'];
  const units = [undefined, 'seconds', 'seconds', 'milliseconds', 'milliseconds', undefined];
  expect(numbers.map(epochUnit)).toEqual(units);
});

it('isDate knows the days of the calendar and nothing else', () => {
  const dates = ['1990-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'];
  const others = ['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '0000-01-01', '1990-1-31'];
  expect([...dates, ...others, '1990-01-31T00:00:00Z', ''].filter(isDate)).toEqual(dates);
  const twoDigits = (count: number): string => String(count).padStart(2, '0');
  const texts = Array.from(
    { length: 13 * 33 },
    (_, at) => `2023-${twoDigits(Math.floor(at / 33))}-${twoDigits(at % 33)}`,
  );
  const days = Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10));
  expect(texts.filter(isDate)).toEqual(days);
});

describe('compilePointers', () => {
  const source = { a: null, b: 0, c: '', list: [{ d: 1 }], 'e/f': 1, 'g~h': 2, '~1': 3, '': 4, nested: { '': 5 } };

  it.each([
    [['/c'], ''],
    [['/a', '/b'], 0],
    [['/missing', '/list/0/d'], 1],
    [['/e~1f'], 1],
    [['/g~0h'], 2],
    [['/~01'], 3],
    [['/'], 4],
    [['/nested/'], 5],
    [['/a'], undefined],
    [['/missing/deeper'], undefined],
    [['/b/toFixed'], undefined],
    [['/c/length'], undefined],
    [['/list/-'], undefined],
    [['/__proto__'], undefined],
    [['/constructor/name'], undefined],
    [[], undefined],
  ])('reads %j', (pointers, expected) => {
    expect(compilePointers(pointers).read(source)).toEqual(expected);
  });

  it('reads the whole by an empty pointer', () => {
    expect(compilePointers(['']).read(source)).toBe(source);
  });

  it.each([[null], [undefined], ['text'], [5], [[]]])('reads nothing of %j', (whole) => {
    expect(compilePointers(['/a', '/b/c', '/0']).read(whole)).toBeUndefined();
  });

  it('locates where it read, else its first pointer', () => {
    const reader = compilePointers(['/a', '/b', '/c']);
    expect(reader.locate(source)).toBe('/b');
    expect(reader.locate({})).toBe('/a');
    expect(compilePointers([]).locate(source)).toBe('');
  });
});

const pathsOf = (contract: Contract) => {
  const { path } = operationBasics(contract, 'updateCustomer', '/api/v1/customers/{id}/balance');
  return (id: string) => path({ id });
};
const toPath = pathsOf(createContract());
const toLenientPath = pathsOf(createContract({ 'identifiers.allow': ['/', '\\', '%', '?', '#', ';'] }));

it('a path never lets an identifier out of its segment', () => {
  const nasty = fc.array(fc.constantFrom('.', '%2e', '%2E', '/', '\\', '?', '#', '%', 'a', 'é', '\n', ' '), {
    maxLength: 6,
  });
  const shown = (path: string) => {
    const { pathname, search, hash } = new URL(path, 'http://upstream');
    const [, , , , segment = '', ...rest] = pathname.split('/');
    return { identifier: decodeURIComponent(segment), rest, search, hash };
  };
  const identifiers = fc.oneof(
    fc.string({ unit: 'binary' }),
    nasty.map((parts) => parts.join('')),
  );
  assert([identifiers], (identifier) => {
    const outcomes = [toPath, toLenientPath].map((compiled) => outcomeOf(() => compiled(identifier), null));
    const paths = outcomes.filter((outcome) => typeof outcome === 'string');
    const refusals = outcomes.filter((outcome) => typeof outcome !== 'string');
    expect(paths.map(shown)).toEqual(paths.map(() => ({ identifier, rest: ['balance'], search: '', hash: '' })));
    expect(refusals).toMatchObject(refusals.map(() => ({ thrown: { code: 'BAD_USER_INPUT' } })));
  });
});
