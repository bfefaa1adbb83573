import type { OperationName } from '../../contract/contract.ts';
import { normalizeName } from '../usual-names.ts';
import { wordsOf } from './endpoint.ts';

export type Noun = 'customer' | 'bank' | 'balance' | 'transaction' | 'virtual' | 'oneTime';
type Verb = 'list' | 'get' | 'create' | 'update';

/** What an operation is about. Those of other nouns than customer and bank stand below a customer. */
export interface Target {
  readonly noun: Noun;
  readonly verb: Verb;
}

/** The operations in the order of an import's report. */
export const targets: Readonly<Record<OperationName, Target>> = {
  storeSettlementBank: { noun: 'bank', verb: 'create' },
  updateSettlementBank: { noun: 'bank', verb: 'update' },
  listSettlementBanks: { noun: 'bank', verb: 'list' },
  getSettlementBank: { noun: 'bank', verb: 'get' },
  createCustomer: { noun: 'customer', verb: 'create' },
  updateCustomer: { noun: 'customer', verb: 'update' },
  listCustomers: { noun: 'customer', verb: 'list' },
  getCustomer: { noun: 'customer', verb: 'get' },
  getCustomerBalance: { noun: 'balance', verb: 'get' },
  listCustomerTransactions: { noun: 'transaction', verb: 'list' },
  createCustomerVirtualAccount: { noun: 'virtual', verb: 'create' },
  listCustomerVirtualAccounts: { noun: 'virtual', verb: 'list' },
  createCustomerOneTimeAccount: { noun: 'oneTime', verb: 'create' },
};

/** Words that name a resource, most special first; matched without case, hyphens and underscores. */
const nouns: readonly (readonly [Noun, RegExp])[] = [
  ['oneTime', /onetime|temporaryaccount|dynamic(?:virtual)?account|disposable/],
  ['virtual', /virtual|nuban|staticaccount|dedicatedaccount/],
  ['transaction', /transaction|history|statement/],
  ['balance', /balance/],
  ['bank', /settlement.*(?:bank|account)|(?:bank|account).*settlement/],
  ['customer', /customer|client(?!id)/],
];

/** Words that a path may have beside a verb where it is about this noun alone. */
const ownWords: Readonly<Record<Noun, string>> = {
  customer: 'customer|client',
  bank: 'settlement|bank|account|merchant',
  balance: 'balance|wallet|account|available|current',
  transaction: 'transaction|history|statement|wallet|account',
  virtual: 'virtual|nuban|static|dedicated|account|number|bank',
  oneTime: 'one|time|temporary|dynamic|disposable|virtual|account|number|bank',
};

/** Words of resources that may be the same under another name: only offered. */
const nearWords: Readonly<Record<Noun, RegExp>> = {
  customer: /user|holder|member|payer|counterpart/,
  bank: /bank|settlement|payout|subaccount/,
  balance: /wallet|account/,
  transaction: /payment|transfer|entr(?:y|ies)/,
  virtual: /account/,
  oneTime: /account/,
};

const verbs = {
  read: 'list all browse index single get fetch show find retrieve read view search'.split(' '),
  create: 'create store register open generate new add reserve post onboard'.split(' '),
  update: 'update edit modify change patch amend put replace'.split(' '),
} as const;

/** Words of what a newer version stands beside. */
const oldWords = /^(?:old|legacy|deprecated|obsolete)$/;
/** Words of other operations: a name that has one is no evidence for any of the thirteen. */
const otherVerbs =
  /^(?:validate|verify|test|preview|simulate|import|bulk|batch|export|count|delete|remove|block|unblock|suspend|activate|deactivate|assign|requery|total)s?$/;

const pathVerbs = [...verbs.read, ...verbs.create, ...verbs.update].filter((word) => word !== 'search');

/** Patterns of a path's letters by noun. */
const plainPaths = new Map(
  Object.entries(ownWords).map(([noun, words]) => [
    noun,
    new RegExp(
      `^(?:${pathVerbs.join('|')}|customer|client|${words}|api|rest|v\\d+|detail|record|info|by|id|of|the|es?|s)*$`,
    ),
  ]),
);

export function nounOf(text: string): Noun | undefined {
  const letters = normalizeName(text);
  return nouns.find(([, words]) => words.test(letters))?.[0];
}

export function isNear(noun: Noun, text: string): boolean {
  return nearWords[noun].test(normalizeName(text));
}

/** Whether a segment of a path is nothing but a verb, such as `list` or `update`. */
export function isVerb(segment: string): boolean {
  return pathVerbs.includes(segment.toLowerCase());
}

/** Whether the words of a path are about this noun alone, unlike `customer-groups`. */
export function isPlain(noun: Noun, segments: readonly string[]): boolean {
  const letters = normalizeName(segments.join(''));
  return letters.length <= 100 && plainPaths.get(noun)?.test(letters) === true;
}

/** Whether a name marks an endpoint or a sample as one of an earlier version. */
export function isOld(name: string): boolean {
  return wordsOf(name).some((word) => oldWords.test(word));
}

/** Whether names have the verb of an operation, or one that it cannot have. */
export function judgeVerbs({ verb }: Target, names: readonly string[]): 'agrees' | 'contradicts' | 'silent' {
  const words = new Set(names.flatMap(wordsOf));
  const group = verb === 'create' || verb === 'update' ? verb : 'read';
  const has = (each: keyof typeof verbs): boolean => verbs[each].some((word) => words.has(word));
  if (names.some(isOld) || [...words].some((word) => otherVerbs.test(word))) return 'contradicts';
  if (has(group)) return 'agrees';
  return has('read') || has('create') || has('update') ? 'contradicts' : 'silent';
}
