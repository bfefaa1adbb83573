import { lacksMinorDigits, moneyUnit, type OperationName } from '../../contract/contract.ts';
import { usualNames, normalizeName } from '../usual-names.ts';
import { writeNames, recordKinds } from '../../contract/operation-rows.ts';
import { compilePointers, isRecord, textOrNumber, type PointerRow } from '../../upstream/index.ts';
import type { Draft } from './draft.ts';
import { amountIn, isAmount } from './forms.ts';
import { holdsRecords, walk } from './json-nodes.ts';
import { recordsOfKind } from './field-rows.ts';
import type { Sample } from '../sample.ts';

/** The decisions about money, which a person makes, with what the amounts look like. */
export function proposeMoney(samples: readonly Sample[], { contract, ask }: Draft): void {
  const amountsAt = (kind: 'balance' | 'transaction', row: 'balance.value' | 'transaction.amount') => {
    const { read } = compilePointers(contract[row]);
    return recordsOfKind(kind, samples, contract).flatMap((record) => textOrNumber(read(record)) ?? []);
  };
  const balances = amountsAt('balance', 'balance.value');
  const transactions = amountsAt('transaction', 'transaction.amount');
  const texts = [...balances, ...transactions];
  if ((['balance.unit', 'transaction.unit'] as const).some((row) => moneyUnit(contract, row) === null))
    ask('money.unit', lookOf(balances, transactions));
  if (contract['money.currency'] === null) ask('money.currency', 'an ISO 4217 code such as NGN');
  const forms = { thousands: /^-?\d{1,3}(?:,\d{3})+(?:\.|$)/, zeros: /\.\d{3,}0$/ } as const;
  for (const form of ['thousands', 'zeros'] as const)
    if (!contract['money.texts'].includes(form) && texts.some((text) => forms[form].test(text)))
      ask('money.texts', `add ${form}, if amounts are meant so`);
  const signs = new Set(transactions.filter((text) => /[1-9]/.test(text)).map((text) => text.startsWith('-')));
  if (signs.size === 2 && contract['transaction.sign'] === 'debit')
    ask('transaction.sign', 'both, if a positive amount is money in');
  if (!lacksMinorDigits(contract)) return;
  const look = texts.every((text) => text.endsWith('00')) ? 'every amount seen ends' : 'not every amount seen ends';
  const currency = contract['money.currency'];
  ask('money.minorDigits', `2, if amounts in ${currency} are hundredths all the same (${look} in 00), else 0`);
}

/** What the amounts look like. Where balances and transactions differ, each has a row of its own. */
function lookOf(balances: readonly string[], transactions: readonly string[]): string {
  const look = (texts: readonly string[]): string =>
    texts.some((text) => text.includes('.'))
      ? 'major, perhaps: amounts have decimals'
      : 'minor, perhaps: every amount seen is a whole number';
  if (balances.length === 0 && transactions.length === 0) return 'major or minor; no amount was seen';
  if (balances.length === 0) return `${look(transactions)}; no balance was seen`;
  if (transactions.length === 0) return `${look(balances)}; no transaction was seen`;
  if (look(balances) === look(transactions)) return look(balances);
  return `balance.unit ${look(balances)}; transaction.unit ${look(transactions)}`;
}

const inside = [
  ['customer.virtualAccounts', 'listCustomerVirtualAccounts', holdsRecords],
  ['customer.balance', 'getCustomerBalance', holdsBalance],
] as const;

/** The balance and the accounts inside customers, for which no call would be needed. */
export function proposeInside(samples: readonly Sample[], { contract, take, ask }: Draft): void {
  const of = (operation: OperationName) => samples.filter((sample) => sample.operation === operation);
  const [customer] = recordsOfKind('customer', of('getCustomer'), contract);
  for (const [row, operation, accepts] of inside) {
    const nodes = contract[row].length > 0 || customer === undefined ? [] : walk(customer);
    const node = nodes.find(({ name, value }) => usualNames(row).includes(normalizeName(name)) && accepts(value));
    if (node === undefined) continue;
    const own = of(operation);
    const isMissing = own.length > 0 && own.every(({ status }) => status === 404 || status === 405);
    if (isMissing) take(row, [node.pointer]);
    else ask(row, `[${node.pointer}], if it is always there: then no call is made for it`);
  }
}

function holdsBalance(value: unknown): boolean {
  const names = new Set([...usualNames('balance.value'), ...usualNames('balance.valueMinor')]);
  const isBalance = ([name, inner]: readonly [string, unknown]): boolean =>
    names.has(normalizeName(name)) && isAmount(inner);
  return amountIn(value) !== undefined || (isRecord(value) && Object.entries(value).some(isBalance));
}

/** Body names of writes as records are named: no read shows them. */
export function proposeBodies(samples: readonly Sample[], { contract, ask }: Draft): void {
  for (const write of writeNames) {
    const kind = recordKinds[write];
    const records = recordsOfKind(kind, samples, contract);
    const renamed = Object.entries<string>(contract[`${write}.body`]).flatMap(([field, wire]) => {
      const pointers = contract[`${kind}.${field}` as PointerRow] as readonly string[] | undefined; // absent for nin, bvn
      const reader = compilePointers(pointers ?? []);
      const record = records.find((each) => reader.read(each) !== undefined);
      const name = record === undefined ? wire : (reader.locate(record).split('/').at(-1) ?? wire);
      return name === wire ? [] : [`${field}: ${name}`];
    });
    if (renamed.length > 0) ask(`${write}.body`, `{ ${renamed.join(', ')} }, if bodies are named as records are`);
  }
}
