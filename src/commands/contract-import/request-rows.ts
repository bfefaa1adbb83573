import type { ListName } from '../../contract/contract.ts';
import { inputTypes, listFields } from '../../contract/extra-rows.ts';
import { listNames, type WriteName } from '../../contract/operation-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { numberText } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { isWrite } from '../contract-cases/operation-kinds.ts';
import { synonyms } from '../contract-check/check-fields.ts';
import { searchNames } from '../contract-check/check-lists.ts';
import { isPlainName, normalizeName } from '../contract-check/json-shape.ts';
import type { ApiOperation } from './api.ts';
import type { Collector } from './collector.ts';
import type { Match } from './match-operations.ts';

/** A match that is sure or likely. */
export type FoundMatch = Match & Required<Pick<Match, 'api' | 'path'>>;

/** Rows of requests: addresses, credentials, bodies, parameters of lists. Returns the private key's header. */
export function collectRequestRows(
  collector: Collector,
  matches: readonly FoundMatch[],
  prefix: string | undefined,
): string | undefined {
  collectPrefix(collector, matches, prefix);
  for (const { operation, api, path } of matches) {
    collector.set(`${operation}.path`, path, api.place);
    collector.set(`${operation}.method`, api.method, api.place);
  }
  for (const { operation, api } of matches) if (isWrite(operation)) collectBody(collector, operation, api);
  collectListRows(collector, matches);
  return collectCredentials(collector, matches);
}

function collectPrefix({ set, comment }: Collector, matches: readonly FoundMatch[], prefix: string | undefined): void {
  if (prefix === undefined) return;
  const isOpen = matches.some(({ api }) => api.hasOpenBase);
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
  for (const { operation, api } of matches) {
    const isKey = api.credentialHeaders.some((name) => name.toLowerCase() === header?.toLowerCase());
    const names = [...(api.credentialHeaders.some(isBearer) ? ['bearer'] : []), ...(isKey ? ['privateKey'] : [])];
    if (names.length > 0) set(`${operation}.credentials`, names, api.place);
    else comment(`${operation}.credentials: # unsure: the file names none`);
  }
  return header;
}

