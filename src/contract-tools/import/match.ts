import { fieldsInPath } from '../../contract/addressing.ts';
import { isAddressed } from '../../contract/operation-rows.ts';
import type { OperationName } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { namesRecord, placeIdentifier, type Address } from './address.ts';
import type { Endpoint } from './endpoint.ts';
import { isNear, isPlain, isVerb, judgeVerbs, nounOf, targets, type Target } from './words.ts';
import { nearestName } from '../../runtime/nearest-name.ts';

/** Which endpoint of the file one of the thirteen operations is. */
export interface Match {
  readonly operation: OperationName;
  /**
   * `given`: a person said it. `sure`: method, shape and words of the path say it. `likely`: the identifier stands in the
   * query or in the body. `unsure`: there are rivals, and none is used.
   */
  readonly certainty: 'given' | 'sure' | 'likely' | 'unsure' | 'missing';
  readonly why: string;
  /** Candidates as `GET /clients`, best first. */
  readonly rivals: readonly string[];
}

/** A match whose endpoint is used. */
export interface FoundMatch extends Match, Address {
  readonly endpoint: Endpoint;
}

interface Candidate {
  readonly endpoint: Endpoint;
  readonly address: Address | undefined;
  readonly score: number;
  readonly certainty: 'sure' | 'likely' | 'unsure';
  readonly why: string;
}

const maxRivals = 5;

/** Finds the endpoints of the thirteen operations; what a person has settled stands. */
export function matchOperations(
  endpoints: readonly Endpoint[],
  given: ReadonlyMap<OperationName, FoundMatch>,
): readonly (Match | FoundMatch)[] {
  const shared = countSharedSegments(endpoints);
  const names = Object.keys(targets) as OperationName[]; // the table's keys
  const chosen = names.map((operation) => {
    const candidates = endpoints.flatMap((endpoint) => toCandidate(operation, endpoint, shared) ?? []);
    return given.get(operation) ?? choose(operation, candidates);
  });
  return leaveOtherServers(chosen);
}

export function isFound(match: Match | FoundMatch): match is FoundMatch {
  return 'endpoint' in match;
}

