import { lacksMinorDigits, moneyUnit, type Contract, type OperationName } from '../../contract/contract.ts';
import { usualNames, normalizeName } from '../usual-names.ts';
import { writeNames, recordKinds } from '../../contract/operation-rows.ts';
import { compilePointers, isRecord, textOrNumber, type PointerRow } from '../../upstream/index.ts';
import { amountIn, isAmount } from './forms.ts';
import { walk } from './json-nodes.ts';
import { recordsOfKind } from './field-rows.ts';
import type { Proposal } from './proposal.ts';
import type { Sample } from '../sample.ts';

/** The decisions about money, which a person makes, with what the amounts look like. */
export function proposeMoney(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const amounts = {
    balance: amountsAt('balance', samples, contract),
    transaction: amountsAt('transaction', samples, contract),
  };
  const proposals: Proposal[] = [];
  const isOpen = (['balance', 'transaction'] as const).some((kind) => moneyUnit(contract, `${kind}.unit`) === null);
  if (isOpen) proposals.push({ row: 'money.unit', question: lookOf(amounts) });
  if (contract['money.currency'] === null)
    proposals.push({ row: 'money.currency', question: 'an ISO 4217 code such as NGN' });
  const texts = [...amounts.balance, ...amounts.transaction];
  const forms = { thousands: /^-?\d{1,3}(?:,\d{3})+(?:\.|$)/, zeros: /\.\d{3,}0$/ } as const;
  for (const form of ['thousands', 'zeros'] as const)
    if (!contract['money.texts'].includes(form) && texts.some((text) => forms[form].test(text)))
      proposals.push({ row: 'money.texts', question: `add ${form}, if amounts are meant so` });
  const signs = new Set(amounts.transaction.filter((text) => /[1-9]/.test(text)).map((text) => text.startsWith('-')));
  if (signs.size === 2 && contract['transaction.sign'] === 'debit')
    proposals.push({ row: 'transaction.sign', question: 'both, if a positive amount is money in' });
  if (lacksMinorDigits(contract)) {
    const look = texts.every((text) => text.endsWith('00')) ? 'every amount seen ends' : 'not every amount seen ends';
    const question = `2, if amounts in ${contract['money.currency']} are hundredths all the same (${look} in 00), else 0`;
    proposals.push({ row: 'money.minorDigits', question });
  }
  return proposals;
}

/** What the amounts look like. Where balances and transactions differ, each has a row of its own. */
function lookOf({ balance, transaction }: Readonly<Record<'balance' | 'transaction', readonly string[]>>): string {
  const look = (texts: readonly string[]): string =>
    texts.some((text) => text.includes('.'))
      ? 'major, perhaps: amounts have decimals'
      : 'minor, perhaps: every amount seen is a whole number';
  if (balance.length === 0 && transaction.length === 0) return 'major or minor; no amount was seen';
  if (balance.length === 0) return `${look(transaction)}; no balance was seen`;
  if (transaction.length === 0) return `${look(balance)}; no transaction was seen`;
  if (look(balance) === look(transaction)) return look(balance);
  return `balance.unit ${look(balance)}; transaction.unit ${look(transaction)}`;
}

function amountsAt(kind: 'balance' | 'transaction', samples: readonly Sample[], contract: Contract): readonly string[] {
  const reader = compilePointers(contract[kind === 'balance' ? 'balance.value' : 'transaction.amount']);
  return recordsOfKind(kind, samples, contract).flatMap((record) => textOrNumber(reader.read(record)) ?? []);
}

const inside = [
  [
    'customer.virtualAccounts',
    'listCustomerVirtualAccounts',
    (value: unknown) => Array.isArray(value) && isRecord(value[0]),
  ],
  ['customer.balance', 'getCustomerBalance', holdsBalance],
] as const;

/** The balance and the accounts inside customers, for which no call would be needed. */
export function proposeInside(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const of = (operation: OperationName) => samples.filter((sample) => sample.operation === operation);
  const [customer] = recordsOfKind('customer', of('getCustomer'), contract);
  return inside.flatMap(([row, operation, accepts]): readonly Proposal[] => {
    const nodes = contract[row].length > 0 || customer === undefined ? [] : walk(customer);
    const node = nodes.find(({ name, value }) => usualNames(row).includes(normalizeName(name)) && accepts(value));
    if (node === undefined) return [];
    const own = of(operation);
    const isMissing = own.length > 0 && own.every(({ status }) => status === 404 || status === 405);
    if (isMissing) return [{ row, value: [node.pointer] }];
    return [{ row, question: `[${node.pointer}], if it is always there: then no call is made for it` }];
  });
}

function holdsBalance(value: unknown): boolean {
  const names = new Set([...usualNames('balance.value'), ...usualNames('balance.valueMinor')]);
  const isBalance = ([name, inner]: readonly [string, unknown]): boolean =>
    names.has(normalizeName(name)) && isAmount(inner);
  return amountIn(value) !== undefined || (isRecord(value) && Object.entries(value).some(isBalance));
}

/** Body names of writes as records are named: no read shows them. */
export function proposeBodies(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  return writeNames.flatMap((write): readonly Proposal[] => {
    const kind = recordKinds[write];
    const row = `${write}.body` as const;
    const records = recordsOfKind(kind, samples, contract);
    const renamed = Object.entries<string>(contract[row]).flatMap(([field, wire]) => {
      const pointers = contract[`${kind}.${field}` as PointerRow] as readonly string[] | undefined; // absent for nin, bvn
      const reader = compilePointers(pointers ?? []);
      const record = records.find((each) => reader.read(each) !== undefined);
      const name = record === undefined ? wire : (reader.locate(record).split('/').at(-1) ?? wire);
      return name === wire ? [] : [`${field}: ${name}`];
    });
    const question = `{ ${renamed.join(', ')} }, if bodies are named as records are`;
    return renamed.length === 0 ? [] : [{ row, question }];
  });
}