function isBearer(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

function collectBody({ set, comment }: Collector, operation: WriteName, { body, place }: ApiOperation): void {
  const names: Readonly<Record<string, string>> = contractRows[`${operation}.body`].value;
  if (body === undefined || !isRecord(body.sample)) {
    if (Object.keys(names).length > 0) comment(`${operation}.body: # unsure: the file has no body for it`);
    return;
  }
  const { wrapper, fields } = unwrap(body.sample, Object.values(names));
  if (wrapper !== null) set(`${operation}.wrapper`, wrapper, place);
  const properties = Object.keys(fields).filter(isPlainName);
  const wireNames = nameInputs(names, properties);
  const differing = [...wireNames].filter(([field, wire]) => names[field] !== wire);
  if (differing.length > 0) set(`${operation}.body`, { ...names, ...Object.fromEntries(differing) }, place);
  const missing = Object.keys(names).filter((field) => !wireNames.has(field));
  if (missing.length > 0) comment(`${operation}.body: # unsure: no property looks like ${missing.join(', ')}`);

  const isRequired = (wire: string): boolean => body.required.includes(wire) && wrapper === null;
  const required = [...wireNames].filter(([, wire]) => isRequired(wire)).map(([field]) => field);
  if (required.length > 0) set(`${operation}.required`, required, place);
  const unknown = properties.filter((wire) => ![...wireNames.values()].includes(wire));
  const constants = unknown.filter((wire) => isRequired(wire) && Object.hasOwn(body.constants, wire));
  if (constants.length > 0)
    set(`${operation}.constants`, Object.fromEntries(constants.map((wire) => [wire, body.constants[wire]])), place);
  for (const wire of unknown.filter((name) => !constants.includes(name))) {
    const rest = isRequired(wire) ? ', required: true' : '';
    comment(
      `extra.${inputTypes[operation]}.${toCamelCase(wire)}: { type: ${typeOf(fields[wire])}, wire: ${wire}${rest} }`,
    );
  }
  const amount = wireNames.get('amount');
  if (operation === 'createCustomerOneTimeAccount' && amount !== undefined && numberText(fields[amount]) !== undefined)
    set('createCustomerOneTimeAccount.amountAs', 'number', place);
}

/** The fields of a body, which may stand inside the only object at its top. */
function unwrap(sample: Readonly<Record<string, unknown>>, wireNames: readonly string[]) {
  const [[name, inner] = ['', undefined], ...others] = Object.entries(sample);
  if (others.length > 0 || wireNames.includes(name) || !isRecord(inner)) return { wrapper: null, fields: sample };
  return { wrapper: name, fields: inner };
}

/** The property for each input field: its published name, then the same name otherwise spelt, then a synonym. */
function nameInputs(
  names: Readonly<Record<string, string>>,
  properties: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const take = (field: string, accepts: (property: string) => boolean): void => {
    const used = new Set(found.values());
    const property = properties.find((each) => !used.has(each) && accepts(each));
    if (!found.has(field) && property !== undefined) found.set(field, property);
  };
  for (const [field, wire] of Object.entries(names)) take(field, (property) => property === wire);
  for (const [field, wire] of Object.entries(names))
    take(field, (property) => [field, wire].map(normalizeName).includes(normalizeName(property)));
  for (const field of Object.keys(names))
    take(field, (property) => synonyms[field]?.includes(normalizeName(property)) === true);
  return found;
}

const parameterNames = {
  page: ['page', 'pagenumber', 'pageno', 'currentpage'],
  offset: ['offset', 'skip'],
  cursor: ['cursor', 'after', 'pagetoken', 'nextcursor', 'startingafter'],
  size: ['perpage', 'pagesize', 'limit', 'size', 'count'],
  search: searchNames,
} as const;

/** Page style and parameters of each list: the first list's stand for all, others have rows where they differ. */
function collectListRows(collector: Collector, matches: readonly FoundMatch[]): void {
  const shared = new Map<string, unknown>();
  for (const list of listNames) {
    const api = matches.find(({ operation }) => operation === list)?.api;
    if (api === undefined) continue;
    for (const [property, value] of readListParameters(collector, list, api)) {
      if (!shared.has(property)) {
        shared.set(property, value);
        collector.set(`lists.${property}`, value, api.place);
      } else if (shared.get(property) !== value) collector.set(`${list}.${property}`, value, api.place);
    }
  }
}

type ListProperty = 'page' | 'perPage' | 'offset' | 'limit' | 'cursor' | 'firstPage' | 'maxPageSize';

function readListParameters(
  { set, comment }: Collector,
  list: ListName,
  { query, place }: ApiOperation,
): readonly (readonly [ListProperty, unknown])[] {
  const find = (kind: keyof typeof parameterNames) =>
    query.find(({ name }) => (parameterNames[kind] as readonly string[]).includes(normalizeName(name)));
  const style = (['cursor', 'offset', 'page'] as const).find((each) => find(each) !== undefined);
  const type = list === 'listCustomerTransactions' ? query.find(({ name }) => name === 'type') : undefined;
  const search = find('search');
  const [position, size] = [style === undefined ? undefined : find(style), find('size')];
  if (style === undefined) comment(`${list}.pageStyle: # unsure: the file names no parameter of pages`);
  else set(`${list}.pageStyle`, style, place);
  if (search !== undefined && (list === 'listCustomers' || list === 'listSettlementBanks'))
    set(`${list}.search`, search.name, place);
  if (type !== undefined) set('listCustomerTransactions.type', type.name, place);
  for (const other of query.filter((each) => ![position, size, search, type].includes(each)))
    comment(
      `extra.${listFields[list]}.${toCamelCase(other.name)}: { wire: ${other.name}, matches: /${other.name} }  # matches: where a record carries it, or none`,
    );
  if (style === undefined || position === undefined) return [];
  return [
    [style, position.name],
    ...(size === undefined ? [] : ([[style === 'page' ? 'perPage' : 'limit', size.name]] as const)),
    ...(style === 'page' && position.least === 0 ? ([['firstPage', 0]] as const) : []),
    ...(size?.greatest === undefined ? [] : ([['maxPageSize', size.greatest]] as const)),
  ];
}

function typeOf(value: unknown): string {
  if (typeof value === 'boolean') return 'Boolean';
  return Number.isInteger(value) ? 'Int' : 'String';
}

export function toCamelCase(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, letter: string | undefined) =>
    (letter ?? '').toUpperCase(),
  );
}