export function describeEndpoint({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

function choose(operation: OperationName, all: readonly Candidate[]): Match | FoundMatch {
  const candidates = all.toSorted((one, other) => other.score - one.score);
  const rivals = [...new Set(candidates.map(({ endpoint }) => describeEndpoint(endpoint)))].slice(0, maxRivals);
  const trusted = candidates.filter(({ certainty }) => certainty !== 'unsure');
  const sure = trusted.filter(({ certainty }) => certainty === 'sure');
  const [first, second] = sure.length > 0 ? sure : trusted;
  const leave = (certainty: 'unsure' | 'missing', why: string): Match => ({ operation, certainty, why, rivals });
  if (candidates[0] === undefined) return leave('missing', 'nothing in the file looks like it');
  if (first?.address === undefined) return leave('unsure', candidates[0].why);
  const isElsewhere = second !== undefined && second.address?.path !== first.address.path;
  if (isElsewhere || second?.score === first.score) return leave('unsure', 'several endpoints look like it');
  const { certainty, why, endpoint, address } = first;
  return { operation, certainty, why, rivals: rivals.slice(1), endpoint, ...address };
}

/** Operations at another server than most are left to a person: the gateway calls one. */
function leaveOtherServers(matches: readonly (Match | FoundMatch)[]): readonly (Match | FoundMatch)[] {
  const serverOf = ({ endpoint: { host, bases } }: FoundMatch): string => `${host}${bases[0] ?? ''}`;
  const counts = Map.groupBy(matches.filter(isFound), serverOf);
  const most = [...counts.values()].toSorted((one, other) => other.length - one.length);
  const isTied = most[1] !== undefined && most[0]?.length === most[1].length;
  return matches.map((match) => {
    if (!isFound(match) || match.certainty === 'given' || (!isTied && most[0]?.includes(match) === true)) return match;
    const { operation, rivals, endpoint } = match;
    const why = 'it stands at another server than other operations';
    return { operation, certainty: 'unsure', why, rivals: [describeEndpoint(endpoint), ...rivals] };
  });
}

/** How many first segments all paths have in common: they say nothing of a resource. */
function countSharedSegments(endpoints: readonly Endpoint[]): number {
  const [first, ...others] = new Set(endpoints.map(({ path }) => path));
  const segments = first?.split('/') ?? [];
  const differs = segments.findIndex(
    (segment, index) => nounOf(segment) !== undefined || others.some((path) => path.split('/')[index] !== segment),
  );
  return others.length === 0 ? 0 : Math.max(0, differs);
}

/** The score of an endpoint for an operation: by its method, the shape of its path, and the words of path and names. */
function toCandidate(operation: OperationName, endpoint: Endpoint, shared: number): Candidate | undefined {
  const target = targets[operation];
  const { noun, verb } = target;
  const segments = endpoint.path.split('/').slice(shared);
  const literals = segments.filter((segment) => segment !== '' && !segment.startsWith('{'));
  const isByPath = nounOfPath(literals) === noun;
  const isByName = endpoint.names.some((name) => nounOf(name) === noun);
  const isNearby = [literals.at(-1) ?? '', ...endpoint.names].some((name) => isNear(noun, name));
  const address = placeIdentifier(operation, endpoint);
  // What can be no row is offered only where a field of its body may still be named as the identifier.
  const mayBeNamed = verb === 'create' && isAddressed(operation) && !endpoint.path.includes('{');
  const verbs = judgeVerbs(target, [...endpoint.names, ...literals]);
  const ofMethod = scoreMethod(target, endpoint.method);
  // A POST reads or updates only where a name says so, or on a record.
  const isOtherPost = ofMethod === 1 && verbs !== 'agrees' && (verb !== 'update' || address?.shape !== 'path');
  if (ofMethod === 0 || literals.length === 0 || isOtherPost || (address === undefined && !mayBeNamed))
    return undefined;
  if (!isByPath && (verbs === 'contradicts' || !(isByName || isNearby))) return undefined;
  const isOwn = isPlain(noun, literals) && isRow(operation, address);
  const isOfOne = !isAddressed(operation) && endpoint.query.some(({ name }) => namesRecord(operation, name));
  const doubts = [
    [!isByPath, 'its path names something else'],
    [(address?.shape ?? 'other') === 'other', 'its path has no identifier of a customer or record'],
    [(verb === 'list' || verb === 'get') && endpoint.method === 'POST', 'a POST, which may do more than read'],
    [isOfOne, 'it takes the identifier of one record'],
    [verbs === 'contradicts', 'its name says something else'],
    [!isOwn, 'its path says more'],
  ] as const;
  const [, doubt] = doubts.find(([isSo]) => isSo) ?? [];
  const { shape = 'other' } = address ?? {};
  const ofWords = (isByPath ? 4 : 0) + (isByName ? 2 : 0) + (isOwn ? 2 : 0);
  const ofVerbs = { agrees: 1, silent: 0, contradicts: -4 }[verbs];
  const score = ofMethod + { path: 3, query: 2, body: 2, other: 0 }[shape] + ofWords + ofVerbs;
  const why = shape === 'path' ? 'by path and method' : `by path and method; its identifier stands in the ${shape}`;
  const certainty = doubt !== undefined ? 'unsure' : shape === 'path' ? 'sure' : 'likely';
  return { endpoint, address, score, certainty, why: doubt ?? why };
}

function scoreMethod({ verb }: Target, method: string): number {
  if (verb === 'create') return method === 'POST' ? 3 : 0;
  if (verb === 'update') return { PATCH: 3, PUT: 2, POST: 1 }[method] ?? 0;
  return { GET: 3, POST: 1 }[method] ?? 0;
}

/** The resource of a path: its last segment that is no verb, with the one before where it says too little, as in `/settlement/banks`. */
function nounOfPath(literals: readonly string[]): ReturnType<typeof nounOf> {
  const named = literals.filter((segment) => !isVerb(segment));
  const ofLast = nounOf(named.at(-1) ?? '');
  return ofLast ?? nounOf(named.slice(-2).join(''));
}

/** Whether the contract can have the address as a row. */
function isRow(operation: OperationName, address: Address | undefined): boolean {
  if (address === undefined) return false;
  const { path, idInBody } = address;
  const hasId = path.includes('{id}') || idInBody !== undefined || !isAddressed(operation);
  const isAllowed = contractRows[`${operation}.path`].schema.safeParse(path).success;
  return hasId && isAllowed && fieldsInPath(operation, path).length === 0;
}

/** Reads what a person has settled: `OPERATION=METHOD /path`, once for each operation. Throws an Error with what is allowed. */
export function readMappings(
  texts: readonly string[],
  endpoints: readonly Endpoint[],
): ReadonlyMap<OperationName, FoundMatch> {
  const matches = texts.map((text) => {
    const [, operation = '', method = '', path = ''] = /^\s*(\w+)\s*=\s*([A-Za-z]+)\s+(\/\S*)\s*$/.exec(text) ?? [];
    const fail = (found: string, allowed: string): never => {
      throw new Error(`--map ${text}: found ${found}; allowed: ${allowed}.`);
    };
    if (operation === '') return fail('something else', "OPERATION='METHOD /path', as the file has them");
    if (!isOperation(operation))
      return fail(operation, `an operation such as ${nearestName(operation, Object.keys(targets)).name}`);
    const endpoint = findEndpoint(method.toUpperCase(), path, endpoints);
    if (endpoint === undefined)
      return fail('no such endpoint in the file', `one of the file, such as ${nearest(method, path, endpoints)}`);
    const { path: row, ...place } = withQuery(path, endpoint) ??
      placeIdentifier(operation, endpoint) ?? { path: endpoint.path, shape: 'other' };
    const address = { ...place, path: row };
    const needs = isAddressed(operation) ? 'one identifier, as {id}' : 'no parameter';
    // Which field of a body has the identifier may be left open: a row says it.
    const isOpen = isAddressed(operation) && !row.includes('{') && method.toUpperCase() !== 'GET';
    if (!isRow(operation, address) && !isOpen)
      return fail(
        `a path that ${operation} cannot have`,
        `a path with ${needs}; the identifier of a customer may stand in the query: /path?name={id}`,
      );
    return [operation, { operation, certainty: 'given', why: 'by --map', rivals: [], endpoint, ...address }] as const;
  });
  const twice = matches.find(([operation], index) => matches.findIndex(([other]) => other === operation) !== index);
  if (twice !== undefined) throw new Error(`--map ${twice[0]}: found it twice; allowed: once for each operation.`);
  return new Map(matches);
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(targets, name);
}

/** A path as it is compared: below its server, whatever its parameters are called. */
function comparable(path: string): string {
  return path
    .replace(/\?.*$/s, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replace(/\/+$/, '');
}

function findEndpoint(method: string, path: string, endpoints: readonly Endpoint[]): Endpoint | undefined {
  const wanted = comparable(path);
  return endpoints.find((endpoint) => {
    const spellings = ['', ...endpoint.bases].map((base) => comparable(base + endpoint.path));
    return endpoint.method === method && spellings.includes(wanted);
  });
}

/** The address by a query that the person wrote, such as `?customer={id}`. */
function withQuery(path: string, { path: template }: Endpoint): Address | undefined {
  const [, query] = /\?(.+)$/s.exec(path) ?? [];
  return query === undefined ? undefined : { path: `${template}?${query.replace(/\{\w*\}/, '{id}')}`, shape: 'query' };
}

function nearest(method: string, path: string, endpoints: readonly Endpoint[]): string {
  return nearestName(`${method.toUpperCase()} ${path}`.slice(0, 100), endpoints.slice(0, 500).map(describeEndpoint))
    .name;
}
