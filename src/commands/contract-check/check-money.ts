import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { checkFields } from './check-fields.ts';
import { findRead, readContracted, readRecord } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import { findNode, walk } from './json-shape.ts';

/** The balance of a customer, at its endpoint and inside the record. */
export async function checkBalance(run: CheckRun, id: string, customer: unknown): Promise<void> {
  const embedded = run.read('customer.balance', customer);
  if (embedded !== undefined) run.confirm('customer.balance');
  const node = findNode(customer, ['balance', 'availablebalance'], (value) => textOrNumber(value) !== undefined);
  const name = 'getCustomerBalance';
  const isCarried = embedded !== undefined || node !== undefined;
  const balance = isCarried ? await readContracted(run, name, id) : await findRead(run, name, id, '');
  if (balance !== undefined) {
    const record = readRecord(run, balance);
    checkCurrencies(run, record);
    checkFields(run, 'balance', [record]);
    proposeUnit(run, 'balance.unit', [run.read('balance.value', record)]);
    return compareBalances(run, embedded, record);
  }
  if (embedded === undefined && node !== undefined) {
    const parent = node.pointer.slice(0, node.pointer.lastIndexOf('/'));
    run.contradict('customer.balance', `the customer carries it at ${parent}`, [parent]);
  }
  if (isCarried) checkFields(run, 'balance', [run.read('customer.balance', customer)]);
}

/** A list of amounts by currency: the entry of the decided currency is the balance, and which one is a person's to say. */
export function checkCurrencies(run: CheckRun, balance: unknown): void {
  const row = 'balance.value';
  const list = walk(balance).find(({ value }) => Array.isArray(value) && value.every(isAmountOfCurrency));
  if (list === undefined || !Array.isArray(list.value) || list.value.length === 0) return;
  const entries = list.value as readonly Readonly<Record<string, unknown>>[]; // every entry has just passed
  const names = Object.keys(entries[0] ?? {});
  const currency = names.find((name) => currencyName.test(name)) ?? '';
  const amount = names.find((name) => amountName.test(name)) ?? '';
  const pointerFor = (code: string): string => `${list.pointer}/[${currency}=${code}]/${amount}`;
  const decided = run.contract()['money.currency'];
  if (run.contract()[row].some((pointer) => pointer.includes('['))) return;
  // A pointer chooses its entry by the exact text, and some services write `usd`.
  const spellings = entries.flatMap((entry) => textOrNumber(entry[currency]) ?? []);
  const spelling = spellings.find((code) => code.toUpperCase() === decided) ?? decided;
  if (spelling !== null) run.contradict(row, 'amounts stand in a list by currency', [pointerFor(spelling)]);
  else run.proposals.set(row, `['${pointerFor('…')}'], with the currency decided: amounts stand in a list by currency`);
}

const currencyName = /^(?:currency|currency_?code|ccy)$/i;
const amountName = /^(?:amount|value|balance)$/i;

function isAmountOfCurrency(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const names = Object.keys(entry);
  return names.some((name) => currencyName.test(name)) && names.some((name) => amountName.test(name));
}

/** One balance in two places: a factor of a hundred between them shows the unit of each. */
function compareBalances(run: CheckRun, embedded: unknown, endpoint: unknown): void {
  const [inside, outside] = [embedded, endpoint].map((record) =>
    Number(textOrNumber(run.read('balance.value', record))),
  );
  if (!inside || !outside) return;
  const row = 'customer.balance.unit';
  const unit = inside === outside * 100 ? 'minor' : outside === inside * 100 ? 'major' : undefined;
  if (unit !== undefined) {
    run.compare(row, unit, 'a factor of a hundred between the customer and the balance endpoint');
    run.proposals.set(
      'balance.unit',
      `${unit === 'minor' ? 'major' : 'minor'}: by comparison with the balance inside the customer`,
    );
  } else if (inside !== outside) run.skip(row, 'the two balances are of different amounts');
  else if (run.contract()[row] === null || run.contract()[row] === run.contract()['balance.unit']) run.confirm(row);
  else run.contradict(row, 'the customer and the balance endpoint carry the same amount', null);
}

/** Collects evidence about the unit and the currency of transactions. */
export function proposeMoney(run: CheckRun, transactions: readonly unknown[]): void {
  const amounts = transactions.map((record) => run.read('transaction.amount', record));
  proposeUnit(run, 'transaction.unit', amounts);
  const evidence = run.proposals.get('transaction.unit');
  if (evidence === undefined) return;
  run.proposals.set('money.unit', `for transactions ${evidence}`);
  const hasCurrency = transactions.some((record) => run.read('transaction.currency', record) !== undefined);
  run.proposals.set(
    'money.currency',
    `a three-letter ISO 4217 code: ${hasCurrency ? 'transactions carry one' : 'no transaction carries one'}`,
  );
}

/** Whether amounts of one kind of record have decimals, as evidence for the unit; the amounts are not kept. */
function proposeUnit(run: CheckRun, row: 'balance.unit' | 'transaction.unit', amounts: readonly unknown[]): void {
  const texts = amounts.flatMap((amount) => textOrNumber(amount) ?? []);
  if (texts.length === 0) return;
  const hasDecimals = texts.some((text) => text.includes('.'));
  run.proposals.set(
    row,
    hasDecimals ? 'major: amounts with decimals were seen' : 'minor, perhaps: every amount seen is a whole number',
  );
}
