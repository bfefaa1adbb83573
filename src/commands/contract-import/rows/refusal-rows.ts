import { checkRow } from '../../../contract/contract.ts';
import { contractRows } from '../../../contract/service-rows.ts';
import { createEnvelope } from '../../../upstream/decoding/envelope.ts';
import { isRecord } from '../../../upstream/decoding/field-decoders.ts';
import { isWrite } from '../../contract-cases/operation-kinds.ts';
import { messageNames } from '../../contract-check/check-envelope.ts';
import type { CheckRun } from '../../contract-check/check-run.ts';
import { isPlainName, normalizeName, walk } from '../../contract-check/json-shape.ts';
import type { FoundMatch } from '../match-operations.ts';

const fieldNames = /^(?:field|param|parameter|property|attribute|name|path)$/;

/** Rows of what refused writes look like: their statuses, their faulty fields, the code of a duplicate. */
export function collectRefusalRows(run: CheckRun, matches: readonly FoundMatch[]): void {
  const refusals = matches
    .filter(({ operation }) => isWrite(operation))
    .flatMap(({ api }) => api.answers.filter(({ meaning }) => meaning >= 400 && meaning < 500));
  const usual = contractRows['errors.refusalStatuses'].value;
  const mayRefuse = (status: number): boolean => checkRow('errors.refusalStatuses', [status]).faults.length === 0;
  const others = refusals.map(({ status }) => status).filter(mayRefuse);
  const statuses = [...new Set([...usual, ...others])].toSorted((a, b) => a - b);
  if (statuses.length > usual.length)
    run.contradict('errors.refusalStatuses', 'a write is refused with another status', statuses);
  for (const { body } of refusals) findFields(run, body);
  findDuplicateCode(run, refusals);
}

/** Where a refusal names its fields, as one object or as a list of them. */
function findFields(run: CheckRun, body: unknown): void {
  if (createEnvelope(run.contract()).fieldErrors(body).length > 0) return;
  for (const { pointer, value } of walk(body)) {
    const entry: unknown = Array.isArray(value) ? value[0] : value;
    if (!isRecord(entry)) continue;
    const texts = Object.keys(entry).filter((key) => isPlainName(key) && typeof entry[key] === 'string');
    const field = texts.find((key) => fieldNames.test(normalizeName(key)));
    const message = texts.find((key) => messageNames.includes(normalizeName(key)));
    if (field === undefined || message === undefined) continue;
    run.contradict('errors.fields', `they stand at ${pointer}`, [pointer]);
    if (run.read('errors.entryField', entry) === undefined)
      run.contradict('errors.entryField', `an entry names it by ${field}`, [`/${field}`]);
    if (run.read('errors.entryMessage', entry) === undefined)
      run.contradict('errors.entryMessage', `an entry says it at ${message}`, [`/${message}`]);
    return;
  }
}

/** A code that duplicates have and no other refusal, where their status does not tell them. */
function findDuplicateCode(
  run: CheckRun,
  refusals: readonly { readonly status: number; readonly meaning: number; readonly body: unknown }[],
): void {
  const envelope = createEnvelope(run.contract());
  const codesOf = (isDuplicate: boolean): readonly string[] =>
    refusals.flatMap(({ meaning, body }) => ((meaning === 409) === isDuplicate ? envelope.codeTexts(body) : []));
  const duplicates = refusals.filter(({ status, meaning }) => meaning === 409 && status !== 409);
  const others = new Set(codesOf(false));
  const codes = [...new Set(codesOf(true))].filter((code) => /^[A-Za-z][\w-]{1,39}$/.test(code) && !others.has(code));
  if (duplicates.length > 0 && codes.length > 0)
    run.contradict('errors.duplicateCodes', 'duplicates have a code of their own', codes);
}
