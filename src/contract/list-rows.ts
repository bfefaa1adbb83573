import { z } from 'zod';
import { momentForms } from './date-time.ts';
import { listNames, type ListName } from './operation-rows.ts';
import { assumption, at, choice, places, spelt, wireName, type Row } from './row.ts';

type Values = Readonly<Record<string, unknown>>;

const emptinesses = ['flagged', 'unflagged', 'object', 'noBody', 'notFound'] as const;
type Emptiness = (typeof emptinesses)[number];

/** Objects of an answer that usually describe its page. */
const pageObjects = ['/data', '/meta', '/data/meta', '', '/pagination', '/meta/pagination', '/paging'];
/** Where an answer describes its page: under each of these names in each of the usual objects, then at `others`. */
const inPage = (names: readonly string[], ...others: readonly string[]): Row<readonly string[]> => ({
  ...at(...spelt(...names).flatMap((name) => pageObjects.map((object) => object + name)), ...others),
  schema: places,
});

/** Rows of all lists. A row of one list takes precedence: `listCustomers.page` before `lists.page`. */
export const listRows = {
  'lists.page': assumption('the usual name', 'page', wireName),
  'lists.firstPage': assumption<0 | 1>('pages are counted from 1', 1, z.literal([0, 1])),
  'lists.perPage': assumption<string | null>(
    'the usual name; page style `page`; null: the service has a page size of its own, lists.maxPageSize',
    'per_page',
    wireName.nullable(),
  ),
  'lists.offset': assumption('the usual name; page style `offset`', 'offset', wireName),
  'lists.limit': assumption('the usual name; page styles `offset` and `cursor`', 'limit', wireName),
  'lists.cursor': assumption('the usual name; page style `cursor`', 'cursor', wireName),
  'lists.parametersIn': choice(
    'query: page and filters are query parameters; body: properties of a JSON body, with the method POST',
    ['query', 'body'],
  ),
  'lists.maxPageSize': assumption('the usual cap', 100, z.number().int().min(1).max(1000)),
  'lists.records': at('/data/data', '/data', ''),
  'lists.empty': assumption<readonly Emptiness[]>(
    'what, in place of an array, is a list without records. flagged: null or nothing, beside a flag of success; unflagged: the same without one; object: {}; noBody: a 2xx without a body; notFound: a 404',
    ['flagged'],
    z.array(z.enum(emptinesses)),
  ),
  'lists.currentPage': inPage(
    ['current_page', 'page_number'],
    '/pagination/page',
    '/paging/page',
    '/page/number',
    '/number',
  ),
  'lists.pageSize': inPage(
    ['per_page', 'page_size'],
    '/pagination/limit',
    '/paging/limit',
    '/meta/limit',
    '/page/size',
  ),
  'lists.lastPage': inPage(['last_page', 'total_pages', 'page_count'], '/pagination/pages', '/page/totalPages'),
  'lists.total': inPage(
    ['total', 'total_count', 'total_records', 'total_items', 'total_elements'],
    '/page/totalElements',
  ),
  'lists.nextCursor': inPage(['next_cursor', 'next_token', 'next_page_token']),
  'lists.cursorFrom': choice(
    'answer: lists.nextCursor, or lists.cursor in lists.nextLink; lastRecord: the id of the last record, until lists.hasMore is false or a page is empty',
    ['answer', 'lastRecord'],
  ),
  'lists.nextLink': inPage(
    ['next_page_url', 'next_link', 'next_page'],
    '/links/next/href',
    '/links/next',
    '/_links/next/href',
    '/_links/next',
    '/data/links/next',
    '/meta/links/next',
    '/meta/pagination/links/next',
    '/pagination/links/next',
    '/paging/next',
    '/pagination/next',
    '/meta/next',
    '/next',
  ),
  'lists.hasMore': inPage(
    ['has_more', 'has_next', 'has_next_page'],
    '/page_info/has_next_page',
    '/pageInfo/hasNextPage',
  ),
} as const;

type ListRows = typeof listRows;
type OwnListRows = {
  readonly [Id in keyof ListRows as Id extends `lists.${infer Property}` ? `${ListName}.${Property}` : never]: Row<
    (ListRows[Id] extends Row<infer Value> ? Value : never) | null
  >;
};

