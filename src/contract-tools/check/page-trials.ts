import type { Contract, ListName, PageStyle } from '../../contract/contract.ts';
import { listNames } from '../../contract/operation-rows.ts';
import { compilePointers } from '../../upstream/index.ts';
import { contractOfList } from '../operation-kinds.ts';
import { walkFirst } from '../propose/json-nodes.ts';
import { normalizeName, usualSpellings } from '../usual-names.ts';
import type { CheckRun } from './check-run.ts';

export type Rows = Readonly<Record<string, unknown>>;
/** The styles that have parameters: each is named as its parameter of the position is. */
type PagedStyle = Exclude<PageStyle, 'none' | 'undecided'>;

export function isPagedStyle(style: PageStyle): style is PagedStyle {
  return style !== 'none' && style !== 'undecided';
}

/** The property whose parameter has the page size. */
export function sizeProperty(style: unknown): 'perPage' | 'limit' {
  return style === 'page' ? 'perPage' : 'limit';
}

/** Rows under which a list may be paged, the likeliest first: as other lists are, then by the names in its answer. */
export function pageTrials(run: CheckRun, list: ListName, body: unknown): readonly Rows[] {
  const contract = contractOfList(run.contract(), list);
  const hasToken = compilePointers([...contract['lists.nextCursor'], ...contract['lists.nextLink']]).read(body);
  const proven = listNames.map((other) => contract[`${other}.pageStyle`]).filter((style) => style !== 'page');
  // A style that the file states is a person's: only its parameters are looked for.
  const styles = run.isStated(`${list}.pageStyle`)
    ? [contract[`${list}.pageStyle`]]
    : [...proven, ...stylesIn(body, contract, hasToken !== undefined)];
  const names = (property: PagedStyle | 'limit'): readonly string[] =>
    rank(body, [contract[`lists.${property}`], ...usualSpellings(`lists.${property}`)]);
  const trialsOf = (style: PagedStyle, size = 'limit'): readonly Rows[] => {
    const count = { page: 3, offset: 2, cursor: hasToken === undefined ? 3 : 5 }[style];
    const from = style === 'cursor' && { cursorFrom: hasToken === undefined ? 'lastRecord' : 'answer' };
    return names(style)
      .slice(0, count)
      .map((name) => ofList(list, { pageStyle: style, [style]: name, [sizeProperty(style)]: size, ...from }));
  };
  const [likely, ...others] = new Set(styles.filter(isPagedStyle));
  if (likely === undefined) return [];
  const [size, second, third] = names('limit');
  return [
    ...trialsOf(likely, size),
    ...trialsOf(likely, second).slice(0, 1),
    ...others.flatMap((style) => trialsOf(style, size)),
    ...trialsOf(likely, third).slice(0, 1),
  ];
}

/** Rows with the names of the page size, for pages that are found but have another size than asked for. */
export function sizeTrials(list: ListName, style: unknown, body: unknown): readonly Rows[] {
  const property = sizeProperty(style);
  const names = rank(body, usualSpellings(`lists.${property}`)).slice(0, 6);
  return names.map((name) => ofList(list, { [property]: name }));
}

function ofList(list: ListName, properties: Rows): Rows {
  return Object.fromEntries(Object.entries(properties).map(([property, value]) => [`${list}.${property}`, value]));
}

/** The styles that an answer may have, the likeliest first. */
function stylesIn(body: unknown, contract: Contract, hasToken: boolean): readonly PageStyle[] {
  const links = parametersIn(body);
  const isCounted = (name: string): boolean => /page(?!.*(?:after|cursor|token|size|limit))|offset|skip/i.test(name);
  const hasMore = compilePointers(contract['lists.hasMore']).read(body) !== undefined;
  const names = walkFirst(body).map(({ name }) => name.toLowerCase());
  const isOffset = [...names, ...links].some((name) => /offset|skip/i.test(name));
  const isCursor = (hasToken && !links.some(isCounted)) || (hasMore && !names.some((name) => name.includes('page')));
  return [isOffset ? 'offset' : isCursor ? 'cursor' : 'page', 'page', 'offset', 'cursor'];
}

/** The names of the parameters in an answer's links. */
function parametersIn(body: unknown): readonly string[] {
  const links = walkFirst(body).filter(
    ({ value }) => typeof value === 'string' && /^(?:https?:\/\/|\/|\?).*\?/.test(value),
  );
  return links.flatMap(({ value }) => [...(URL.parse(String(value), 'http://service')?.searchParams.keys() ?? [])]);
}

/** Names in a link of the answer come first, then those that are a key of it, such as `perPage`. */
function rank(body: unknown, names: readonly string[]): readonly string[] {
  const links = new Set(parametersIn(body));
  const keys = new Set(walkFirst(body).map(({ name }) => normalizeName(name)));
  // Resources of JSON:API come with parameters in brackets.
  const isBracketed = keys.has('attributes') || [...links].some((name) => name.includes('['));
  const score = (name: string): number =>
    Number(links.has(name)) * 4 +
    Number(name.includes('[') === isBracketed) * 2 +
    Number(keys.has(normalizeName(name)));
  return [...new Set(names)].toSorted((one, other) => score(other) - score(one));
}
