import type { Money, TransactionDirection } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';
import {
  minorDigitsOf,
  moneyUnit,
  requireMoneyDecisions,
  type Contract,
  type MoneyUnit,
  type OperationName,
  type UnitRow,
} from '../../contract/contract.ts';
import { fromAmount, toAmount, toCurrency } from '../../contract/money.ts';
import type { RecordKind } from '../../contract/records.ts';
import { scalarText } from './envelope.ts';
import { textOrNumber } from './exact-json.ts';
import { contradiction, undecidedValue, type Decoder, type PlacedField, type PointerRow } from './field-decoders.ts';
import { compileEach, compilePointers, type PointerReader } from './json-pointer.ts';

/** A field with an amount. */
export interface MoneyField extends PlacedField {
  /** Where a second amount stands, in the minor unit. */
  readonly minor?: { readonly row: PointerRow; readonly at: readonly string[] };
  /** The row of the unit, where it is not that of the kind of record. */
  readonly unit?: UnitRow | undefined;
  /** The unit of these amounts; takes precedence over the row. */
  readonly ownUnit?: MoneyUnit | undefined;
}

/** The rows of unit and currency by kind of record. Amounts of customers and banks stand as those of balances do. */
const moneyRows: Readonly<Record<RecordKind, { readonly unit: UnitRow; readonly currency: PointerRow }>> = {
  settlementBank: { unit: 'money.unit', currency: 'balance.currency' },
  customer: { unit: 'money.unit', currency: 'balance.currency' },
  balance: { unit: 'balance.unit', currency: 'balance.currency' },
  transaction: { unit: 'transaction.unit', currency: 'transaction.currency' },
  account: { unit: 'account.unit', currency: 'account.currency' },
};

/** The most digits of an amount that is sent. */
const maxDigits = 18;

interface MoneyForm {
  readonly isRequired?: true;
  readonly isUnsigned?: true;
  /** The absolute amount: a minus sign counts for the direction only. */
  readonly isMagnitude?: true;
}

export const moneyForms = {
  money: { isRequired: true },
  optionalMoney: {},
  optionalUnsignedMoney: { isUnsigned: true },
  magnitude: { isRequired: true, isMagnitude: true },
} as const satisfies Readonly<Record<string, MoneyForm>>;

/** Compiles the decoder of an amount. An absent one is null, or a contradiction where it is required. */
export function moneyDecoder(contract: Contract, field: MoneyField, form: MoneyForm): Decoder<Money | null> {
  const read = moneyReader(contract, field, form);
  if (!form.isRequired) return read;
  const amounts = compileEach([...field.at, ...(field.minor?.at ?? [])]);
  return (source, location) => {
    const money = read(source, location) ?? contradiction(location, field.row);
    if (!form.isMagnitude || money instanceof GatewayError) return money;
    // The columns of a statement have zero in the one that does not apply.
    if (isZero(money.amount) && !amounts(source).every((amount) => isZero(textOrNumber(amount) ?? '')))
      return contradiction(location, field.row);
    return money.amount.startsWith('-') ? { ...money, amount: money.amount.slice(1) } : money;
  };
}

/** What a client's amount must be; undefined where it is. `places`: the most decimals. */
export function amountFault(amount: string, places: number): string | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(amount) || !/[1-9]/.test(amount) || amount.replace('.', '').length > maxDigits)
    return `Must be an amount such as 5000.00: more than zero, at most ${maxDigits} digits, no sign, separator or exponent.`;
  return (amount.split('.')[1] ?? '').length > places ? `Must have at most ${places} decimals.` : undefined;
}

/** A client's amount as text in the service's unit. Throws CONTRACT_UNDECIDED. */
export function toWireAmount(contract: Contract, operation: OperationName, row: UnitRow, amount: string): string {
  const { unit, minorDigits } = requireMoneyDecisions(contract, row, operation);
  return fromAmount(amount, unit, minorDigits);
}

/**
 * Reads money where the contract's rows say: an amount in the decided unit, or a second one in the minor unit, or both; the
 * currency by its own row in the innermost object round the amount that has one, else the decided one. Contradictions are two
 * amounts that differ, an amount that is one of several entries of a list, and one below zero where none can be. A unit or
 * currency that neither the answer nor the deployer states is CONTRACT_UNDECIDED.
 */
function moneyReader(
  contract: Contract,
  field: MoneyField,
  { isUnsigned, isMagnitude }: MoneyForm,
): Decoder<Money | null> {
  const rows = moneyRows[field.kind];
  const unit = field.ownUnit ?? moneyUnit(contract, field.unit ?? rows.unit);
  const compile = isMagnitude === true ? amountReaders(contract) : compilePointers;
  const major = compile(field.at);
  const minor = compile(field.minor?.at ?? []);
  const minorRow = field.minor?.row ?? field.row;
  const amountText = amountReader(contract);
  const currencyReader = compilePointers(contract[rows.currency]);
  const isRefused = (amount: string | undefined): boolean =>
    amount === undefined || (isUnsigned === true && amount.startsWith('-'));
  return (source, location) => {
    const value = major.read(source);
    const minorValue = minor.read(source);
    if (value === undefined && minorValue === undefined) return null;
    if (major.isOneOfSeveral(source)) return contradiction(location, field.row, major.locate(source));
    if (minor.isOneOfSeveral(source)) return contradiction(location, minorRow, minor.locate(source));
    if (unit === null && minorValue === undefined) return undecidedValue(location, 'money.unit');
    const enclosing = (value === undefined ? minor : major).holders(source).toReversed();
    const currencyText =
      enclosing.map(currencyReader.read).find((text) => text !== undefined) ?? contract['money.currency'];
    if (currencyText === null) return undecidedValue(location, 'money.currency');
    const currency = toCurrency(currencyText);
    if (currency === undefined) return contradiction(location, rows.currency, currencyReader.locate(source));
    const { code, places } = currency;
    const digits = minorDigitsOf(contract, code);
    const amount =
      value === undefined || unit === null ? undefined : toAmount(amountText(value, unit), unit, places, digits);
    if (value !== undefined && unit !== null && isRefused(amount))
      return contradiction(location, field.row, major.locate(source));
    if (minorValue === undefined) return { amount: amount ?? '', currency: code };
    const exact = toAmount(amountText(minorValue, 'minor'), 'minor', places, digits);
    if (exact === undefined || isRefused(exact) || (amount !== undefined && amount !== exact))
      return contradiction(location, minorRow, minor.locate(source));
    return { amount: exact, currency: code };
  };
}

