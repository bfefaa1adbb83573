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
