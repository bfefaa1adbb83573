import { assert, bigInt, boolean, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { parseJson } from '../../src/upstream/decoding/exact-json.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { query, startScripted } from '../support/gateway.ts';

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

it.each([
  ['major', '"007.50"', '7.50'],
  ['major', '"00.00"', '0.00'],
  ['minor', '"0750"', '7.50'],
] as const)('drops the zeros before an amount in the %s unit: %s', (unit, text, amount) => {
  const body = Buffer.from(`{"success":true,"data":{"balance":${text}}}`);
  expect(read[unit].decode(parseJson(body)).value).toEqual({ amount, currency: 'NGN' });
});

it('takes no decimals in the minor unit, whatever would be right in the other one', () => {
  const body = Buffer.from('{"success":true,"data":{"balance":"5.00"}}');
  expect(read.minor.decode(parseJson(body)).value).toMatchObject({ code: 'UPSTREAM_INVALID_RESPONSE' });
});

it.each([
  ['credit', '"5.00"', 'CREDIT'],
  ['credit', '"-5.00"', 'UNKNOWN'],
  ['deposit', -5, 'UNKNOWN'],
  ['credit', '"-0.00"', 'CREDIT'],
  ['debit', '"-5.00"', 'DEBIT'],
  ['transfer', '"-5.00"', 'DEBIT'],
])('a transaction of type %s over %s is %s', async (type, amount, direction) => {
  const text = `{"success":true,"data":[{"id":"t1","type":"${type}","amount":${amount}}]}`;
  const { gateway } = await startScripted(({ path }) => (path.endsWith('/c1') ? { text: '{"id":"c1"}' } : { text }));
  const document = '{ customer(id: "c1") { transactions { nodes { direction amount { amount } } } } }';
  const { data } = await query(gateway, document);
  expect(data.customer.transactions.nodes).toMatchObject([
    { direction, amount: { amount: expect.not.stringMatching('-') } },
  ]);
});

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
