import { toCurrency } from '../../contract/money.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import type { PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { proposeFields, checkFields, checkOwner, findUnused, notCarried } from './check-fields.ts';
import { findRead, readContracted } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import { isMainAmount } from './find-amount.ts';
import { isAmount } from './find-field.ts';
import { findNode, isAmountName, nameOfCurrency, normalizeName, walk } from './json-shape.ts';

/** The balance of a customer, at its endpoint and inside the record. */
export async function checkBalance(run: CheckRun, id: string, customer: unknown): Promise<void> {
  const embedded = run.read('customer.balance', customer);
  if (embedded !== undefined) run.confirm('customer.balance');
  const node = findNode(customer, ['balance', 'availablebalance'], (value) => textOrNumber(value) !== undefined);
  const name = 'getCustomerBalance';
  const isCarried = embedded !== undefined || node !== undefined;
  const { answer: balance, isNone } = isCarried
    ? await readContracted(run, name, id)
    : { answer: await findRead(run, name, id, ''), isNone: false };
  if (embedded === undefined && node !== undefined && isNone) {
    const parent = node.pointer.slice(0, node.pointer.lastIndexOf('/'));
    run.contradict('customer.balance', `the customer carries it at ${parent}`, [parent]);
  }
  const record =
    balance === undefined
      ? run.read('customer.balance', customer)
      : createEnvelope(run.contract()).record(balance.body); // perhaps a list of amounts
  if (balance === undefined && record === undefined) return;
  checkCurrencies(run, record);
  checkFields(run, 'balance', [record]);
  checkOwner(run, 'balance', id, [record]);
  proposeFields(run, 'balance', [record]);
  requireAmount(run, 'balance', [record]);
  proposeFurther(run, record);
  proposeBalance(run, record);
  proposeUnit(run, 'balance', [record]);
  const other = embedded === undefined ? node?.value : run.read('balance.value', embedded);
  if (balance !== undefined) compareBalances(run, other, run.read('balance.value', record), embedded !== undefined);
}

/** Proposes further balances that an answer shows: their meaning is not published, so a person decides. */
function proposeFurther(run: CheckRun, balance: unknown): void {
  const list = findCurrencies(balance);
  for (const name of ['available', 'ledger'] as const) {
    const amountPointer = findAmount(list?.entry ?? balance, [name, `${name}balance`]);
    if (amountPointer === undefined) continue;
    const pointer = list === undefined ? amountPointer : `'${list.pointerFor('…', amountPointer)}'`;
    run.proposals.set(`balance.${name}`, `[${pointer}], to show that amount, too`);
  }
}

/** Proposes other amounts for the balance where an available one is read for it. */
export function proposeBalance(run: CheckRun, balance: unknown): void {
  const row = 'balance.value';
  const place = compilePointers(run.contract()[row]).locate(balance);
  const others = findUnused(run, row, [balance]).filter((pointer) => isMainAmount(row, pointer));
  if (run.isOverridden(row) || !/available/i.test(place) || others.length === 0) return;
  run.proposals.set(row, `[${place}], or the amount that the service calls the balance: ${others.join(', ')}`);
}

/** Usual names of a balance in one currency, normalized: the likeliest first. */
const balanceNames = ['balance', 'amount', 'currentbalance', 'ledgerbalance', 'availablebalance', 'available', 'value'];

/** The pointer of an amount under one of these names, the earlier names first; itself or as a member of an object. */
function findAmount(body: unknown, names: readonly string[]): string | undefined {
  const nodes = walk(body).flatMap(({ pointer, name, value }) => {
    const inner = isAmount(value)
      ? ''
      : walk(value).find((node) => isAmountName(node.name) && isAmount(node.value))?.pointer;
    return inner === undefined ? [] : [{ name: normalizeName(name), pointer: pointer + inner }];
  });
  return names.flatMap((name) => nodes.find((node) => node.name === name)?.pointer ?? [])[0];
}

/** The first list of amounts by currency, with the pointer into the entry of a currency. */
function findCurrencies(balance: unknown) {
  for (const { pointer: place, value } of walk(balance)) {
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    const [entry] = entries;
    const currency = nameOfCurrency(entry);
    const amount = findAmount(entry, balanceNames);
    if (currency === undefined || amount === undefined) continue;
    const readAll = (pointer: string) =>
      entries.flatMap((each) => textOrNumber(compilePointers([pointer]).read(each)) ?? []);
    const pointerFor = (code: string, pointer = amount): string => `${place}/[${currency}=${code}]${pointer}`;
    return { entry, amounts: readAll(amount), spellings: readAll(`/${currency}`), pointerFor };
  }
  return undefined;
}

/** A list of amounts by currency: the balance is the entry of the decided currency. A person decides while none is. */
export function checkCurrencies(run: CheckRun, balance: unknown): void {
  const row = 'balance.value';
  const list = findCurrencies(balance);
  if (list === undefined || run.contract()[row].some((pointer) => pointer.includes('['))) return;
  const decided = run.contract()['money.currency'];
  // A pointer chooses its entry by the exact text, and some services write `usd`.
  const spelling = list.spellings.find((code) => code.toUpperCase() === decided) ?? decided;
  if (spelling !== null) run.contradict(row, 'amounts stand in a list by currency', [list.pointerFor(spelling)]);
  else
    run.proposals.set(
      row,
      `['${list.pointerFor('…')}'], with the currency decided: amounts stand in a list by currency`,
    );
}

