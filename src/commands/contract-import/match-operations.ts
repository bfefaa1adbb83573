import type { OperationName } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import type { ApiOperation } from './api.ts';
import { placeIdentifier } from './place-identifier.ts';

/** The place of one of the thirteen operations in the file. */
export interface Match {
  readonly operation: OperationName;
  /** `sure`: path and method say it, and no other operation of the file does. `likely`: see `why`. */
  readonly certainty: 'sure' | 'likely' | 'unsure' | 'missing';
  readonly why: string;
  /** Present where it is sure or likely. */
  readonly api?: ApiOperation;
  /** Below the service's prefix, with `{id}`. */
  readonly path?: string;
  /** The field of the body that holds the identifier, where the path has none. */
  readonly idInBody?: string;
  /** Where the candidates stand that make it unsure. */
  readonly places: readonly string[];
}

type Noun = 'bank' | 'customer' | 'balance' | 'transaction' | 'virtual' | 'oneTime';
type Verb = 'create' | 'update' | 'list' | 'get';

/** Words that name a thing, most special first; matched with case, hyphens and underscores removed. */
const nouns: readonly (readonly [Noun, RegExp])[] = [
  ['oneTime', /onetime|temporaryaccount|dynamicaccount|disposable/],
  ['virtual', /virtual|nuban|staticaccount|dedicatedaccount/],
  ['transaction', /transaction|history|statement/],
  ['balance', /balance/],
  ['bank', /settlement.*(?:bank|account)|(?:bank|account).*settlement/],
  ['customer', /customer|client(?!id)/],
];

const verbs: readonly (readonly [Verb, RegExp])[] = [
  ['update', /^(?:update|edit|modify|change|patch|amend)$/],
  ['create', /^(?:create|store|register|open|generate|new|add|reserve)$/],
  ['list', /^(?:list|all|browse|search|index)$/],
  ['get', /^(?:single|get|fetch|show|find|retrieve|read|view)$/],
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

const names = Object.values(operations).flatMap((each) => Object.values(each));
const operationNames = [...new Set(names)];

/** A text of nothing but these words means its noun alone, unlike "customer groups" and "transaction limits". */
const plainWords =
  /^(?:create|store|register|open|generate|new|add|reserve|update|edit|modify|change|patch|amend|list|all|browse|search|index|single|get|fetch|show|find|retrieve|read|view|one|onetime|temporary|dynamic|disposable|static|dedicated|virtual|nuban|account|settlement|bank|customer|client|merchant|wallet|collection|available|current|balance|transaction|history|statement|detail|record|info|page|an?|the|of|for|by|with|id|e?s)+$/;

function isPlain(text: string): boolean {
  const letters = text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return letters.length <= 100 && plainWords.test(letters);
}

interface Candidate {
  readonly operation: OperationName;
  readonly api: ApiOperation;
  readonly path: string;
  readonly isSure: boolean;
  readonly why: string;
}

/** Finds each of the thirteen operations by path, method and name. What two operations of the file claim is unsure. */
export function matchOperations(apis: readonly ApiOperation[]): {
  readonly matches: readonly Match[];
  readonly prefix: string | undefined;
  readonly unused: readonly ApiOperation[];
} {
  const candidates = apis.flatMap((api) => toCandidate(api) ?? []);
  const prefix = commonPrefix(candidates.filter(isTrusted));
  const matches = operationNames.map((operation) =>
    chooseMatch(
      operation,
      candidates.filter((candidate) => candidate.operation === operation),
      prefix,
    ),
  );
  const used = new Set(matches.map(({ api }) => api));
  return { matches, prefix, unused: apis.filter((api) => !used.has(api)) };
}

function toCandidate(api: ApiOperation): Candidate | undefined {
  const { path, wasLiteral } = nameIdentifiers(api.path);
  const byPath = classifyPath(path, api);
  const byName = classifyName(api);
  const operation = byPath ?? byName;
  if (operation === undefined) return undefined;
  const base = { operation, api, path };
  const address = placeIdentifier(operation, path, api);
  if (address?.idInBody !== undefined || address?.path.includes('?') === true) {
    const where = address.idInBody === undefined ? 'query' : 'body';
    const isTold = byName === operation && isPlain(api.name);
    const why = isTold ? `by its name; its identifier stands in the ${where}` : 'its path says nothing of a record';
    return { ...base, isSure: false, why };
  }
  if (byPath === undefined && !isAlike(operation, path, api))
    return {
      ...base,
      isSure: false,
      why: 'its path says nothing, and its name or its identifier may mean something else',
    };
  if (byPath === undefined) return { ...base, isSure: false, why: 'by its name; its path says nothing' };
  if (byName !== undefined && byName !== byPath)
    return { ...base, isSure: false, why: `its path says ${byPath}, its name ${byName}` };
  if (wasLiteral)
    return { ...base, isSure: false, why: 'by path and method; a literal segment stands for the identifier' };
  return { ...base, isSure: true, why: byName === undefined ? 'by path and method' : 'by path, method and name' };
}

/** Whether a name alone can be trusted: it says nothing else, and the path has an identifier where the operation's has. */
function isAlike(operation: OperationName, path: string, { name }: ApiOperation): boolean {
  const template = contractRows[`${operation}.path`].value;
  const isBelow = template.includes('{id}/');
  const isOne = (text: string): boolean => /\}\/?$/.test(text);
  return isPlain(name) && isOne(path) === isOne(template) && (!isBelow || /customer|client/i.test(path));
}

