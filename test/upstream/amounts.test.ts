import { assert, bigInt, boolean, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { parseJson } from '../../src/upstream/decoding/exact-json.ts';
import { createOperations } from '../../src/upstream/operations.ts';

const read = {
  major: createOperations(createContract({ 'money.unit': 'major', 'money.currency': 'NGN' })).getCustomerBalance,
  minor: createOperations(createContract({ 'money.unit': 'minor', 'money.currency': 'NGN' })).getCustomerBalance,
} as const;

/** Kobo as naira, by other means than the code under test. */
const toNaira = (kobo: bigint): string => `${kobo / 100n}.${String(kobo % 100n).padStart(2, '0')}`;

/** Every way in which a service may write an amount: the unit to read it by, and its JSON. */
const representations = [
  ['major', (major: string) => `{"balance":"${major}"}`],
  ['major', (major: string) => `{"balance":${major}}`],
  ['minor', (_: string, minor: string) => `{"balance":"${minor}"}`],
  ['minor', (_: string, minor: string) => `{"balance":${minor}}`],
  ['major', (_: string, minor: string) => `{"balanceKobo":${minor}}`],
  ['minor', (_: string, minor: string) => `{"balance_kobo":"${minor}"}`],
  ['major', (major: string, minor: string) => `{"balance":"${major}","balanceKobo":${minor}}`],
  ['major', (major: string, minor: string) => `{"balance":${major},"balance_kobo":${minor},"currency":"NGN"}`],
] as const;

it('changes none of 10,000 amounts through any representation of them', () => {
  assert(
    property(
      bigInt({ min: 1n, max: 10n ** 18n }),
      boolean(),
      constantFrom(...representations),
      (kobo, isNegative, way) => {
        const [unit, write] = way;
        const sign = isNegative ? '-' : '';
        const body = `{"success":true,"data":${write(sign + toNaira(kobo), `${sign}${kobo}`)}}`;
        expect(read[unit].decode(parseJson(Buffer.from(body))).value).toEqual({
          amount: sign + toNaira(kobo),
          currency: 'NGN',
        });
      },
    ),
    { seed: 20_260_101, numRuns: 10_000 },
  );
});

/** A count of units of 10^-digits, in millionths and as decimal text, by arithmetic. */
const toMillionths = (count: bigint, digits: number): bigint => count * 10n ** BigInt(6 - digits);
const toText = (count: bigint, digits: number): string =>
  [`${count / 10n ** BigInt(digits)}`, `${count % 10n ** BigInt(digits)}`.padStart(digits, '0')]
    .slice(0, 1 + Math.sign(digits))
    .join('.');

/** Services of each unit, with currencies of 0, 2 and 3 decimals and each count of decimals of the minor unit. */
const services = Object.entries({ XOF: 0, NGN: 2, KWD: 3 }).flatMap(([currency, places]) =>
  (['major', 'minor'] as const).flatMap((unit) =>
    [null, 0, 2, 3].map((minorDigits) => {
      const rows = { 'money.unit': unit, 'money.currency': currency, 'money.minorDigits': minorDigits };
      const digits = unit === 'major' ? places : (minorDigits ?? places);
      return { currency, places, unit, digits, operations: createOperations(createContract(rows)) };
    }),
  ),
);

it('reads and sends the same amount in both units, whatever the decimals of the currency and of its minor unit', () => {
  assert(
    property(
      bigInt({ min: 1n, max: 10n ** 15n }),
      constantFrom(...services),
      (count, { currency, places, unit, digits, operations }) => {
        const wireOf = {
          major: toText,
          minor: (of: bigint, decimals: number) => String(toMillionths(of, decimals) / 10n ** BigInt(6 - digits)),
        }[unit];
        const smallest = 10n ** BigInt(6 - places);
        const millionths = toMillionths(count, digits);
        const told = { amount: toText(millionths / smallest, places), currency };
        const { value } = operations.getCustomerBalance.decode({ data: { balance: wireOf(count, digits) } });
        expect(value).toMatchObject(millionths % smallest === 0n ? told : { code: 'UPSTREAM_INVALID_RESPONSE' });
        const most = Math.min(places, digits);
        const prepare = (amount: string) =>
          operations.createCustomerOneTimeAccount.prepare({ customerId: 'c1', amount });
        const { request, userErrors } = prepare(toText(count, most));
        expect([request.body, userErrors]).toEqual([JSON.stringify({ amount: wireOf(count, most) }), []]);
        const refused = { code: 'INVALID', field: ['input', 'amount'], message: `Must have at most ${most} decimals.` };
        expect(prepare(toText(count, most + 1)).userErrors).toEqual([refused]);
      },
    ),
    { seed: 20_260_101, numRuns: 2_000 },
  );
});