/**
 * Compares the balance inside the customer with that of the endpoint: a factor of a hundred between them shows the unit of
 * each. The row is that of the balance inside the customer, if the contract reads it.
 */
function compareBalances(run: CheckRun, embedded: unknown, endpoint: unknown, isRead: boolean): void {
  const [inside, outside] = [embedded, endpoint].map((value) => Number(textOrNumber(value)));
  if (!inside || !outside) return;
  const row = 'customer.balance.unit';
  const unit = isHundredfold(inside, outside) ? 'minor' : isHundredfold(outside, inside) ? 'major' : undefined;
  if (unit !== undefined) {
    if (isRead) run.compare(row, unit, 'a factor of a hundred between the customer and the balance endpoint');
    const evidence = `${unit === 'minor' ? 'major' : 'minor'}: by comparison with the balance inside the customer`;
    run.unitsSeen.set('balance', evidence);
    run.proposals.set('balance.unit', evidence);
  } else if (!isRead) return;
  else if (inside !== outside) run.skip(row, 'the two balances are of different amounts');
  else if (run.contract()[row] === null || run.contract()[row] === run.contract()['balance.unit']) run.confirm(row);
  else run.contradict(row, 'the customer and the balance endpoint carry the same amount', null);
}

/** Decimals such as 19.99 have no exact double, so the product is rounded. */
function isHundredfold(one: number, other: number): boolean {
  return one === Math.round(other * 100);
}

/**
 * Leaves unit and currency to a person, with what the amounts seen look like. Kinds of records may differ in their unit,
 * so one of which no amount was seen is asked for, too.
 */
export function proposeMoney(run: CheckRun, transactions: readonly unknown[]): void {
  proposeUnit(run, 'transaction', transactions);
  const kinds = ['balance', 'transaction'] as const;
  const units = kinds.flatMap((kind) => run.unitsSeen.get(kind) ?? []);
  for (const kind of kinds) {
    if (units.length > 0 && !run.unitsSeen.has(kind))
      run.proposals.set(`${kind}.unit`, `major or minor: no ${kind} was seen, and the others are ${units.join()}`);
  }
  const evidence = kinds.map((kind) => `for ${kind}s ${run.unitsSeen.get(kind) ?? 'none was seen'}`);
  const rest = 'the amounts of one-time accounts are never seen';
  run.proposals.set(
    'money.unit',
    units.length === 0 ? 'major or minor: no amount was seen' : [...evidence, rest].join('; '),
  );
  const isSeen = transactions.some((record) => run.read('transaction.currency', record) !== undefined);
  const hasCurrency = isSeen || run.corrections.has('transaction.currency');
  run.proposals.set(
    'money.currency',
    `a three-letter ISO 4217 code: ${hasCurrency ? 'transactions carry one' : 'no transaction carries one'}`,
  );
}

/** The rows of the amount of a kind of record: in the decided unit, and in the minor unit. */
const amountRows = {
  balance: ['balance.value', 'balance.valueMinor'],
  transaction: ['transaction.amount', 'transaction.amountMinor'],
} as const;

/**
 * Evidence for the unit of one kind of record: the same amount in minor units, else decimals. The amounts are not kept.
 * Once a unit is decided, only decimals of minor units contradict it.
 */
function proposeUnit(run: CheckRun, kind: 'balance' | 'transaction', records: readonly unknown[]): void {
  const row = `${kind}.unit` as const;
  const [amount, minorRow] = amountRows[kind];
  const read = (id: PointerRow, record: unknown) => textOrNumber(run.read(id, record));
  const texts = records.flatMap((record) => read(amount, record) ?? findCurrencies(record)?.amounts ?? []);
  if (texts.length === 0) return;
  const matchesMinor = records.some((record) =>
    isHundredfold(Number(read(minorRow, record)), Number(read(amount, record))),
  );
  const hasDecimals = texts.some((text) => text.includes('.'));
  const byDecimals = hasDecimals
    ? 'major: amounts with decimals were seen'
    : 'minor, perhaps: every amount seen is a whole number';
  const evidence = matchesMinor ? 'major: by comparison with the same amount in minor units' : byDecimals;
  run.unitsSeen.set(kind, evidence);
  const decided = run.contract()[row] ?? run.contract()['money.unit'];
  const isWrong = decided === 'minor' && hasDecimals && !matchesMinor;
  if (isWrong) run.contradict(row, 'amounts with decimals, which minor units do not have');
  if (decided === null || isWrong) run.proposals.set(row, evidence);
  const isTooFine = (record: unknown): boolean => {
    const currency = run.read(`${kind}.currency`, record) ?? run.contract()['money.currency'];
    const places = toCurrency(currency)?.places ?? Infinity;
    return (/\.(\d+)$/.exec(read(amount, record) ?? '')?.[1]?.length ?? 0) > places;
  };
  if (decided === 'major' && records.some(isTooFine))
    run.contradict(amount, 'amounts with more decimals than their currency has');
}

/** A balance and a transaction always have an amount in the graph: without one every read of theirs fails. */
export function requireAmount(run: CheckRun, kind: 'balance' | 'transaction', records: readonly unknown[]): void {
  const [row, minorRow] = amountRows[kind];
  const hasMinor = records.some((record) => run.read(minorRow, record) !== undefined);
  if (run.findings.get(row)?.why === notCarried && records.length > 0 && !hasMinor)
    run.contradict(row, `no ${kind} has an amount under a usual name`);
}