function isTrusted({ why }: Candidate): boolean {
  return !why.startsWith('its path says');
}

/** A segment with a digit, versions aside, is taken for a literal identifier. */
function nameIdentifiers(path: string): { readonly path: string; readonly wasLiteral: boolean } {
  const isLiteral = (segment: string): boolean => /\d/.test(segment) && !/^v\d+(?:\.\d+)?$|[{}]/.test(segment);
  const segments = path.split('/');
  return {
    path: segments.map((segment) => (isLiteral(segment) ? '{id}' : segment)).join('/'),
    wasLiteral: segments.some(isLiteral),
  };
}

function nounOf(text: string): Noun | undefined {
  const plain = text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return nouns.find(([, words]) => words.test(plain))?.[0];
}

function isBankPath(literals: readonly string[]): boolean {
  return nounOf(literals.slice(-2).join('/')) === 'bank' && literals.slice(-2).every(isPlain);
}

function isParameter(segment: string): boolean {
  return /^\{.*\}$/.test(segment);
}

/** Finds the operation by path and method: `/customers/{}` by GET is one customer, `/customers/{}/balance` its balance. */
function classifyPath(path: string, { method }: ApiOperation): OperationName | undefined {
  const segments = path.split('/').filter((segment) => segment !== '');
  const literals = segments.filter((segment) => !isParameter(segment));
  const last = segments.at(-1) ?? '';
  const nounsOf = literals.map((segment) => (isPlain(segment) ? nounOf(segment) : undefined));
  // The settlement bank may be two segments: /banks/settlement.
  const noun = nounsOf.findLast((each) => each !== undefined) ?? (isBankPath(literals) ? 'bank' : undefined);
  if (noun === undefined) return undefined;
  const root = nounsOf.find((each) => each === 'customer') ?? noun;
  const isBelow = noun !== 'bank' && noun !== 'customer';
  // Something of a record or of a collection that none of the thirteen is, such as /customers/{id}/block.
  const isKnownLast = isParameter(last) || (isPlain(last) && (nounOf(last) !== undefined || noun === 'bank'));
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

/** The operation that a name suggests, if the method agrees. */
function classifyName({ name, method }: ApiOperation): OperationName | undefined {
  const noun = nounOf(name);
  const said = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const verb = verbs.find(([, words]) => said.some((word) => words.test(word)))?.[0];
  if (noun === undefined || verb === undefined) return undefined;
  const isRead = verb === 'list' || verb === 'get';
  if (isRead !== (method === 'GET') || method === 'DELETE') return undefined;
  // "Get customers" is a list as well as one customer: only the path can tell.
  if ((noun === 'bank' || noun === 'customer') && verb === 'get' && /s\s*$/.test(name)) return undefined;
  return operations[noun][verb];
}

function chooseMatch(operation: OperationName, candidates: readonly Candidate[], prefix: string | undefined): Match {
  const places = candidates.map(({ api }) => api.place);
  const sure = candidates.filter(({ isSure }) => isSure);
  const [first, second] = sure.length > 0 ? sure : candidates;
  if (first === undefined) return { operation, certainty: 'missing', why: 'nothing in the file looks like it', places };
  const byDefault = sure.find(({ api }) => api.method === contractRows[`${operation}.method`].value);
  const isSameAddress = sure.every(({ path }) => trim(path) === trim(first.path));
  const chosen = second === undefined ? first : isSameAddress ? byDefault : undefined;
  if (chosen === undefined || !isTrusted(chosen))
    return {
      operation,
      certainty: 'unsure',
      why: second === undefined ? first.why : 'several operations look like it',
      places,
    };
  const address = placeIdentifier(operation, toTemplate(chosen.path.slice(prefix?.length ?? 0)), chosen.api);
  if (address === undefined || !contractRows[`${operation}.path`].schema.safeParse(address.path).success)
    return {
      operation,
      certainty: 'unsure',
      why: 'its path cannot be a row: one identifier, or none for a collection',
      places,
    };
  const isSure = chosen.isSure && second === undefined;
  const why = second === undefined ? chosen.why : `${chosen.why}; of several methods the published one`;
  return { operation, certainty: isSure ? 'sure' : 'likely', why, api: chosen.api, ...address, places };
}

/** The only parameter as `{id}`. */
function toTemplate(path: string): string {
  return path.replace(/\{[^{}]*\}/, '{id}');
}

function trim(path: string): string {
  return toTemplate(path).replace(/\/+$/, '');
}

/** The prefix of all paths, before the first word of a resource; undefined if a path has no such word. */
function commonPrefix(candidates: readonly Candidate[]): string | undefined {
  const heads = candidates.map(({ path }) => {
    const segments = path.split('/');
    return segments.slice(
      0,
      segments.findIndex(
        (segment) => !isParameter(segment) && (nounOf(segment) ?? /settlement|^banks?$/i.exec(segment)),
      ),
    );
  });
  const [first, ...others] = heads;
  if (first === undefined) return undefined;
  const differsAt = first.findIndex(
    (segment, index) => isParameter(segment) || others.some((head) => head[index] !== segment),
  );
  return (differsAt === -1 ? first : first.slice(0, differsAt)).join('/');
}
