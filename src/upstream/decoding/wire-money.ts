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
import { createCurrencyMatcher, fromAmount, toAmount, toCurrency } from '../../contract/money.ts';
import { textOrNumber } from './exact-json.ts';
import {
  contractSurprise,
  isRecord,
  readerOf,
  undecidedValue,
  type Decoder,
  type FieldRow,
  type PointerRow,
} from './field-decoders.ts';
import { hasContent, scalarText } from './envelope.ts';
import { compileEach, compilePointers, type PointerReader } from './json-pointer.ts';
import { spellings } from '../../runtime/spellings.ts';

const maxWords = 100;
const maxWordLength = 100;

interface MoneyRows {
  readonly major: FieldRow;
  readonly minor?: PointerRow | undefined;
  readonly currency?: PointerRow | undefined;
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
 * The objects whose currency concerns an amount: all that enclose it, and where its currency is mapped those inside the
 * object that holds the mapped one.
 */
function currencyHolders(amount: PointerReader, currency: PointerReader, source: unknown): readonly unknown[] {
  const isMapped = currency.read(source) !== undefined;
  // Most amounts are members of the record itself.
  if (amount.isDirect) return isMapped ? [] : [source];
  const holders = amount.holders(source);
  const mapped = isMapped ? currency.holders(source) : [];
  return holders.slice(holders.findLastIndex((holder) => mapped.includes(holder)) + 1);
}

const currencyMatcher = memoised(createCurrencyMatcher);

/** Names under which an amount's own currency may stand beside it although no row maps it. */
const currencyNames = ['currency', 'currency_code', 'currency_iso', 'iso_currency', 'ccy'].flatMap((name) => [
  ...spellings(name),
  name.toUpperCase(),
]);

/**
 * Whether an object has another currency than that of its amount. A value that names no known currency, such as a token's,
 * or an object without a code, counts as another one.
 */
function hasOtherCurrency(holder: unknown, isSame: (text: string) => boolean): boolean {
  if (!isRecord(holder)) return false;
  return currencyNames.some((name) => {
    const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (!hasContent(value)) return false;
    const text = textOrNumber(value) ?? (isRecord(value) ? textOrNumber(value['code']) : undefined);
    return text === undefined || !isSame(text.trim());
  });
}

/**
 * Reads money where the contract's rows say: an amount in the decided unit, or a second one in the minor unit, or both; the
 * currency from its own row, else the decided one. Surprises are two amounts that differ, an amount that is one of several
 * entries of a list, one below zero where none can be, and an amount beside another currency than its own. A unit or
 * currency that neither the answer nor the deployer states is CONTRACT_UNDECIDED.
 */
function moneyReader(contract: Contract, rows: MoneyRows, mayBeNegative = true): Decoder<Money | null> {
  const unit = rows.ownUnit ?? moneyUnit(contract, rows.unit);
  const major = readerOf(contract, rows.major);
  const minor = readerOf(contract, rows.minor);
  const currencyReader = readerOf(contract, rows.currency);
  const decided = contract['money.currency'];
  const { minor: minorRow = rows.major, currency: currencyRow = rows.major } = rows;
  const isRefused = (amount: string | undefined): boolean =>
    amount === undefined || (!mayBeNegative && amount.startsWith('-'));
  return (source, location) => {
    const value = major.read(source);
    const minorValue = minor.read(source);
    if (value === undefined && minorValue === undefined) return null;
    if (major.isOneOfSeveral(source)) return contractSurprise(location, rows.major, major.locate(source));
    if (minor.isOneOfSeveral(source)) return contractSurprise(location, minorRow, minor.locate(source));
    if (unit === null && minorValue === undefined) return undecidedValue(location, 'money.unit');
    const mappedCurrency = currencyReader.read(source);
    const currencyText = mappedCurrency ?? decided;
    if (currencyText === null) return undecidedValue(location, 'money.currency');
    const currency = toCurrency(currencyText);
    if (currency === undefined) return contractSurprise(location, currencyRow, currencyReader.locate(source));
    const { code, places } = currency;
    const holders = currencyHolders(value === undefined ? minor : major, currencyReader, source);
    if (holders.some((holder) => hasOtherCurrency(holder, currencyMatcher(code))))
      return contractSurprise(location, currencyRow, currencyReader.locate(source));
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
 * The direction by the words of the row `transaction.direction` or `transaction.type`; without such a word a negative
 * amount is a debit. A positive amount alone shows nothing, since most services send every amount unsigned. Words that
 * contradict the sign make it UNKNOWN.
 */
export function directionDecoder(contract: Contract): Decoder<TransactionDirection> {
  const texts = compileEach([...contract['transaction.direction'], ...contract['transaction.type']]);
  const major = compilePointers(contract['transaction.amount']);
  const minor = compilePointers(contract['transaction.amountMinor']);
  const readWords = memoised(
    createDirectionReader(contract['transaction.creditWords'], contract['transaction.debitWords']),
  );
  return (source) => {
    const direction = readWords(
      texts(source)
        .map(scalarText)
        .find((text) => text !== '') ?? '',
    );
    const amount = amountText(major.read(source) ?? minor.read(source));
    const isNegative = amount.startsWith('-') && !isZero(amount);
    if (direction === 'unstated') return isNegative ? 'DEBIT' : 'UNKNOWN';
    return direction === 'CREDIT' && isNegative ? 'UNKNOWN' : direction;
  };
}

/**
 * Creates the function that reads the direction from the words of a text: `unstated` where no word names one, UNKNOWN
 * where another word may change it: a word such as `reversal` anywhere, or any but a neutral word behind it.
 */
export function createDirectionReader(
  creditWords: readonly string[],
  debitWords: readonly string[],
): (text: string) => TransactionDirection | 'unstated' {
  const credit = new Set(creditWords);
  const debit = new Set(debitWords);
  const isOwn = (word: string): boolean => credit.has(word) || debit.has(word);
  return (text) => {
    const lower = text.toLowerCase();
    const words = lower.split(/[^a-z]+/);
    const isCredit = words.some((word) => credit.has(word));
    const isDebit = words.some((word) => debit.has(word));
    if (!isCredit && !isDebit) return 'unstated';
    const isLast = words.slice(words.findLastIndex(isOwn) + 1).every((word) => neutralWords.test(word));
    const isTurned = words.some((word) => turningWords.test(word) && !isOwn(word));
    // Banks call a payment a credit transfer and a collection a direct debit, whichever way they go.
    const isCreditTransfer = lower.includes('credit') && lower.lastIndexOf('transfer') > lower.indexOf('credit');
    const isDirectDebit = isDebit && words.includes('direct') && !isOwn('direct');
    if (!isLast || isTurned || isCredit === isDebit || isCreditTransfer || isDirectDebit) return 'UNKNOWN';
    return isCredit ? 'CREDIT' : 'DEBIT';
  };
}

/** Words beside which a word of credit or debit does not decide the direction. */
const turningWords =
  /^(?:revers\w*|refund\w*|return\w*|chargebacks?|void\w*|cancel\w*|fail\w*|undo|cards?|fees?|charges?|fixed|term)$/;

/** Words, or none at the end of a text, behind a word of credit or debit that leave its direction as it is. */
export const neutralWords =
  /^(?:wallet|account|bank|virtual|transfers?|transaction|trx|customer|internal|external|manual|cash|money|funds?|pay|alert)?$/;

/** Caches the results of a function for a few short texts: a service has few words for its types. */
function memoised<Value>(make: (text: string) => Value): (text: string) => Value {
  const cache = new Map<string, Value>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const value = make(text);
    if (cache.size < maxWords && text.length <= maxWordLength) cache.set(text, value);
    return value;
  };
}