export function ownListRows(): OwnListRows {
  const rows = listNames.flatMap((list) =>
    Object.entries<Row<unknown>>(listRows).map(([id, { schema }]): [string, Row<unknown>] => [
      id.replace('lists', list),
      assumption<unknown>(`null: as ${id}`, null, schema.safeParse(null).success ? schema : schema.nullable()),
    ]),
  );
  return Object.fromEntries(rows) as OwnListRows; // the type of fromEntries lacks the keys
}

/** The values in force for one list, by property: its own rows, and for those that are null the rows of all lists. */
export type ListSettings = {
  readonly [Id in keyof ListRows as Id extends `lists.${infer Property}` ? Property : never]: ListRows[Id] extends Row<
    infer Value
  >
    ? Value
    : never;
};

export function listSettings(values: Values, list: ListName): ListSettings {
  const properties = Object.keys(listRows).map((id) => id.slice('lists.'.length));
  const entries = properties.map((name) => [name, values[`${list}.${name}`] ?? values[`lists.${name}`]]);
  return Object.fromEntries(entries) as ListSettings; // each value has passed its row's schema
}

/** The row in force for one list, to be named in an error: its own where that is set, else the one of all lists. */
export function rowOfList<Id extends string>(values: Values, list: ListName, row: Id): Id | keyof OwnListRows {
  const ownRow = row.replace(/^lists\./, `${list}.`) as keyof OwnListRows; // the row itself where it is none of lists
  return (values[ownRow] ?? null) === null ? row : ownRow;
}

const noFilter = 'no filter is published; a service that ignores one would return an unfiltered list';

/** The arguments that choose the records of a list, beside those that a deployment adds. Each has a row of its name. */
const filters = {
  listSettlementBanks: ['search'],
  listCustomers: ['search'],
  listCustomerTransactions: ['direction', 'status', 'type', 'reference', 'search', 'createdFrom', 'createdBefore'],
  listCustomerVirtualAccounts: [],
} as const satisfies Readonly<Record<ListName, readonly string[]>>;

export type FilterName = (typeof filters)[ListName][number];
export type FilterRow = { [List in ListName]: `${List}.${(typeof filters)[List][number]}` }[ListName];

export function filterNames(list: ListName): readonly FilterName[] {
  return filters[list];
}

const parameterRows = Object.fromEntries(
  listNames.flatMap((list) =>
    filterNames(list).map((name) => [`${list}.${name}`, assumption(noFilter, null, wireName.nullable())]),
  ),
) as { readonly [Id in FilterRow]: Row<string | null> }; // the type of fromEntries lacks the keys

const searchMatch = (): Row<'contains' | 'none'> =>
  choice('contains: each record found must contain every word of the search text; none: this is not checked', [
    'contains',
    'none',
  ]);
const word = z.string().min(1);

export const filterRows = {
  ...parameterRows,
  'listSettlementBanks.searchMatch': searchMatch(),
  'listCustomers.searchMatch': searchMatch(),
  'listCustomerTransactions.searchMatch': searchMatch(),
  'listCustomerTransactions.directionWords': assumption(
    'the words that the filter by direction sends',
    { CREDIT: 'credit', DEBIT: 'debit' },
    z.strictObject({ CREDIT: word, DEBIT: word }),
  ),
  'listCustomerTransactions.rangeForm': choice(
    'how the ends of a range are sent, in times.zone; date: in dates.form, whole days, of which the gateway leaves out what was not asked for; seconds likewise',
    momentForms,
  ),
  'listCustomerTransactions.rangeEnd': choice(
    'exclusive: the service leaves out what was made at the end of a range, or on that day; inclusive: it gives that moment, or the whole of that day, and the gateway sends the day before or leaves that moment out',
    ['exclusive', 'inclusive'],
  ),
  'listCustomerTransactions.order': choice(
    'by createdAt; unknown: this is not checked; a constant query in the path may ask the service for an order',
    ['unknown', 'newestFirst', 'oldestFirst'],
  ),
} as const;
