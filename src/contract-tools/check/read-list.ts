import { contractOfList } from '../operation-kinds.ts';
import type { ListName, RowId } from '../../contract/contract.ts';
import { rowOfList } from '../../contract/list-rows.ts';
import { GatewayError } from '../../domain/errors.ts';
import { isRecord, recordsOf } from '../../upstream/index.ts';
import { judge } from '../judge.ts';
import { isSuccess, type Sample } from '../sample.ts';
import type { CheckRun } from './check-run.ts';
import type { PathSource, Question, Service } from './from-service.ts';
import { checkPages, likelyStyle } from './pages.ts';

/** Asks, and takes the answer in. Undefined where no answer came, or the request may not be made. */
export async function ask(
  run: CheckRun,
  service: Service,
  question: Question,
  contract = run.contract(),
): Promise<Sample | undefined> {
  try {
    const sample = await service.ask(contract, question);
    if (sample !== undefined) run.learn(sample);
    return sample;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return undefined;
  }
}

/** The records of a list. A list that is undecided is read without its pages. */
export async function readList(
  run: CheckRun,
  service: Service,
  list: ListName,
  parent?: PathSource,
): Promise<readonly unknown[]> {
  const style = `${list}.pageStyle` as const;
  const isUndecided = run.contract()[style] === 'undecided';
  const question = { operation: list, id: parent?.id, parent, first: 100 };
  const inForce = { ...run.contract(), ...likelyStyle(run, list), ...(isUndecided && { [style]: 'none' as const }) };
  let sample = await ask(run, service, question, inForce);
  if (sample === undefined) {
    run.skip(`${list}.path`, 'no answer');
    return [];
  }
  // A service that refuses a size, or parameters that it does not know, is read without any first.
  if (sample.status === 400 || sample.status === 422)
    sample = (await ask(run, service, question, { ...run.contract(), [style]: 'none' })) ?? sample;
  if (!isSuccess(sample)) return [];
  let records = recordsOf(run.contract(), list, sample.body);
  if (records.length === 0 && run.contract()[style] === 'page' && list === 'listCustomers') {
    const fromZero = await ask(run, service, question, { ...run.contract(), 'lists.firstPage': 0 });
    const found = fromZero === undefined || !isSuccess(fromZero) ? [] : recordsOf(run.contract(), list, fromZero.body);
    if (found.length > 0 && fromZero !== undefined) {
      run.correct('lists.firstPage', 0, 'page 1 is empty, page 0 is not');
      [sample, records] = [fromZero, found];
    }
  }
  if (records.length === 0 || isUndecided) return records;
  await checkPages(run, service, list, sample.body, parent);
  const further = await checkSize(run, service, list, question);
  return [...further, ...records];
}

function ownRow(run: CheckRun, list: ListName, shared: 'lists.maxPageSize'): RowId {
  const row = rowOfList(run.contract(), list, shared);
  const isFree = list === 'listCustomers' || row !== shared;
  return isFree ? row : (`${list}.maxPageSize` as RowId);
}

/** Finds the largest page of a list: one with fewer records than asked for although more follow, or one not refused. */
async function checkSize(
  run: CheckRun,
  service: Service,
  list: ListName,
  question: Question,
): Promise<readonly unknown[]> {
  const contract = contractOfList(run.contract(), list);
  const row = ownRow(run, list, 'lists.maxPageSize');
  const largest = contract['lists.maxPageSize'];
  if (run.contract()[`${list}.pageStyle`] === 'none' || run.contract()[`${list}.pageStyle`] === 'undecided') return [];
  for (const size of [largest, 50, 20]) {
    if (size > largest) continue;
    const sample = await ask(run, service, { ...question, first: size });
    if (sample === undefined || !isSuccess(sample)) continue;
    const { value } = (await judge(sample, run.contract(), size)).reading;
    const records = recordsOf(run.contract(), list, sample.body);
    const hasNext = isRecord(value) && value['hasNextPage'] === true;
    if (size < largest) run.correct(row, size, `a page of more than ${size} is refused`);
    else if (records.length >= largest) run.confirm(row);
    else if (hasNext && run.findings.get(`${list}.pageStyle`)?.state !== 'not observable')
      run.correct(row, records.length, `a page holds at most ${records.length}`);
    else run.skip(row, 'the list is shorter than a page');
    return records;
  }
  return [];
}
