import type { Contract, UnitRow } from '../../contract/contract.ts';
import { extraFields, type ExtraField, type ExtraType, type RecordType } from '../../contract/extra-rows.ts';
import { textOrNumber } from './exact-json.ts';
import { createDecoders, type Decoder, type PointerRow } from './field-decoders.ts';
import { createMoneyDecoders } from './wire-money.ts';

/** The rows of unit and currency for each type's amounts. Those of customers and banks stand as balances do. */
const moneyRows: Readonly<Record<RecordType, { readonly unit: UnitRow; readonly currency: PointerRow }>> = {
  SettlementBank: { unit: 'money.unit', currency: 'balance.currency' },
  Customer: { unit: 'money.unit', currency: 'balance.currency' },
  Balance: { unit: 'balance.unit', currency: 'balance.currency' },
  CustomerTransaction: { unit: 'transaction.unit', currency: 'transaction.currency' },
  VirtualAccount: { unit: 'account.unit', currency: 'account.currency' },
  OneTimeAccount: { unit: 'account.unit', currency: 'account.currency' },
};

/**
 * The decoders of the fields that a deployment adds to a type, by the field's name. `unit`: the unit row for amounts
 * whose own row names no unit; by default the type's. Added amounts may be negative.
 */
export function createExtraDecoders(
  contract: Contract,
  type: RecordType,
  unit: UnitRow = moneyRows[type].unit,
): Readonly<Record<string, Decoder<unknown>>> {
  const { text, optionalIdentifier, optional, date, dateTime } = createDecoders(contract);
  const { optionalSignedMoney } = createMoneyDecoders(contract);
  const decoders: Readonly<Record<ExtraType, (field: ExtraField) => Decoder<unknown>>> = {
    String: ({ id }) => text(id),
    ID: ({ id }) => optionalIdentifier(id),
    Boolean: ({ id }) => optional<boolean>(id, (value) => booleans.get(value)),
    Int: ({ id }) => optional<number>(id, toInt),
    Decimal: ({ id }) => optional(id, toDecimal),
    Date: ({ id }) => date(id),
    DateTime: ({ id }) => dateTime(id),
    Money: ({ id, unit: ownUnit }) => optionalSignedMoney({ ...moneyRows[type], unit, ownUnit, major: id }),
  };
  return Object.fromEntries(extraFields(contract, type).map((field) => [field.name, decoders[field.type](field)]));
}

/** What services send for true and false: JSON's own words, 1 and 0, or the text of these. */
export const booleans: ReadonlyMap<unknown, boolean> = new Map(
  [true, false].flatMap((value) =>
    [value, Number(value)].flatMap((sent): [unknown, boolean][] => [
      [sent, value],
      [String(sent), value],
    ]),
  ),
);

/** A whole number of 32 bits, or its text. */
function toInt(value: unknown): number | undefined {
  const text = textOrNumber(value) ?? '';
  return /^-?\d{1,10}$/.test(text) && Number(text) === (Number(text) | 0) ? Number(text) : undefined;
}

/** A number or its text, with every digit that was sent. */
function toDecimal(value: unknown): string | undefined {
  const text = textOrNumber(value) ?? '';
  return /^-?\d{1,30}(?:\.\d{1,30})?$/.test(text) ? text : undefined;
}
