import type { ListName } from '../../contract/contract.ts';
import { inputTypes, listFields } from '../../contract/extra-rows.ts';
import { listNames, type WriteName } from '../../contract/operation-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { numberText } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { isAddressed } from '../../contract/addressing.ts';
import { isList, isWrite } from '../contract-cases/operation-kinds.ts';
import { synonyms } from '../contract-check/check-fields.ts';
import { searchNames } from '../contract-check/check-lists.ts';
import { isPlainName, normalizeName } from '../contract-check/json-shape.ts';
import { openText, type ApiOperation } from './api.ts';
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
  collectMediaType(collector, matches);
  for (const { operation, api, path, idInBody } of matches) {
    collector.set(`${operation}.path`, path, api.place);
    collector.set(`${operation}.method`, api.method, api.place);
    if (idInBody !== undefined && isAddressed(operation)) collector.set(`${operation}.idInBody`, idInBody, api.place);
  }
  for (const match of matches) if (isWrite(match.operation)) collectBody(collector, match.operation, match);
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

function isInQuery(path: string, name: string): boolean {
  return path.endsWith(`?${name}={id}`);
}

function collectBody(collector: Collector, operation: WriteName, { api, idInBody }: FoundMatch): void {
  const { set, comment } = collector;
  const { place } = api;
  const body = withoutField(api.body, idInBody);
  const names: Readonly<Record<string, string>> = contractRows[`${operation}.body`].value;
  if (body === undefined || !isRecord(body.sample)) {
    if (Object.keys(names).length > 0) comment(`${operation}.body: # unsure: the file has no body for it`);
    return;
  }
  const kind = operation.endsWith('Customer') ? 'customer' : '';
  const nameFields = (fields: Json): ReadonlyMap<string, string> =>
    nameInputs(names, Object.keys(fields).filter(isPlainName), kind);
  const { wrapper, fields, beside } = unwrap(
    body.sample,
    (each) => nameFields(each).size,
    Object.keys(names).length > 0,
  );
  if (wrapper !== null) set(`${operation}.wrapper`, wrapper, place);
  if (beside.length > 0)
    comment(`${operation}.constants: # unsure: { ${beside.map((at) => `${at}: …`).join(', ')} } beside its fields`);
  const properties = Object.keys(fields).filter(isPlainName);
  const wireNames = nameFields(fields);
  const differing = [...wireNames].filter(([field, wire]) => names[field] !== wire);
  if (differing.length > 0) set(`${operation}.body`, { ...names, ...Object.fromEntries(differing) }, place);
  const missing = Object.keys(names).filter((field) => !wireNames.has(field));
  if (missing.length > 0) comment(`${operation}.body: # unsure: no property looks like ${missing.join(', ')}`);

  const isRequired = (wire: string): boolean => body.required.includes(wire);
  const required = [...wireNames].filter(([, wire]) => isRequired(wire)).map(([field]) => field);
  if (required.length > 0) set(`${operation}.required`, required, place);
  const unknown = properties.filter((wire) => ![...wireNames.values()].includes(wire));
  const constants = unknown.filter((wire) => isRequired(wire) && Object.hasOwn(body.constants, wire));
  if (constants.length > 0)
    set(`${operation}.constants`, Object.fromEntries(constants.map((wire) => [wire, body.constants[wire]])), place);
  for (const wire of unknown.filter((name) => !constants.includes(name))) {
    if (typeof fields[wire] === 'object' && fields[wire] !== null) {
      collector.note(place, `no row can say its input ${wire}: an object or a list`);
      continue;
    }
    const rest = isRequired(wire) ? ', required: true' : '';
    comment(
      `extra.${inputTypes[operation]}.${toCamelCase(wire)}: { type: ${typeOf(fields[wire])}, wire: ${wire}${rest} }${doubtOf(fields[wire])}`,
    );
  }
  const amount = operation === 'createCustomerOneTimeAccount' ? fields[wireNames.get('amount') ?? ''] : undefined;
  if (numberText(amount) !== undefined) set('createCustomerOneTimeAccount.amountAs', 'number', place);
  if (amount === openText)
    comment(
      'createCustomerOneTimeAccount.amountAs: # unsure: number, perhaps: a variable without quotes stands for it',
    );
}

