import type { Money, TransactionDirection } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';
import {
  moneyUnit,
  requireMoneyDecisions,
  type Contract,
  type MoneyUnit,
  type OperationName,
  type UnitRow,
} from '../../contract/contract.ts';
import { fromAmount, toAmount, toCurrency } from '../../contract/money.ts';
import { scalarText } from './envelope.ts';
import { textOrNumber } from './exact-json.ts';
import {
  contractSurprise,
  readerOf,
  undecidedValue,
  type Decoder,
  type FieldRow,
  type PointerRow,
} from './field-decoders.ts';
import { compileEach, compilePointers } from './json-pointer.ts';

interface MoneyRows {
  readonly major: FieldRow;
  readonly minor?: PointerRow | undefined;
  readonly currency: PointerRow;
  readonly unit: UnitRow;
  /** The unit of these amounts; takes precedence over the row `unit`. */
  readonly ownUnit?: MoneyUnit | undefined;
}

/** The decoders of amounts, compiled from the contract once at start. */
export function createMoneyDecoders(contract: Contract) {
  return {
    /** Money that is never negative; absent is null. */
    optionalMoney: (rows: MoneyRows): Decoder<Money | null> => moneyReader(contract, rows, false),
    /** Money that may be negative; absent is null. */
    optionalSignedMoney: (rows: MoneyRows): Decoder<Money | null> => moneyReader(contract, rows),
    /** Money that may be negative; absent is a surprise. */
    signedMoney: (rows: MoneyRows): Decoder<Money> => required(moneyReader(contract, rows), rows.major),
    /**
     * The absolute amount of a transaction: a minus sign counts for the direction only. Zero beside another amount at a later
     * pointer of its rows is a surprise: the columns of a statement have zero in the one that does not apply.
     */
    magnitude: (rows: MoneyRows): Decoder<Money> => {
      const read = required(moneyReader(contract, rows), rows.major);
      const amounts = compileEach([...contract['transaction.amount'], ...contract['transaction.amountMinor']]);
      return (source, location) => {
        const money = read(source, location);
        if (money instanceof GatewayError) return money;
        if (isZero(money.amount) && !amounts(source).map(amountText).every(isZero))
          return contractSurprise(location, rows.major);
        return money.amount.startsWith('-') ? { ...money, amount: money.amount.slice(1) } : money;
      };
    },
  };
}

/** A client's amount as text in the service's unit. Throws CONTRACT_UNDECIDED, and BAD_USER_INPUT for too many decimals. */
export function toWireAmount(contract: Contract, operation: OperationName, row: UnitRow, amount: string): string {
  const { unit, currency, places } = requireMoneyDecisions(contract, row, operation);
  const fraction = amount.split('.')[1] ?? '';
  if (fraction.length > places) {
    const message = `An amount in ${currency} has at most ${places} decimals.`;
    throw new GatewayError('BAD_USER_INPUT', { operation }, { message });
  }
  return fromAmount(amount, unit, places);
}

function required(decode: Decoder<Money | null>, row: FieldRow): Decoder<Money> {
  return (source, location) => decode(source, location) ?? contractSurprise(location, row);
}

/**
 * Reads money where the contract's rows say: an amount in the decided unit, or a second one in the minor unit, or both; the
 * currency by its own row in the innermost object round the amount that has one, else the decided one. Surprises are two amounts that differ,
 * an amount that is one of several entries of a list, and one below zero where none can be. A unit or currency that neither
 * the answer nor the deployer states is CONTRACT_UNDECIDED.
 */
function moneyReader(contract: Contract, rows: MoneyRows, mayBeNegative = true): Decoder<Money | null> {
  const unit = rows.ownUnit ?? moneyUnit(contract, rows.unit);
  const major = readerOf(contract, rows.major);
  const minor = readerOf(contract, rows.minor);
  const currencyReader = readerOf(contract, rows.currency);
  const minorRow = rows.minor ?? rows.major;
  const isRefused = (amount: string | undefined): boolean =>
    amount === undefined || (!mayBeNegative && amount.startsWith('-'));
  return (source, location) => {
    const value = major.read(source);
    const minorValue = minor.read(source);
    if (value === undefined && minorValue === undefined) return null;
    if (major.isOneOfSeveral(source)) return contractSurprise(location, rows.major, major.locate(source));
    if (minor.isOneOfSeveral(source)) return contractSurprise(location, minorRow, minor.locate(source));
    if (unit === null && minorValue === undefined) return undecidedValue(location, 'money.unit');
    const { isDirect, holders } = value === undefined ? minor : major;
    const enclosing = isDirect ? [source] : holders(source).toReversed();
    const currencyText =
      enclosing.map(currencyReader.read).find((text) => text !== undefined) ?? contract['money.currency'];
    if (currencyText === null) return undecidedValue(location, 'money.currency');
    const currency = toCurrency(currencyText);
    if (currency === undefined) return contractSurprise(location, rows.currency, currencyReader.locate(source));
    const { code, places } = currency;
    const amount = value === undefined || unit === null ? undefined : toAmount(amountText(value), unit, places);
    if (value !== undefined && unit !== null && isRefused(amount))
      return contractSurprise(location, rows.major, major.locate(source));
    if (minorValue === undefined) return { amount: amount ?? '', currency: code };
    const exact = toAmount(amountText(minorValue), 'minor', places);
    if (exact === undefined || isRefused(exact) || (amount !== undefined && amount !== exact))
      return contractSurprise(location, minorRow, minor.locate(source));
    return { amount: exact, currency: code };
  };
}

function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

function amountText(value: unknown): string {
  return textOrNumber(value) ?? '';
}

/**
 * The direction by the text at `transaction.direction`, else `transaction.type`, if it is one of the contract's words;
 * without one a negative amount is a debit. A positive amount alone shows nothing, since most services send every amount
 * unsigned. A word of credit beside a negative amount makes it UNKNOWN.
 */
export function directionDecoder(contract: Contract): Decoder<TransactionDirection> {
  const texts = compileEach([...contract['transaction.direction'], ...contract['transaction.type']]);
  const major = compilePointers(contract['transaction.amount']);
  const minor = compilePointers(contract['transaction.amountMinor']);
  const wordsOf = (row: 'transaction.creditWords' | 'transaction.debitWords') =>
    new Set(contract[row].map((word) => word.toLowerCase()));
  const [credit, debit] = [wordsOf('transaction.creditWords'), wordsOf('transaction.debitWords')];
  return (source) => {
    const text =
      texts(source)
        .map(scalarText)
        .find((each) => each !== '')
        ?.toLowerCase() ?? '';
    const amount = amountText(major.read(source) ?? minor.read(source));
    const isNegative = amount.startsWith('-') && !isZero(amount);
    if (credit.has(text)) return isNegative ? 'UNKNOWN' : 'CREDIT';
    return debit.has(text) || isNegative ? 'DEBIT' : 'UNKNOWN';
  };
}
