import { createContract } from '../../contract/contract.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { checkFields } from '../contract-check/check-fields.ts';
import { createCheckRun } from '../contract-check/check-run.ts';
import { walk } from '../contract-check/json-shape.ts';
import { countRead } from './field-findings.ts';
import { isList, kindsOf } from '../operation-kinds.ts';
import { createRunner, type Question, type Reading } from './run-answer.ts';

type Overrides = Readonly<Record<string, unknown>>;

const maxPlaces = 8;

interface Plan {
  readonly rows: Overrides;
  readonly reading: Reading;
}

/**
 * Proposes overrides under which more of an answer can be read: the rows that a check of its records would correct, without
 * those that can be left out and as much is read. Units and currencies are never proposed: undecided ones get a value
 * here, to search for amounts.
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
    const check = createCheckRun({ ...base, ...start });
    checkFields(check, kindsOf[question.operation], (await run(start)).sources);
    // Times without a zone can be read, as UTC, until a person has decided.
    const found = [...check.corrections].filter(([, value]) => value !== 'undecided');
    const all = { ...start, ...Object.fromEntries(found) };
    let plan: Plan = { rows: all, reading: await run(all) };
    for (const [row] of found) {
      const { [row]: _, ...rows } = plan.rows;
      const reading = await run(rows);
      if (countRead(reading.value) >= countRead(plan.reading.value)) plan = { rows, reading };
    }
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
