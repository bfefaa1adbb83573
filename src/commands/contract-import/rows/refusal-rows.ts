import { checkRow } from '../../../contract/contract.ts';
import { contractRows } from '../../../contract/service-rows.ts';
import { createEnvelope } from '../../../upstream/decoding/envelope.ts';
import { createFieldErrorReader } from '../../../upstream/decoding/user-errors.ts';
import { isWrite } from '../../operation-kinds.ts';
import { messageNames } from '../../contract-check/check-envelope.ts';
import { isPlainName, normalizeName, walk } from '../../contract-check/json-shape.ts';
import { membersOf, type ApiAnswer } from '../api.ts';
import type { Collector } from '../collector.ts';

const fieldNames = /^(?:field|param|parameter|property|attribute|name|path)$/;

/** Rows of what refused writes look like: their statuses, their faulty fields, the code of a duplicate. */
export function collectRefusalRows(collector: Collector): void {
  const refusals = collector.matches
    .filter(({ operation }) => isWrite(operation))
    .flatMap(({ api }) => api.answers.filter(({ meaning }) => meaning >= 400 && meaning < 500));
  const usual = contractRows['errors.refusalStatuses'].value;
  const mayRefuse = (status: number): boolean => checkRow('errors.refusalStatuses', [status]).faults.length === 0;
  const others = refusals.map(({ status }) => status).filter(mayRefuse);
  const statuses = [...new Set([...usual, ...others])].toSorted((a, b) => a - b);
  if (statuses.length > usual.length) collector.set('errors.refusalStatuses', statuses);
  for (const { body } of refusals) findFields(collector, body);
  findDuplicateCodes(collector, refusals);
}

/** Where a refusal names its fields, as one object or as a list of them. */
function findFields({ run, set }: Collector, body: unknown): void {
  if (createFieldErrorReader(run.contract())(body).length > 0) return;
  for (const { pointer, value } of walk(body)) {
    const entry = membersOf(Array.isArray(value) ? value[0] : value);
    const texts = Object.keys(entry).filter((key) => isPlainName(key) && typeof entry[key] === 'string');
    const field = texts.find((key) => fieldNames.test(normalizeName(key)));
    const message = texts.find((key) => messageNames.includes(normalizeName(key)));
    if (field === undefined || message === undefined) continue;
    set('errors.fields', [pointer]);
    if (run.read('errors.entryField', entry) === undefined) set('errors.entryField', [`/${field}`]);
    if (run.read('errors.entryMessage', entry) === undefined) set('errors.entryMessage', [`/${message}`]);
    return;
  }
}

/** Finds codes that duplicates have and no other refusal, where their status does not show that they are duplicates. */
function findDuplicateCodes({ run, set }: Collector, refusals: readonly ApiAnswer[]): void {
  const envelope = createEnvelope(run.contract());
  const [duplicates, others] = [true, false].map((isDuplicate) =>
    refusals.filter(({ meaning }) => (meaning === 409) === isDuplicate),
  );
  const codesOf = (answers: readonly ApiAnswer[] = []) =>
    new Set(answers.flatMap(({ body }) => envelope.codeTexts(body)));
  const codes = [...codesOf(duplicates).difference(codesOf(others))].filter((code) =>
    /^[A-Za-z][\w-]{1,39}$/.test(code),
  );
  if (codes.length > 0 && duplicates?.some(({ status }) => status !== 409) === true)
    set('errors.duplicateCodes', codes);
}