/** A body without the field that is its identifier. */
function withoutField(body: ApiOperation['body'], field: string | undefined): ApiOperation['body'] {
  if (field === undefined || body === undefined || !isRecord(body.sample)) return body;
  const { [field]: _, ...sample } = body.sample;
  return { ...body, sample };
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The fields of a body, which may stand inside objects that are the only ones at their level: at the level with the most
 * of its names. A wrapper below another is a pointer; `beside` are pointers to what stands next to them.
 */
function unwrap(sample: Json, countNames: (fields: Json) => number, mayBeUnnamed: boolean) {
  let best: { wrapper: string | null; fields: Json; beside: readonly string[] } = {
    wrapper: null,
    fields: sample,
    beside: [],
  };
  let [at, level] = ['', sample];
  const beside: string[] = [];
  for (let depth = 0; depth < maxWrappers; depth += 1) {
    const [[name, inner] = ['', undefined], ...others] = Object.entries(level).filter(([, value]) => isRecord(value));
    if (others.length > 0 || !isPlainName(name) || !isRecord(inner)) break;
    const scalars = Object.keys(level).filter((key) => key !== name && isPlainName(key));
    beside.push(...scalars.map((key) => `${at}/${key}`));
    at = `${at}/${name}`;
    level = inner;
    const isOnly = beside.length === 0 && best.wrapper === null && best.fields === sample;
    if (countNames(inner) > countNames(best.fields) || (isOnly && mayBeUnnamed && countNames(sample) === 0))
      best = { wrapper: depth === 0 ? name : at, fields: inner, beside: [...beside] };
  }
  return best;
}

const maxWrappers = 4;

/** The property for each input field: its published name, then the same name otherwise spelt, then a synonym. */
function nameInputs(
  names: Readonly<Record<string, string>>,
  properties: readonly string[],
  kind: string,
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
    take(field, (property) => normalizeName(property) === normalizeName(kind + field));
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
    const match = matches.find(({ operation }) => operation === list);
    if (match === undefined) continue;
    const { api, path } = match;
    const query = api.query.filter(({ name }) => !isInQuery(path, name));
    for (const [property, value] of readListParameters(collector, list, { ...api, query })) {
      if (!shared.has(property)) {
        shared.set(property, value);
        collector.set(`lists.${property}`, value, api.place);
      } else if (shared.get(property) !== value) collector.set(`${list}.${property}`, value, api.place);
    }
  }
}

type ListProperty = 'page' | 'perPage' | 'offset' | 'limit' | 'cursor' | 'firstPage' | 'maxPageSize';

function readListParameters(
  { set, comment, note }: Collector,
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
  for (const other of query.filter((each) => ![position, size, search, type].includes(each))) {
    if (other.isRequired) note(place, 'requires a parameter that the gateway does not send');
    comment(
      `extra.${listFields[list]}.${toCamelCase(other.name)}: { wire: ${isPlainName(other.name) ? other.name : JSON.stringify(other.name)}, matches: none }  # or the pointer of a field that each record then shows, such as /status`,
    );
  }
  if (style === undefined || position === undefined) return [];
  return [
    [style, position.name],
    ...(size === undefined ? [] : ([[style === 'page' ? 'perPage' : 'limit', size.name]] as const)),
    ...(style === 'page' && position.least === 0 ? ([['firstPage', 0]] as const) : []),
    ...(size?.greatest === undefined ? [] : ([['maxPageSize', size.greatest]] as const)),
  ];
}

/** Added to an `extra` row whose type is a guess. */
export function doubtOf(value: unknown): string {
  return (value ?? null) === null ? '  # unsure: the file shows no value of it' : '';
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
