import { wrapperPlace } from '../../contract/addressing.ts';
import { inputNames, type Contract, type OperationName } from '../../contract/contract.ts';
import { listNames, type WriteName } from '../../contract/operation-rows.ts';
import { readDate } from '../../contract/date-time.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { recordKinds } from '../../contract/operation-rows.ts';
import { errorsIn } from '../contract-cases/field-findings.ts';
import { addressFields, isWrite, type Input } from '../operation-kinds.ts';
import { createRunner, type Reading } from '../contract-cases/run-answer.ts';
import { maxSamples, toAnswer, type Sample } from '../contract-cases/starter-cases.ts';
import { membersOf } from './api.ts';
import type { FoundMatch } from './match-operations.ts';
import { isSuccessful } from './rows/word-rows.ts';
import { inputText, placeholderText } from './schema-sample.ts';

type Runner = ReturnType<typeof createRunner>;

/** The answers of a vendor's file as samples for cases: those to writes with what the file says was sent. */
export function toCaseSamples(matches: readonly FoundMatch[], contract: Contract): readonly Sample[] {
  return matches.flatMap(({ operation, api }) =>
    api.answers.map(({ status, body }) => {
      const input = isWrite(operation) ? toInput(contract, operation, api.body?.sample, body) : undefined;
      return { operation, status, body, input };
    }),
  );
}

/** Operations whose success answers in the file would not reach a client as successes, and why. */
export async function findUnreadable(
  matches: readonly FoundMatch[],
  written: Contract,
): Promise<ReadonlyMap<OperationName, string>> {
  const styles = listNames.map((name) => `${name}.pageStyle` as const).filter((row) => written[row] === 'undecided');
  // An import leaves lists with cursors undecided: their records are read all the same.
  const contract: Contract = { ...written, ...Object.fromEntries(styles.map((row) => [row, 'cursor'])) };
  const run = createRunner(contract);
  const decided = (['major', 'minor'] as const).map((unit) =>
    createRunner({ ...contract, 'money.unit': unit, 'money.currency': 'NGN' }),
  );
  const successes = matches.map((match) => {
    return { ...match, api: { ...match.api, answers: match.api.answers.filter(isSuccessful) } };
  });
  const reasons = new Map<OperationName, string>();
  for (const { operation, status, body, input } of toCaseSamples(successes, contract).slice(0, maxSamples)) {
    const sample = { operation, answer: toAnswer(status, body), input };
    const reading = await run(sample);
    const isUndecided = errorsIn(reading.value).some(({ code }) => code === 'CONTRACT_UNDECIDED');
    const why = isUndecided ? await findNoAmount(decided, sample) : describeFailure(reading);
    if (why !== undefined && !reasons.has(operation)) reasons.set(operation, why);
  }
  return reasons;
}

/** Why a balance has no amount where its row says, whatever is decided about money; undefined if it may have one. */
async function findNoAmount(decided: readonly Runner[], sample: Parameters<Runner>[0]): Promise<string | undefined> {
  const readings = await Promise.all(decided.map((run) => run(sample)));
  const isMissing = readings.every(({ value }) => errorsIn(value)[0]?.details.row === 'balance.value');
  return isMissing && readings[0] !== undefined ? describeFailure(readings[0]) : undefined;
}

/** Why a reading is no success; undefined if it is one. */
function describeFailure({ value, write }: Reading): string | undefined {
  const [first] = errorsIn(value);
  if (first !== undefined) return `${first.code}${first.details.row === undefined ? '' : `, row ${first.details.row}`}`;
  if (write === undefined || write.outcome === 'done') return undefined;
  const at = write.userErrors[0]?.field?.join('.');
  return `the write is ${write.outcome}${at === undefined ? '' : `, for ${at}`}`;
}

/** A sent text as an input of the graph has it: a date of birth in the form YYYY-MM-DD. */
function toGraphForm(contract: Contract, field: string, text: string | undefined): string | undefined {
  const date = field === 'dateOfBirth' ? readDate(text ?? '', contract['dates.form']) : undefined;
  return date ?? text;
}

/** Whether a text only stands for one: it was made of a schema, or says so. */
function isPlaceholder(field: string, text: string | undefined): boolean {
  return text === inputText(field) || /^(?:text|<?string>?)$/.test(text ?? '');
}

/** The input of a write by the graph's names, with the identifiers from its answer. */
function toInput(contract: Contract, write: WriteName, sent: unknown, answer: unknown): Input {
  const body = membersOf(compilePointers([wrapperPlace(contract, write)]).read(sent));
  const record = createEnvelope(contract).record(answer);
  const kind = recordKinds[write];
  const fields = inputNames(contract, write).flatMap(([field, wire]) => {
    const text = textOrNumber(wire.startsWith('/') ? compilePointers([wire]).read(sent) : body[wire]);
    const row = `${kind}.${field}`;
    const isNaming = row === 'customer.reference' || row === 'customer.email' || row === 'settlementBank.accountNumber';
    const answered = isNaming ? textOrNumber(compilePointers(contract[row]).read(record)) : undefined;
    // A text that only stands for one, sent or answered, is no other record's: the answer names the record.
    const named = isPlaceholder(field, text) || isPlaceholder(field, answered) ? answered : undefined;
    // The gateway refuses one without its field's form, such as "text" for an e-mail address.
    if (isPlaceholder(field, named) && ![named, placeholderText].includes(inputText(field))) return [];
    const value = named ?? (isPlaceholder(field, text) ? inputText(field) : toGraphForm(contract, field, text));
    return value === undefined ? [] : [[field, value] as const];
  });
  const identifiers = addressFields(write).map(
    ([field, row]) => [field, textOrNumber(compilePointers(contract[row]).read(record)) ?? 'c1'] as const,
  );
  return Object.fromEntries([...identifiers, ...fields]);
}
