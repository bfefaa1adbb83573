import { contractOfList } from '../../contract/contract.ts';
import { linkedNames } from './check-page-report.ts';
import type { CheckRun } from './check-run.ts';
import {
  hasMoreThan,
  ownRow,
  rowInForce,
  sizeNames,
  smallSize,
  styleOf,
  type ListReader,
  type Records,
} from './list-reader.ts';

/** The sizes of pages that look for the service's maximum: the next one where one is refused. */
const largeSizes = [100, 50, 20] as const;

/** A first page of the size asked for, and the parameter of the size. */
interface SizedPage {
  readonly size: string;
  readonly records: Records;
  readonly body: unknown;
}

const sizedPages = new WeakMap<ListReader, Promise<SizedPage | undefined>>();

/** Finds the parameter of the page size, once for each list that is read. */
export function findSize(run: CheckRun, list: ListReader): Promise<SizedPage | undefined> {
  const page = sizedPages.get(list) ?? searchSize(run, list);
  sizedPages.set(list, page);
  return page;
}

/** Reads with the likeliest name, then with all others at once: halves of them show which one the service has. */
async function searchSize(run: CheckRun, list: ListReader): Promise<SizedPage | undefined> {
  const { 'lists.limit': limit, 'lists.perPage': perPage } = contractOfList(run.contract(), list.name);
  const names = [...new Set([limit, perPage, ...sizeNames])];
  const [likeliest = '', ...others] = linkedNames(list.lastAnswer().body, names);
  const readWith = (sizes: readonly string[]): Promise<Records | undefined> =>
    list.read(Object.fromEntries(sizes.map((name) => [name, String(smallSize)])));
  const isSized = (page: Records | undefined): page is Records => page?.length === smallSize;
  const toPage = (size: string, records: Records): SizedPage => ({ size, records, body: list.lastAnswer().body });

  const page = await readWith([likeliest]);
  if (isSized(page)) return toPage(likeliest, page);
  const first = await readWith(others);
  if (first === undefined) {
    // A service that refuses names it does not know must be asked one by one.
    for (const name of others) {
      const page = await readWith([name]);
      if (isSized(page)) return toPage(name, page);
    }
  }
  if (!isSized(first)) return undefined;
  let candidates = others;
  while (candidates.length > 1) {
    const half = candidates.slice(0, candidates.length / 2);
    candidates = isSized(await readWith(half)) ? half : candidates.slice(half.length);
  }
  const [size = ''] = candidates;
  return toPage(size, first);
}

/** A page with fewer records than requested, although more follow, shows the service's maximum, or a size it refuses. */
export async function checkMaxPageSize(run: CheckRun, list: ListReader): Promise<void> {
  const row = rowInForce(run, list.name, 'lists.maxPageSize');
  const contracted = contractOfList(run.contract(), list.name)['lists.maxPageSize'];
  for (const [index, size] of largeSizes.entries()) {
    const count = await readLargePage(run, list, size);
    if (!list.isAnswered()) return run.skip(row, 'no answer');
    if (count === 0) continue;
    const refused = largeSizes[index - 1] ?? Infinity;
    const hasMore = count < size && hasMoreThan(run, list.name, list.lastAnswer().body, count);
    if (contracted <= count) run.confirm(row);
    else if (hasMore) run.contradict(row, `a page holds at most ${count}`, count);
    else if (contracted >= refused) run.contradict(row, `a page of ${refused} is refused, one of ${size} is not`, size);
    else run.skip(row, 'the list is shorter than a page');
    return;
  }
  run.skip(row, 'no large page was answered');
}

/**
 * A maximum that the customers' list has shown is that of all lists unless another one has larger pages, or refuses such
 * a page.
 */
export async function checkLargestPage(run: CheckRun, list: ListReader): Promise<void> {
  const row = 'lists.maxPageSize';
  if (rowInForce(run, list.name, row) !== row) return;
  const contracted = run.contract()[row];
  const sizes = new Set(run.corrections.has(row) ? [largeSizes[0], contracted] : [contracted]);
  for (const size of [...sizes, ...largeSizes.filter((each) => each < contracted)]) {
    const count = await readLargePage(run, list, size);
    if (!list.isAnswered()) return;
    if (count === 0) continue;
    if (count > contracted) run.narrow(row, 'listCustomers.maxPageSize');
    else if (size < contracted)
      run.contradict(ownRow(list.name, row), `a page of ${contracted} is refused, one of ${size} is not`, size);
    return;
  }
}

async function readLargePage(run: CheckRun, list: ListReader, count: number): Promise<number> {
  const contract = contractOfList(run.contract(), list.name);
  const size = contract[styleOf(run, list.name) === 'page' ? 'lists.perPage' : 'lists.limit'];
  return (await list.read({ [size]: String(count) }))?.length ?? 0;
}