function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

const grouped = /^-?[1-9]\d{0,2}(?:,\d{3}){1,9}(?:\.\d{1,30})?$/;
const decimal = /^(-?\d{1,30})\.(\d{1,30})$/;

/** Compiles the reader of an amount's text, without the commas and, in the major unit, the zeros that `money.texts` allows. */
function amountReader(contract: Contract): (value: unknown, unit: MoneyUnit) => string {
  const allowed = new Set(contract['money.texts']);
  return (value, unit) => {
    const text = textOrNumber(value) ?? '';
    const plain = allowed.has('thousands') && grouped.test(text) ? text.replaceAll(',', '') : text;
    const [, whole, fraction = ''] = decimal.exec(plain) ?? [];
    if (whole === undefined || unit === 'minor' || !allowed.has('zeros')) return plain;
    const kept = fraction.replace(/(?<!0)0+$/, '');
    return kept === '' ? whole : `${whole}.${kept}`;
  };
}

function directionWords(contract: Contract) {
  const lower = (words: readonly string[]) => new Set(words.map((word) => word.toLowerCase()));
  const [credit, debit] = [lower(contract['transaction.creditWords']), lower(contract['transaction.debitWords'])];
  return {
    credit,
    debit,
    areColumns: (pointers: readonly string[]) =>
      pointers.some((pointer) => credit.union(debit).has(columnName(pointer))),
  };
}

/** The name of a column, which is a word of a direction: `/debit`. */
function columnName(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1).toLowerCase();
}

/**
 * Compiles the readers of transactions' amounts. Where a place is a column for one direction, the amount is the only one that
 * is neither empty nor zero; two are one of several.
 */
function amountReaders(contract: Contract): (pointers: readonly string[]) => PointerReader {
  const { areColumns } = directionWords(contract);
  return (pointers) => {
    const all = compilePointers(pointers);
    if (!areColumns(pointers)) return all;
    const columns = pointers.map((pointer) => compilePointers([pointer]));
    const filled = (source: unknown) => columns.filter(({ read }) => /[^0.,-]/.test(textOrNumber(read(source)) ?? ''));
    const only = (source: unknown): PointerReader => filled(source)[0] ?? all;
    return {
      read: (source) => only(source).read(source),
      locate: (source) => only(source).locate(source),
      holders: (source) => only(source).holders(source),
      isOneOfSeveral: (source) => filled(source).length > 1 || only(source).isOneOfSeveral(source),
    };
  };
}

/**
 * The direction by the text at `transaction.direction`, else `transaction.type`, if it is one of the contract's words, and by
 * the amount's column; without one a negative amount is a debit. A positive amount alone shows nothing, since most services
 * send every amount unsigned. Words of both, or one of credit beside a negative amount, make it UNKNOWN.
 */
export function directionDecoder(contract: Contract): Decoder<TransactionDirection> {
  const texts = compileEach([...contract['transaction.direction'], ...contract['transaction.type']]);
  const compile = amountReaders(contract);
  const { 'transaction.amount': inMajor, 'transaction.amountMinor': inMinor } = contract;
  const [major, minor] = [compile(inMajor), compile(inMinor)];
  const { credit, debit, areColumns } = directionWords(contract);
  const columnOf = (source: unknown): string => {
    const place = major.read(source) === undefined ? minor : major;
    return place.isOneOfSeveral(source) ? '' : columnName(place.locate(source));
  };
  const hasColumns = areColumns([...inMajor, ...inMinor]);
  const amountText = amountReader(contract);
  const ofPositive = contract['transaction.sign'] === 'both' ? 'CREDIT' : 'UNKNOWN';
  return (source) => {
    const text =
      texts(source)
        .map(scalarText)
        .find((each) => each !== '')
        ?.toLowerCase() ?? '';
    const amount = amountText(major.read(source) ?? minor.read(source), 'major');
    const isNegative = amount.startsWith('-') && !isZero(amount);
    const column = hasColumns && !isZero(amount) ? columnOf(source) : '';
    const isDebit = isNegative || debit.has(text) || debit.has(column);
    if (credit.has(text) || credit.has(column)) return isDebit ? 'UNKNOWN' : 'CREDIT';
    if (isDebit) return 'DEBIT';
    return /^[\d.]+$/.test(amount) && !isZero(amount) ? ofPositive : 'UNKNOWN';
  };
}
