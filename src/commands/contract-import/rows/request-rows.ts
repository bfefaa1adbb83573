import { parameterNames, reservedNames } from '../../../contract/addressing.ts';
import { isAddressed } from '../../../contract/operation-rows.ts';
import type { RowId } from '../../../contract/contract.ts';
import { listFields } from '../../../contract/operation-rows.ts';
import { listNames } from '../../../contract/operation-rows.ts';
import { numberText } from '../../../upstream/decoding/exact-json.ts';
import { isList, isWrite, kindsOf } from '../../operation-kinds.ts';
import { hasKey } from '../../contract-check/check-fields.ts';
import { searchNames } from '../../contract-check/check-lists.ts';
import { putHint } from '../../contract-check/check-paths.ts';
import { normalizeName } from '../../contract-check/json-shape.ts';
import { membersOf, openText, type ApiOperation, type ApiParameter } from '../api.ts';
import type { Collector, RecordsByKind } from '../collector.ts';
import { collectBodies } from './body-rows.ts';

/** Rows of requests: addresses, credentials, bodies, parameters of lists. Returns the private key's header. */
export function collectRequestRows(collector: Collector, prefix: string | undefined): string | undefined {
  const { matches, set, comment, note, run } = collector;
  collectPrefix(collector, prefix);
  collectMediaType(collector);
  for (const { operation, api, path, idInBody } of matches) {
    set(`${operation}.path`, path, api.place);
    set(`${operation}.method`, api.method, api.place);
    if (run.corrections.get(`${operation}.method`) === 'PUT') comment(`${operation}.method: # to decide: ${putHint}`);
    if (idInBody !== undefined && isAddressed(operation)) set(`${operation}.idInBody`, idInBody, api.place);
  }
  collectIdentifierForm(collector);
  collectBodies(collector);
  collectKeyHeader(collector);
  for (const { operation, api, path } of matches)
    if (!isList(operation) && api.query.some(({ name, isRequired }) => isRequired === true && !isInQuery(path, name)))
      note(api.place, 'requires a parameter that the gateway does not send');
  collectListRows(collector);
  return collectCredentials(collector);
}

function collectMediaType({ set, comment, matches }: Collector): void {
  const [type, ...others] = new Set(matches.flatMap(({ api }) => api.body?.mediaType ?? []));
  if (others.length > 0) comment('service.contentType: # unsure: bodies have several media types of JSON');
  else if (type !== undefined) set('service.contentType', type);
}

function collectPrefix({ set, comment, matches }: Collector, prefix: string | undefined): void {
  if (prefix === undefined) return;
  const [base = '', ...others] = matches[0]?.api.bases ?? [];
  const isOpen = matches.some(({ api }) => api.bases.length === 0);
  if (others.length > 0 && prefix.startsWith(base)) {
    const prefixes = [base, ...others].map((each) => each + prefix.slice(base.length) || "''");
    return comment(`service.prefix: # unsure: servers of the file have other paths: ${prefixes.join(' or ')}`);
  }
  if (prefix !== '' || !isOpen) return set('service.prefix', prefix);
  comment(
    'service.prefix: # unsure: the file leaves its base address open, and nothing stands before the paths; UPSTREAM_URL and this row together are that base',
  );
}

/** Whether identifiers in bodies are JSON numbers: a service that wants them so may refuse texts. */
function collectIdentifierForm({ set, comment, matches }: Collector): void {
  const sent = matches.flatMap(({ api, idInBody }) =>
    idInBody === undefined ? [] : [membersOf(api.body?.sample)[idInBody]],
  );
  const numbers = sent.flatMap((value) => numberText(value) ?? []);
  if (numbers.length === 0 && !sent.includes(openText)) return;
  const isOpen = numbers.length < sent.length || numbers.some((number) => !/^\d{1,15}$/.test(number));
  if (!isOpen) set('identifiers.inBody', 'number');
  else
    comment(
      'identifiers.inBody: # unsure: number, perhaps: some in the file are texts, variables without quotes, or numbers of more than 15 digits',
    );
}

/** The header in which writes carry a key of their own: a service that requires it refuses them without it. */
function collectKeyHeader({ set, comment, matches }: Collector): void {
  const names = matches.flatMap(({ operation, api }) => (isWrite(operation) ? api.keyHeaders : []));
  const [header, ...others] = new Map(names.map((name) => [name.toLowerCase(), name])).values();
  if (others.length > 0) comment('writes.idempotencyHeader: # unsure: writes of the file have several such headers');
  else if (header !== undefined) set('writes.idempotencyHeader', header);
}

/** Authorization is the bearer token; the one other header is the private key. */
function collectCredentials({ set, comment, matches }: Collector): string | undefined {
  const keys = matches.flatMap(({ api }) =>
    api.credentialHeaders.filter((name) => !isBearer(name) && /^[\w-]{1,100}$/.test(name)),
  );
  const headers = [...new Map(keys.map((name) => [name.toLowerCase(), name])).values()];
  const privateKeyHeaders = headers.filter((name) => normalizeName(name).includes('privatekey'));
  const [header, second] = privateKeyHeaders.length > 0 ? privateKeyHeaders : headers;
  if (second !== undefined) {
    comment(
      `credentials: # unsure: several headers carry credentials (${headers.join(', ')}), the gateway has one private key`,
    );
    return undefined;
  }
  const openRows: string[] = [];
  for (const { operation, api } of matches) {
    const isKey = api.credentialHeaders.some((name) => name.toLowerCase() === header?.toLowerCase());
    const names = [...(api.credentialHeaders.some(isBearer) ? ['bearer'] : []), ...(isKey ? ['privateKey'] : [])];
    if (names.length > 0) set(`${operation}.credentials`, names, api.place);
    else openRows.push(`${operation}.credentials`);
  }
  const [first, ...further] = openRows;
  const others = further.length === 0 ? '' : `, nor for ${further.join(', ')}`;
  if (first !== undefined) comment(`${first}: # unsure: the file names none that the gateway can send${others}`);
  return header;
}

