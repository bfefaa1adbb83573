import { fieldsInPath } from '../../contract/addressing.ts';
import { isAddressed } from '../../contract/operation-rows.ts';
import type { OperationName } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { isPlainName, normalizeName } from '../contract-check/json-shape.ts';
import { membersOf, type ApiOperation } from './api.ts';
import {
  classifyNames,
  classifyPath,
  isParameter,
  nounOf,
  reportedOperations,
  type NameEvidence,
} from './classify-operation.ts';

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
  /** JSON pointers of the candidates in the file. */
  readonly places: readonly string[];
}

/** A match that is sure or likely. */
export type FoundMatch = Match & Required<Pick<Match, 'api' | 'path'>>;

interface Candidate {
  readonly operation: OperationName;
  readonly api: ApiOperation;
  readonly path: string;
  readonly certainty: 'sure' | 'likely' | 'unsure';
  readonly why: string;
}

/** Finds each of the thirteen operations by path, method and name. What two operations of the file claim is unsure. */
export function matchOperations(apis: readonly ApiOperation[], server: string | undefined) {
  const allCandidates = apis.flatMap(toCandidates);
  const host = commonHost(allCandidates.filter(isTrusted), server);
  const candidates = allCandidates.map((each): Candidate =>
    !isTrusted(each) || each.api.host === host
      ? each
      : { ...each, certainty: 'unsure', why: 'it stands at another host than other operations' },
  );
  const prefix = commonPrefix(candidates.filter(isTrusted));
  const matches = reportedOperations.map((operation) => {
    const ofOperation = candidates.filter((candidate) => candidate.operation === operation);
    return chooseMatch(operation, ofOperation, prefix);
  });
  const usedApis = new Set(matches.map(({ api }) => api));
  const unused = apis.filter((api) => !usedApis.has(api));
  /** `host` is that of the operations that were found. */
  return { matches, prefix, host, unused };
}

/** The host of most operations; of equally many the document's server, or none. */
function commonHost(candidates: readonly Candidate[], server: string | undefined): string | undefined {
  const hosts = Map.groupBy(candidates, ({ api }) => api.host);
  const count = (host: string): number => new Set(hosts.get(host)?.map(({ operation }) => operation)).size;
  const [first, second] = [...hosts.keys()].toSorted((one, other) => count(other) - count(one));
  if (first === undefined || second === undefined || count(first) > count(second)) return first;
  return server !== undefined && hosts.has(server) ? server : undefined;
}

/** The operations that path and names claim: one, or several where they differ, each unsure. */
function toCandidates(api: ApiOperation): readonly Candidate[] {
  const { path, wasLiteral } = nameIdentifiers(api.path);
  const names = classifyNames(api);
  const byPath = hasAddress(path) ? classifyPath(path, api) : undefined;
  const claims = [...new Set([byPath, ...names.operations])].filter((operation) => operation !== undefined);
  return claims.map((operation) => {
    const toCandidate = (certainty: Candidate['certainty'], why: string) => ({ operation, api, path, certainty, why });
    const address = placeIdentifier(operation, path, api);
    const isElsewhere = address?.idInBody !== undefined || address?.path.includes('?') === true;
    const doubt =
      claims.length > 1
        ? `path and names say ${claims.join(' and ')}`
        : findDoubt({ operation, path, api }, names, byPath !== undefined, isElsewhere);
    if (doubt !== undefined) return toCandidate('unsure', doubt);
    const place = address?.idInBody === undefined ? 'query' : 'body';
    if (isElsewhere) return toCandidate('likely', `by its name; its identifier stands in the ${place}`);
    if (byPath === undefined) return toCandidate('likely', 'by its name; its path says nothing');
    if (wasLiteral) return toCandidate('likely', 'by path and method; a literal segment stands for the identifier');
    const isNamed = names.operations.length > 0;
    if (names.isVague && !isNamed) return toCandidate('likely', 'by path and method; its name says more');
    return toCandidate('sure', `by path${isNamed ? ', method and name' : ' and method'}`);
  });
}

function findDoubt(
  { operation, path, api }: Pick<Candidate, 'operation' | 'path' | 'api'>,
  names: NameEvidence,
  isByPath: boolean,
  isElsewhere: boolean,
): string | undefined {
  if (!hasAddress(path)) return 'named, without an address';
  if (names.otherVerb !== undefined) return `its name says ${names.otherVerb}`;
  if (isElsewhere) {
    const isNamed = names.operations.includes(operation) && names.isPlain && hasUsualMethod(operation, api);
    return isNamed ? undefined : 'its path says nothing of a record';
  }
  if (isByPath) return undefined;
  if (!hasUsualMethod(operation, api)) return `its name says it, its method ${api.method} does not`;
  if (names.isPlain && isAlike(operation, path)) return undefined;
  return 'its path says nothing, and its name or its identifier may mean something else';
}

function hasUsualMethod(operation: OperationName, { method }: ApiOperation): boolean {
  return method !== 'DELETE' && (contractRows[`${operation}.method`].value === 'GET') === (method === 'GET');
}

