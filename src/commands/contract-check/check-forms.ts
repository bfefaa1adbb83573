import { epochUnit, isZoneless } from '../../contract/date-time.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import type { PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { statusWords } from '../../contract/contract.ts';
import type { CheckRun } from './check-run.ts';
import { acceptsByField, dateFormsOf, isMoment, isText } from './find-field.ts';
import { describeType } from './json-shape.ts';

/** Checks the rows that say in which form values of one sort come: times, statuses, account numbers and bank codes. */
export function checkForm(run: CheckRun, row: PointerRow, values: readonly unknown[]): void {
  const [kind = '', field = ''] = row.split('.');
  if (acceptsByField[field] === isMoment) return checkTimes(run, values);
  if (field === 'dateOfBirth') return checkDates(run, values);
  if (field === 'accountNumber' || field === 'bankCode') return checkDigits(run, `${field}.digits`, values);
  // The status of a settlement bank is no field of the graph.
  if (field !== 'status' || row === 'settlementBank.status') return;
  const codes = values.filter((value) => !isText(value));
  const words = statusWords(run.contract(), kind);
  const unmappedCode = codes.find((value) => !words.has(numberText(value) ?? String(value)));
  // The first kind without words proposes the row of all kinds, each other one its own. A proposal names its row.
  const proposal = run.proposals.get('status.words');
  const isShared = !run.isOverridden('status.words') && (proposal ?? row).includes(row);
  const own = `${kind}.status.words` as 'customer.status.words'; // of a kind with a status
  const inForce = run.contract()[own] === null ? 'status.words' : own;
  if (unmappedCode !== undefined) {
    run.contradict(inForce, `${row} comes as a ${describeType(unmappedCode)} without a word for it`);
    const hint = typeof unmappedCode === 'boolean' ? "{ 'true': …, 'false': … }" : "{ '0': …, '1': … }";
    const others = isShared ? '' : ', if its words are not those of the others';
    run.proposals.set(isShared ? inForce : own, `${hint}${others}: ${row} comes as a ${describeType(unmappedCode)}`);
  } else if (codes.length > 0) run.confirm(inForce);
}

export function checkTimes(run: CheckRun, values: readonly unknown[]): void {
  const units = values.flatMap((value) => epochUnit(textOrNumber(value)) ?? []);
  const [unit] = units;
  if (unit !== undefined) run.compare('times.numbers', unit, `times come as numbers of ${unit}`);
  if (!values.some((value) => typeof value === 'string' && isZoneless(value))) return;
  run.skip('times.zone', 'times come without a zone: you decide');
  if (run.isOverridden('times.zone') && run.contract()['times.zone'] !== 'undecided') return;
  run.correct('times.zone', 'undecided');
  run.proposals.set('times.zone', "UTC or an offset such as '+01:00': times without a zone were seen");
}

/** Corrects the form of dates only where a single one fits the values: 10/01/1990 may be in January or in October. */
function checkDates(run: CheckRun, values: readonly unknown[]): void {
  const row = 'dates.form';
  const forms = dateFormsOf(values.map(String));
  if (forms.includes(run.contract()[row])) return;
  const [form, ...others] = forms;
  const words = forms.join(' or ');
  const seen = `dates come as ${words || 'none of its values'}`;
  if (others.length > 0) return run.leave(row, seen, `{ value: …, acknowledge: true } with ${words}`);
  run.contradict(row, seen, form);
  run.proposals.delete(row);
}

/** Digits of account numbers and bank codes in the published service's country. */
const usualDigits = { 'accountNumber.digits': 10, 'bankCode.digits': 3 } as const;

/** JSON numbers lack leading zeros: the row gets the usual number of digits, or that of the longest number seen. */
function checkDigits(run: CheckRun, row: keyof typeof usualDigits, values: readonly unknown[]): void {
  const lengths = values.flatMap((value) => numberText(value)?.length ?? []);
  if (lengths.length === 0) return;
  const digits = Math.max(run.contract()[row] ?? usualDigits[row], ...lengths);
  run.compare(row, digits, `JSON numbers of at most ${digits} digits`);
}