function isBearer(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

function isInQuery(path: string, name: string): boolean {
  return path.endsWith(`?${name}={id}`);
}

const pageNames = {
  page: ['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage'],
  offset: ['offset', 'skip'],
  cursor: ['cursor', 'after', 'pagetoken', 'nextcursor', 'startingafter'],
  size: ['perpage', 'pagesize', 'limit', 'size', 'count'],
} as const;

/** Page style and parameters of each list: the first list's stand for all, others have rows where they differ. */
function collectListRows({ set, comment, matches }: Collector): void {
  const shared = new Map<string, unknown>();
  for (const list of listNames) {
    const match = matches.find(({ operation }) => operation === list);
    if (match === undefined) continue;
    const { place } = match.api;
    const { style, position, size } = pageParametersOf(match.api);
    if (style === undefined) comment(`${list}.pageStyle: # unsure: the file names no parameter of pages`);
    else set(`${list}.pageStyle`, style, place);
    if (style === undefined) continue;
    const properties = {
      [style]: position?.name,
      [style === 'page' ? 'perPage' : 'limit']: size?.name,
      firstPage: style === 'page' && position?.isFromZero === true ? 0 : undefined,
      maxPageSize: size?.greatest,
    };
    for (const [property, value] of Object.entries(properties)) {
      const row = `${shared.has(property) ? list : 'lists'}.${property}` as RowId; // each list has the rows of all lists
      if (value !== undefined && shared.get(property) !== value) set(row, value, place);
      if (value !== undefined && !shared.has(property)) shared.set(property, value);
    }
  }
}

/** The page style that parameters say, with those of the position and of the page's size. */
function pageParametersOf({ query }: Pick<ApiOperation, 'query'>) {
  const find = (kind: keyof typeof pageNames) =>
    query.find(({ name }) => (pageNames[kind] as readonly string[]).includes(normalizeName(name)));
  const style = (['cursor', 'offset', 'page'] as const).find((each) => find(each) !== undefined);
  return { style, position: style === undefined ? undefined : find(style), size: find('size') };
}

const credentialNames =
  /^(?:(?:api|app|access|auth|secret|private|public|merchant|client)?(?:key|token|secret)|signature)$/;

const searches = new Set(searchNames.map(normalizeName));

/** Rows of filters: those that the graph has, and comments on those that it lacks. */
export function collectFilters(collector: Collector, records: RecordsByKind): void {
  for (const list of listNames) {
    const match = collector.matches.find(({ operation }) => operation === list);
    if (match === undefined) continue;
    const { api, path } = match;
    const { position, size } = pageParametersOf(api);
    const filters = api.query.filter((each) => each !== position && each !== size && !isInQuery(path, each.name));
    const isSearched = list === 'listCustomers' || list === 'listSettlementBanks';
    const search = isSearched ? filters.find(({ name }) => searches.has(normalizeName(name))) : undefined;
    const type = list === 'listCustomerTransactions' ? findType(collector, filters, records) : undefined;
    if (isSearched && search !== undefined) collector.set(`${list}.search`, search.name, api.place);
    if (type !== undefined) collector.set('listCustomerTransactions.type', type.name, api.place);
    const rows = collector.run.contract();
    const usedNames = new Set([...parameterNames(rows, list), ...reservedNames(rows, list)]);
    for (const { name, isRequired } of filters.filter((each) => each !== search && each !== type)) {
      if (credentialNames.test(normalizeName(name))) {
        collector.note(api.place, `a credential in the parameter ${name}; the gateway sends none there`);
        continue;
      }
      if (isRequired === true) collector.note(api.place, 'requires a parameter that the gateway does not send');
      if (usedNames.has(name)) {
        collector.note(api.place, `the parameter ${name} is no filter: a row of this list has its name`);
        continue;
      }
      const isCarried = records.get(kindsOf[list])?.some((record) => hasKey(record, `/${name}`)) === true;
      const row = { wire: name, matches: isCarried ? `/${name}` : 'none' };
      collector.propose(listFields[list], name, row, api.place, true);
    }
  }
}

/** The parameter with the name of the field of a transaction's type. */
function findType(
  { run }: Collector,
  filters: readonly ApiParameter[],
  records: RecordsByKind,
): ApiParameter | undefined {
  const transactions = records.get('transaction') ?? [];
  const pointers = run.contract()['transaction.type'];
  const fields =
    transactions.length === 0 ? pointers : pointers.filter((at) => transactions.some((each) => hasKey(each, at)));
  const names = new Set(fields.map((pointer) => normalizeName(pointer.split('/').at(-1) ?? '')));
  return filters.find(({ name }) => names.has(normalizeName(name)));
}
