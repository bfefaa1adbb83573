import { checkRow, createContract, type RowId } from '../../contract/contract.ts';
import { epochUnit } from '../../upstream/decoding/date-time.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { checkFields, usualDigits } from '../contract-check/check-fields.ts';
import { createCheckRun } from '../contract-check/check-run.ts';
import { dateFormsOf, isMoment, acceptsByField } from '../contract-check/find-field.ts';
import { walk } from '../contract-check/json-shape.ts';
import { countRead, findFields } from './field-findings.ts';
import { isList, kindsOf } from '../operation-kinds.ts';
import { createRunner, type Question, type Reading } from './run-answer.ts';

type Overrides = Readonly<Record<string, unknown>>;

const maxPlaces = 8;

interface Plan {
  readonly rows: Overrides;
  readonly reading: Reading;
}

/**
 * Proposes overrides under which more of an answer can be read. A proposal is kept only if the operation, run again with
 * it, reads more. Units and currencies are never proposed: undecided ones get a value here, to search for amounts.
 */
export async function proposeRows(overrides: Overrides, question: Question): Promise<Overrides> {
  const decided = createContract(overrides);
  const base: Overrides = {
    ...overrides,
    'money.unit': decided['money.unit'] ?? 'major',
    'money.currency': decided['money.currency'] ?? 'NGN',
  };
  const run = (rows: Overrides): Promise<Reading> => createRunner(createContract({ ...base, ...rows }))(question);
  const extend = async (start: Overrides): Promise<Plan> => {
    let plan: Plan = { rows: start, reading: await run(start) };
    // A field that moved and has another form is read by two rows at once: where it stands, and its form.
    let movedRow: Overrides = {};
    const tryRow = async ([row, value]: readonly [string, unknown]): Promise<void> => {
      if (checkRow(row, value).faults.length > 0) return;
      for (const before of [{}, movedRow]) {
        const rows = { ...plan.rows, ...before, [row]: value };
        const reading = await run(rows);
        if (countRead(reading.value) <= countRead(plan.reading.value)) continue;
        plan = { rows, reading };
        return;
      }
      movedRow = { [row]: value };
    };
    for (const row of fieldRows({ ...base, ...start }, question, plan.reading)) await tryRow(row);
    for (const row of formatRows({ ...base, ...plan.rows }, question, plan.reading)) await tryRow(row);
    return plan;
  };
  const first = await run({});
  const places = first.error === undefined ? [] : placesOf(question, first.body);
  const ownRow = `${question.operation}.records`;
  const listRow = Object.hasOwn(overrides, ownRow) ? ownRow : 'lists.records';
  const placeRow = isList(question.operation) ? listRow : 'envelope.data';
  const plans: Plan[] = [];
  // A place is named before its fields are, so that among as many rows it makes the shorter pointers.
  for (const pointer of places) plans.push(await extend({ [placeRow]: [pointer] }));
  plans.push(await extend({}));
  const [best] = plans.toSorted(
    (a, b) =>
      countRead(b.reading.value) - countRead(a.reading.value) ||
      Object.keys(a.rows).length - Object.keys(b.rows).length,
  );
  // A single value is as likely the code of an error as the id of a record.
  const isEnough = first.error === undefined || isList(question.operation) || countRead(best?.reading.value) > 1;
  return best === undefined || !isEnough ? {} : best.rows;
}

/** The candidates for the records of an answer: lists of objects in its body, or single objects. */
function placesOf({ operation }: Question, body: unknown): readonly string[] {
  const isPlace = (value: unknown): boolean =>
    isList(operation) ? Array.isArray(value) && isRecord(value[0]) : isRecord(value);
  const places = walk(body).filter(({ pointer, value }) => pointer !== '' && isPlace(value));
  return places.slice(0, maxPlaces).map(({ pointer }) => pointer);
}

/** Proposes rows for values that have another usual name, or another depth. */
function fieldRows(overrides: Overrides, { operation }: Question, reading: Reading): ReadonlyMap<RowId, unknown> {
  const check = createCheckRun(overrides);
  checkFields(check, kindsOf[operation], reading.sources);
  return check.corrections;
}

/** Proposes rows for values that are at the expected place, but in another form. */
function formatRows(
  overrides: Overrides,
  question: Question,
  reading: Reading,
): readonly (readonly [string, unknown])[] {
  const findings = findFields(createContract(overrides), question.operation, reading);
  return findings
    .filter(({ state }) => state === 'contradicted')
    .flatMap(({ row, shapes: [shape = ''], values }): readonly (readonly [string, unknown])[] => {
      const field = row.split('.').at(-1) ?? '';
      const unit = acceptsByField[field] === isMoment ? epochUnit(values[0]) : undefined;
      if (unit !== undefined) return [['times.numbers', unit]];
      const [form, ...others] = field === 'dateOfBirth' ? dateFormsOf(values) : [];
      if (form !== undefined && others.length === 0) return [['dates.form', form]];
      const digits = Object.entries(usualDigits).filter(([id]) => id === `${field}.digits`);
      return /^integer of \d+ digits?$/.test(shape) ? digits : [];
    });
}
