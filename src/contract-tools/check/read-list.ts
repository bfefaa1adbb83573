import type { ListName } from '../../contract/contract.ts';
import { recordsOf } from '../../upstream/index.ts';
import { isSuccess } from '../sample.ts';
import type { CheckRun } from './check-run.ts';
import type { PathSource } from './from-service.ts';
import { checkPages, checkSize, likelyStyle } from './pages.ts';

/** The records of a list. A list that is undecided is read without its pages. */
export async function readList(run: CheckRun, list: ListName, parent?: PathSource): Promise<readonly unknown[]> {
  const style = `${list}.pageStyle` as const;
  const isUndecided = run.contract()[style] === 'undecided';
  const question = { operation: list, id: parent?.id, parent, first: 100 };
  const read = async (rows: object) => {
    const sample = await run.read(question, { ...run.contract(), ...rows });
    const records = sample === undefined || !isSuccess(sample) ? [] : recordsOf(run.contract(), list, sample.body);
    return { sample, records };
  };
  let answer = await read({ ...likelyStyle(run, list), ...(isUndecided && { [style]: 'none' }) });
  if (answer.sample === undefined) run.skip(`${list}.path`, 'no answer');
  // A service that refuses a size, or parameters that it does not know, is read without any first.
  if (answer.sample?.status === 400 || answer.sample?.status === 422) answer = await read({ [style]: 'none' });
  const isEmpty = answer.sample !== undefined && isSuccess(answer.sample) && answer.records.length === 0;
  if (isEmpty && run.contract()[style] === 'page' && list === 'listCustomers') {
    answer = await read({ 'lists.firstPage': 0 });
    if (answer.records.length > 0) run.correct('lists.firstPage', 0, 'page 1 is empty, page 0 is not');
  }
  if (answer.records.length === 0 || isUndecided) return answer.records;
  await checkPages(run, list, answer.sample?.body, parent);
  return [...(await checkSize(run, list, question)), ...answer.records];
}
