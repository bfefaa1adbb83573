import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { isAmount } from './find-field.ts';
import { namesOfMoney, normalizeName, walk } from './json-shape.ts';

/** Whether an amount and all objects round it have names of the record's own amount: that of a fee has not. */
export function isMainAmount(row: PointerRow, pointer: string): boolean {
  const ofBalance =
    /^(?:available|current|ledger|wallet|account|book(?:ed)?|total)*(?:balances?|funds|amount|money|value)?$/;
  const ofTransaction =
    /^(?:transaction|txn|payment|transfer|principal|grand|total|gross)*(?:amounts?|amt|money|value|sum|price)?(?:money)?$/;
  const main = row === 'balance.value' ? ofBalance : ofTransaction;
  const names = pointer.split('/').slice(1).map(normalizeName);
  return names.every((name) => main.test(name.replace(/(?:details?|info|attributes|data)$/, '')));
}

/** Amounts beside their currency, in objects below the first record that has any: `/money/value`. */
export function findAmounts(records: readonly unknown[]): readonly string[] {
  const amounts = records.map((record) =>
    walk(record).flatMap(({ pointer, value }) => {
      const amount = pointer === '' ? undefined : namesOfMoney(value)?.amount;
      return isRecord(value) && amount !== undefined && isAmount(value[amount]) ? [`${pointer}/${amount}`] : [];
    }),
  );
  return amounts.find(({ length }) => length > 0) ?? [];
}
