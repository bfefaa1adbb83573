import { contractOfList, rowOfList } from '../../../contract/contract.ts';
import { linkedNames } from './check-page-report.ts';
import type { CheckRun } from '../check-run.ts';
import {
  createPageParameters,
  findMoreFlag,
  hasMoreThan,
  isOtherPage,
  readTotal,
  recordsAt,
  rowOfSign,
  sizeNames,
  smallSize,
  styleOf,
  type ListReader,
  type Records,
} from '../list-reader.ts';

/** The sizes of pages that look for the service's maximum: the next one where one is refused. */
const largeSizes = [100, 50, 20] as const;

/** A first page of the size asked for, and the parameter of the size. */
export interface SizedPage {
  readonly size: string;
  readonly records: Records;
  readonly body: unknown;
}

/**
 * Finds the parameter of the page size: reads with the likeliest name, then with all others at once. Halves of them show
 * which one the service has.
 */
export async function findSize(run: CheckRun, list: ListReader): Promise<SizedPage | undefined> {
  const { 'lists.limit': limit, 'lists.perPage': perPage } = contractOfList(run.contract(), list.name);
  const names = [...new Set([limit, ...(perPage === null ? [] : [perPage]), ...sizeNames])];
  const [likeliest = '', ...others] = linkedNames(list.lastAnswer().body, names);
  const readWith = (sizes: readonly string[]): Promise<Records | undefined> =>
    list.read(Object.fromEntries(sizes.map((name) => [name, String(smallSize)])));
  const isSized = (page: Records | undefined): page is Records => page?.length === smallSize;
  const toPage = (size: string, records: Records): SizedPage => ({ size, records, body: list.lastAnswer().body });

  const page = await readWith([likeliest]);
  if (isSized(page)) return toPage(likeliest, page);
  const first = await readWith(others);
  if (first === undefined) {
    // A service that refuses unknown names must be probed with one name at a time.
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

/**
 * Finds the largest page of a list: one with fewer records than requested, although more follow, or a size that is not
 * refused. That of the customers' list stands for all, unless another list has shown another one.
 */
export async function checkMaxPageSize(run: CheckRun, list: ListReader): Promise<void> {
  const shared = 'lists.maxPageSize';
  const row = rowOfList(run.contract(), list.name, shared);
  const contracted = contractOfList(run.contract(), list.name)[shared];
  const isOther = list.name !== 'listCustomers';
  const largest = isOther && !run.corrections.has(row) ? contracted : largeSizes[0];
  const sizes = [...new Set([...largeSizes, contracted])].filter((size) => size <= largest);
  let refused = Infinity;
  for (const size of sizes.toSorted((one, other) => other - one)) {
    const page = (await list.read(createPageParameters(run, list.name, { size }))) ?? [];
    if (!list.isAnswered()) return run.skip(row, 'no answer');
    const count = page.length;
    if (count === 0) {
      refused = size;
      continue;
    }
    const isCut = contracted > count && count < size && (await hasNextPage(run, list, page, size));
    if (!list.isAnswered()) return run.skip(row, 'no answer');
    const corrected = rowOfSign(run, list.name, shared);
    if (isOther && row === shared && run.corrections.has(row) && count > contracted)
      run.narrow(row, 'listCustomers.maxPageSize');
    else if (contracted <= count) run.confirm(row);
    else if (isCut) run.contradict(corrected, `a page holds at most ${count}`, count);
    else if (contracted >= refused)
      run.contradict(corrected, `a page of ${refused} is refused, one of ${size} is not`, size);
    else run.skip(row, 'the list is shorter than a page');
    return;
  }
  run.skip(row, 'no large page was answered');
}

/**
 * Whether more follows a page that is shorter than the size asked for. Where its answer says neither that nor how many
 * records there are, the next page of the same size shows it.
 */
async function hasNextPage(run: CheckRun, list: ListReader, page: Records, size: number): Promise<boolean> {
  const answer = list.lastAnswer();
  const { body, identifier } = answer;
  const style = styleOf(run, list.name);
  if (hasMoreThan(run, list.name, answer, page.length)) return true;
  const saysWhetherMore = readTotal(run, list.name, body) !== undefined || findMoreFlag(body) !== undefined;
  const contract = contractOfList(run.contract(), list.name);
  // A longer page shows that this one is not cut; behind as long a page of another customer the next one was read before.
  const hasLonger = run.samples().some((other) => {
    const length = other.operation === list.name ? (recordsAt(contract, other.body)?.length ?? 0) : 0;
    return length > page.length || (length === page.length && other.identifier !== identifier);
  });
  if (saysWhetherMore || hasLonger || (style !== 'page' && style !== 'offset')) return false;
  const next = await list.read(createPageParameters(run, list.name, { page: 1, offset: page.length, size }));
  return isOtherPage(page, next, size);
}