/** Whether anything of a path but versions and parameters says where it leads. */
function hasAddress(path: string): boolean {
  return path.split('/').some((segment) => !isParameter(segment) && !/^(?:api|rest|v\d+(?:\.\d+)?)?$/i.test(segment));
}

/** Whether a path without a known word may be the operation's: it has an identifier where the default path has one. */
function isAlike(operation: OperationName, path: string): boolean {
  const template = contractRows[`${operation}.path`].value;
  const isBelow = template.includes('{id}/');
  const isOne = (text: string): boolean => /\}(?:\/(?:update|edit|get|view))?\/?$/i.test(text);
  const isSearch = /\/(?:search|find)\/?$/i.test(path);
  return !isSearch && isOne(path) === isOne(template) && (!isBelow || /customer|client/i.test(path));
}

function isTrusted({ certainty }: Candidate): boolean {
  return certainty !== 'unsure';
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

function chooseMatch(operation: OperationName, candidates: readonly Candidate[], prefix: string | undefined): Match {
  const places = candidates.map(({ api }) => api.place);
  const leave = (why: string): Match => ({ operation, certainty: 'unsure', why, places });
  const sure = candidates.filter(({ certainty }) => certainty === 'sure');
  const [first, second] = sure.length > 0 ? sure : candidates;
  if (first === undefined) return { ...leave('nothing in the file looks like it'), certainty: 'missing' };
  const byDefault = sure.find(({ api }) => api.method === contractRows[`${operation}.method`].value);
  const isSameAddress = sure.every(({ path }) => trim(path) === trim(first.path));
  const chosen = second === undefined ? first : isSameAddress ? byDefault : undefined;
  if (chosen === undefined || !isTrusted(chosen))
    return leave(second === undefined ? first.why : 'several operations look like it');
  const address = placeIdentifier(operation, toTemplate(chosen.path.slice(prefix?.length ?? 0)), chosen.api);
  const isRow =
    address !== undefined &&
    contractRows[`${operation}.path`].schema.safeParse(address.path).success &&
    fieldsInPath(operation, address.path).length === 0;
  if (!isRow) return leave('its path cannot be a row: one identifier, or none for a collection');
  const isSure = sure.length > 0 && second === undefined;
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
    const isOfResource = (segment: string): boolean =>
      nounOf(segment) !== undefined || /settlement|^banks?$/i.test(segment);
    const resource = segments.findIndex((segment) => !isParameter(segment) && isOfResource(segment));
    if (resource !== -1) return segments.slice(0, resource);
    // Without such a word, the last segment before a parameter names the resource.
    const parameter = segments.findIndex(isParameter);
    const names = parameter === -1 ? segments : segments.slice(0, parameter);
    return names.slice(
      0,
      names.findLastIndex((segment) => segment !== ''),
    );
  });
  const [first, ...others] = heads;
  if (first === undefined) return undefined;
  const differsAt = first.findIndex(
    (segment, index) => isParameter(segment) || others.some((head) => head[index] !== segment),
  );
  return (differsAt === -1 ? first : first.slice(0, differsAt)).join('/');
}

const ofCustomer = /^(?:customer|client)(?:id|code|uuid|reference|ref)?$/;
const ofBank = /^(?:settlement)?(?:bank|account)(?:id|code|uuid)$/;

/**
 * The address of an operation: its path, with the parameter in braces in a segment or in the query. Where the path of an
 * operation on a record has no parameter, the identifier is a query parameter or a field of the body with the name of one;
 * undefined where there is none, or more than one.
 */
function placeIdentifier(
  operation: OperationName,
  path: string,
  api: ApiOperation,
): Pick<FoundMatch, 'path' | 'idInBody'> | undefined {
  if (!isAddressed(operation) || path.includes('{')) return { path };
  const isOfBank = operation.endsWith('Bank');
  const names = isOfBank ? ofBank : ofCustomer;
  // A record's own `id`, or `code`; below a customer that could be another record's.
  const isOwn = operation === 'getCustomer' || operation === 'updateCustomer' || isOfBank;
  const isIdentifier = (name: string): boolean =>
    isPlainName(name) && (names.test(normalizeName(name)) || (isOwn && normalizeName(name) === 'id'));
  // A body may hold the code of a bank beside the id of the record.
  const preferId = (found: readonly string[]): readonly string[] => {
    const ids = found.filter((name) => /id$/i.test(name));
    return ids.length === 1 ? ids : found;
  };
  const inQuery = preferId(api.query.map(({ name }) => name).filter(isIdentifier));
  const fields = Object.entries(membersOf(api.body?.sample)).flatMap(([name, value]) =>
    typeof value === 'object' ? [] : name,
  );
  const inBody = api.method === 'GET' ? [] : preferId(fields.filter(isIdentifier));
  const [name = ''] = [...inQuery, ...inBody];
  if (inQuery.length + inBody.length !== 1) return undefined;
  return inBody.length === 1 ? { path, idInBody: name } : { path: `${path}?${name}={id}` };
}
