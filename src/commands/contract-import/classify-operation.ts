import type { OperationName } from '../../contract/contract.ts';
import type { ApiOperation } from './api.ts';

type Noun = 'bank' | 'customer' | 'balance' | 'transaction' | 'virtual' | 'oneTime';
type Verb = 'create' | 'update' | 'list' | 'get';

/** Words that name a resource, most special first; matched with case, hyphens and underscores removed. */
const nouns: readonly (readonly [Noun, RegExp])[] = [
  ['oneTime', /onetime|temporaryaccount|dynamicaccount|disposable/],
  ['virtual', /virtual|nuban|staticaccount|dedicatedaccount/],
  ['transaction', /transaction|history|statement/],
  ['balance', /balance/],
  ['bank', /settlement.*(?:bank|account)|(?:bank|account).*settlement/],
  ['customer', /customer|client(?!id)/],
];

const verbs: readonly (readonly [Verb, readonly string[]])[] = [
  ['update', ['update', 'edit', 'modify', 'change', 'patch', 'amend']],
  ['create', ['create', 'store', 'register', 'open', 'generate', 'new', 'add', 'reserve']],
  ['list', ['list', 'all', 'browse', 'search', 'index']],
  ['get', ['single', 'get', 'fetch', 'show', 'find', 'retrieve', 'read', 'view']],
];

const operations: Readonly<Record<Noun, Partial<Record<Verb, OperationName>>>> = {
  bank: {
    create: 'storeSettlementBank',
    update: 'updateSettlementBank',
    list: 'listSettlementBanks',
    get: 'getSettlementBank',
  },
  customer: { create: 'createCustomer', update: 'updateCustomer', list: 'listCustomers', get: 'getCustomer' },
  balance: { list: 'getCustomerBalance', get: 'getCustomerBalance' },
  transaction: { list: 'listCustomerTransactions', get: 'listCustomerTransactions' },
  virtual: {
    create: 'createCustomerVirtualAccount',
    list: 'listCustomerVirtualAccounts',
    get: 'listCustomerVirtualAccounts',
  },
  oneTime: { create: 'createCustomerOneTimeAccount' },
};

/** The operations in the order of an import's report. */
export const reportedOperations = [...new Set(Object.values(operations).flatMap((each) => Object.values(each)))];

/** A text of nothing but these words means its noun alone, unlike "customer groups" and "transaction limits". */
const plainWords = new RegExp(
  `^(?:${verbs.flatMap(([, words]) => words).join('|')}|one|onetime|temporary|dynamic|disposable|static|dedicated|virtual|nuban|account|settlement|bank|customer|client|merchant|wallet|collection|available|current|balance|transaction|history|statement|detail|record|info|page|an?|the|of|for|by|with|id|e?s)+$`,
);

function isPlain(text: string): boolean {
  const letters = text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return letters.length <= 100 && plainWords.test(letters);
}

export function nounOf(text: string): Noun | undefined {
  const plain = text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return nouns.find(([, words]) => words.test(plain))?.[0];
}

function isBankPath(literals: readonly string[]): boolean {
  return nounOf(literals.slice(-2).join('/')) === 'bank' && literals.slice(-2).every(isPlain);
}

export function isParameter(segment: string): boolean {
  return /^\{.*\}$/.test(segment);
}

/** Finds the operation by path and method: `/customers/{}` by GET is one customer, `/customers/{}/balance` its balance. */
export function classifyPath(path: string, { method }: ApiOperation): OperationName | undefined {
  const segments = path.split('/').filter((segment) => segment !== '');
  const literals = segments.filter((segment) => !isParameter(segment));
  const last = segments.at(-1) ?? '';
  const nounsOf = literals.map((segment) => (isPlain(segment) ? nounOf(segment) : undefined));
  // The settlement bank may be two segments: /banks/settlement.
  const noun = nounsOf.findLast((each) => each !== undefined) ?? (isBankPath(literals) ? 'bank' : undefined);
  if (noun === undefined) return undefined;
  const root = nounsOf.find((each) => each === 'customer') ?? noun;
  const isBelow = noun !== 'bank' && noun !== 'customer';
  // Another last segment belongs to none of the thirteen operations, such as /customers/{id}/block.
  const isOfBank = noun === 'bank' && verbIn(last) === undefined;
  const isKnownLast = isParameter(last) || (isPlain(last) && (nounOf(last) !== undefined || isOfBank));
  const first = segments.findIndex(isParameter);
  if (first !== -1 && !segments.slice(first + 1).every((segment) => isParameter(segment) || isPlain(segment)))
    return undefined;
  const parameters = segments.filter(isParameter).length;
  if (!isKnownLast || (isBelow && (root !== 'customer' || parameters !== 1 || isParameter(last)))) return undefined;
  const isOne = isParameter(last);
  if (!isBelow && parameters !== (isOne ? 1 : 0)) return undefined;
  const verb = verbOf(method, isOne);
  return verb === undefined ? undefined : operations[noun][verb];
}

function verbOf(method: string, isOne: boolean): Verb | undefined {
  if (method === 'GET') return isOne ? 'get' : 'list';
  if (method === 'POST') return isOne ? 'update' : 'create';
  return method === 'PUT' || method === 'PATCH' ? 'update' : undefined;
}

/** Words of other operations: a title that says one of them is no evidence for any of the thirteen. */
const otherVerbs =
  /^(?:validate|verify|test|preview|simulate|import|bulk|batch|export|count|delete|remove|block|unblock|suspend|activate|deactivate)$/;

export type NameEvidence = ReturnType<typeof classifyNames>;

/** The operations that its names say it is, each name judged alone, whatever the method. */
export function classifyNames({ names, method }: ApiOperation) {
  const claims = names.map((name) => ({ name, operation: classifyName(name, method) }));
  const otherVerb = names.flatMap(wordsOf).find((word) => otherVerbs.test(word));
  return {
    /** At most one, unless two names differ. */
    operations: [...new Set(claims.flatMap(({ operation }) => operation ?? []))],
    /** A name holds only the words of its operation. */
    isPlain: otherVerb === undefined && claims.some(({ name, operation }) => operation !== undefined && isPlain(name)),
    /** A verb of none of the thirteen operations. */
    otherVerb,
    /** A name says what the operation is about, and not what it does. */
    isVague: claims.some(
      ({ name, operation }) => operation === undefined && nounOf(name) !== undefined && !isPlain(name),
    ),
  };
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

function verbIn(name: string): Verb | undefined {
  const words = wordsOf(name);
  return verbs.find(([, usual]) => words.some((word) => usual.includes(word)))?.[0];
}

function classifyName(name: string, method: string): OperationName | undefined {
  const noun = nounOf(name);
  // Below a customer each resource has one read: "Customer transactions" needs no verb.
  const isRead = method === 'GET' && noun !== 'bank' && noun !== 'customer' && isPlain(name);
  const verb = verbIn(name) ?? (isRead ? 'list' : undefined);
  if (noun === undefined || verb === undefined) return undefined;
  // "Get customers" is a list as well as one customer: only the path decides.
  const isPlural = /s\s*$/.test(name) && !/\bsingle\b/i.test(name);
  if ((noun === 'bank' || noun === 'customer') && verb === 'get' && isPlural) return undefined;
  return operations[noun][verb];
}
