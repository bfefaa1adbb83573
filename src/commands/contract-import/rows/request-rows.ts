import { isAddressed } from '../../../contract/addressing.ts';
import type { ListName } from '../../../contract/contract.ts';
import { listNames } from '../../../contract/operation-rows.ts';
import { isList } from '../../contract-cases/operation-kinds.ts';
import { normalizeName } from '../../contract-check/json-shape.ts';
import type { ApiOperation } from '../api.ts';
import type { Collector } from '../collector.ts';
import type { FoundMatch } from '../match-operations.ts';
import { collectBodies } from './body-rows.ts';

/** Rows of requests: addresses, credentials, bodies, parameters of lists. Returns the private key's header. */
export function collectRequestRows(
  collector: Collector,
  matches: readonly FoundMatch[],
  prefix: string | undefined,
): string | undefined {
  collectPrefix(collector, matches, prefix);
  collectMediaType(collector, matches);
  for (const { operation, api, path, idInBody } of matches) {
    collector.set(`${operation}.path`, path, api.place);
    collector.set(`${operation}.method`, api.method, api.place);
    if (idInBody !== undefined && isAddressed(operation)) collector.set(`${operation}.idInBody`, idInBody, api.place);
  }
  collectBodies(collector, matches);
  for (const { operation, api, path } of matches)
    if (!isList(operation) && api.query.some(({ name, isRequired }) => isRequired && !isInQuery(path, name)))
      collector.note(api.place, 'requires a parameter that the gateway does not send');
  collectListRows(collector, matches);
  return collectCredentials(collector, matches);
}

function collectMediaType({ set, comment }: Collector, matches: readonly FoundMatch[]): void {
  const [type, ...others] = new Set(matches.flatMap(({ api }) => api.body?.mediaType ?? []));
  if (others.length > 0) comment('service.contentType: # unsure: bodies have several media types of JSON');
  else if (type !== undefined) set('service.contentType', type, '');
}

function collectPrefix({ set, comment }: Collector, matches: readonly FoundMatch[], prefix: string | undefined): void {
  if (prefix === undefined) return;
  const [{ bases: [base, ...others] } = { bases: [] }] = matches.map(({ api }) => api);
  const isOpen = matches.some(({ api }) => api.bases.length === 0);
  if (base !== undefined && others.length > 0 && prefix.startsWith(base))
    return comment(
      `service.prefix: # unsure: servers of the file have other paths: ${[base, ...others].map((each) => `${each}${prefix.slice(base.length)}` || "''").join(' or ')}`,
    );
  if (prefix !== '' || !isOpen) return set('service.prefix', prefix, '');
  comment(
    'service.prefix: # unsure: the file leaves its base address open, and nothing stands before the paths; UPSTREAM_URL and this row together are that base',
  );
}

/** Authorization is the bearer token; the one other header is the private key. */
function collectCredentials({ set, comment }: Collector, matches: readonly FoundMatch[]): string | undefined {
  const others = matches.flatMap(({ api }) =>
    api.credentialHeaders.filter((name) => !isBearer(name) && /^[\w-]{1,100}$/.test(name)),
  );
  const spelt = [...new Map(others.map((name) => [name.toLowerCase(), name])).values()];
  const named = spelt.filter((name) => normalizeName(name).includes('privatekey'));
  const [header, second] = named.length > 0 ? named : spelt;
  if (second !== undefined) {
    comment(
      `credentials: # unsure: several headers carry credentials (${spelt.join(', ')}), the gateway has one private key`,
    );
    return undefined;
  }
  const open: string[] = [];
  for (const { operation, api } of matches) {
    const isKey = api.credentialHeaders.some((name) => name.toLowerCase() === header?.toLowerCase());
    const names = [...(api.credentialHeaders.some(isBearer) ? ['bearer'] : []), ...(isKey ? ['privateKey'] : [])];
    if (names.length > 0) set(`${operation}.credentials`, names, api.place);
    else open.push(`${operation}.credentials`);
  }
  const [first, ...further] = open;
  if (first !== undefined)
    comment(
      `${first}: # unsure: the file names none that the gateway can send${further.length === 0 ? '' : `, nor for ${further.join(', ')}`}`,
    );
  return header;
}

function isBearer(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

export function isInQuery(path: string, name: string): boolean {
  return path.endsWith(`?${name}={id}`);
}

const parameterNames = {
  page: ['page', 'pagenumber', 'pageno', 'currentpage'],
  offset: ['offset', 'skip'],
  cursor: ['cursor', 'after', 'pagetoken', 'nextcursor', 'startingafter'],
  size: ['perpage', 'pagesize', 'limit', 'size', 'count'],
} as const;

/** Page style and parameters of each list: the first list's stand for all, others have rows where they differ. */
function collectListRows(collector: Collector, matches: readonly FoundMatch[]): void {
  const shared = new Map<string, unknown>();
  for (const list of listNames) {
    const match = matches.find(({ operation }) => operation === list);
    if (match === undefined) continue;
    const { api } = match;
    for (const [property, value] of readListParameters(collector, list, api)) {
      if (!shared.has(property)) {
        shared.set(property, value);
        collector.set(`lists.${property}`, value, api.place);
      } else if (shared.get(property) !== value) collector.set(`${list}.${property}`, value, api.place);
    }
  }
}

type ListProperty = 'page' | 'perPage' | 'offset' | 'limit' | 'cursor' | 'firstPage' | 'maxPageSize';

/** The page style that parameters say, with those of the position and of the page's size. */
export function pageParametersOf({ query }: Pick<ApiOperation, 'query'>) {
  const find = (kind: keyof typeof parameterNames) =>
    query.find(({ name }) => (parameterNames[kind] as readonly string[]).includes(normalizeName(name)));
  const style = (['cursor', 'offset', 'page'] as const).find((each) => find(each) !== undefined);
  return { style, position: style === undefined ? undefined : find(style), size: find('size') };
}

function readListParameters(
  { set, comment }: Collector,
  list: ListName,
  api: ApiOperation,
): readonly (readonly [ListProperty, unknown])[] {
  const { style, position, size } = pageParametersOf(api);
  if (style === undefined) comment(`${list}.pageStyle: # unsure: the file names no parameter of pages`);
  else set(`${list}.pageStyle`, style, api.place);
  if (style === undefined || position === undefined) return [];
  return [
    [style, position.name],
    ...(size === undefined ? [] : ([[style === 'page' ? 'perPage' : 'limit', size.name]] as const)),
    ...(style === 'page' && position.isFromZero === true ? ([['firstPage', 0]] as const) : []),
    ...(size?.greatest === undefined ? [] : ([['maxPageSize', size.greatest]] as const)),
  ];
}
