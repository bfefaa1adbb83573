import type { Contract } from '../../contract/contract.ts';
import { normalizeName, usualNames } from '../usual-names.ts';
import { compilePointers, isRecord, scalarText } from '../../upstream/index.ts';
import { isSuccess, type Sample } from '../sample.ts';
import { findPlaces } from './find-place.ts';
import { walk, walkFirst } from './json-nodes.ts';
import { proposeInTurn, type Proposal } from './proposal.ts';

/** A flag stands at the top, or in an object there. */
const maxFlagSteps = 3;

/** Answers that are objects. The HTTP status of those `inside` does not tell what they mean. */
type Answers = Readonly<Record<'successes' | 'failures' | 'inside', readonly Sample[]>>;

/** How success is told from failure: by a flag, a code, or what stands where errors do. The HTTP status needs no row. */
export function proposeEnvelope(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const ofObjects = samples.filter(({ body }) => isRecord(body));
  const failures = ofObjects.filter((sample) => !isSuccess(sample) && !saysSuccess(sample, contract));
  const inside = failures.filter(({ status, meaning = status }) => status !== meaning);
  const answers: Answers = { successes: ofObjects.filter(isSuccess), failures, inside };
  const steps = [proposeFlag, proposeCode, proposeStatuses, proposeFailureKey, proposeMessage];
  const inTurn = steps.map((step) => (current: Contract) => step(answers, current));
  return proposeInTurn(contract, inTurn);
}

const textAt = (pointers: readonly string[], { body }: Sample): string =>
  scalarText(compilePointers(pointers).read(body));

const lower = (values: readonly unknown[]): readonly string[] => values.map((value) => String(value).toLowerCase());

/** Whether a 2xx has a flag of success by its rows, whatever its source says that it means. */
export function saysSuccess(sample: Sample, contract: Contract): boolean {
  const flag = textAt(contract['envelope.success'], sample).toLowerCase();
  return sample.status < 300 && lower(contract['envelope.successValues']).includes(flag);
}

/** A value at the top that every success has alike, and no failure. */
function proposeFlag({ successes, failures }: Answers, contract: Contract): readonly Proposal[] {
  const row = 'envelope.success';
  const [first] = successes;
  if (first === undefined || contract[row].length === 0) return [];
  const [yes, no] = [lower(contract['envelope.successValues']), lower(contract['envelope.failureValues'])];
  const [flag = '', ...others] = new Set(successes.map((sample) => textAt(contract[row], sample).toLowerCase()));
  if (flag !== '' || others.length > 0) {
    const isOpen = others.length === 0 && isCode(flag) && ![...yes, ...no].includes(flag);
    const question = `add '${flag}', if it means success: every success has it`;
    return isOpen ? [{ row: 'envelope.successValues', question }] : [];
  }
  const isInData = (pointer: string): boolean =>
    contract['envelope.data'].some((data) => data !== '' && pointer.startsWith(`${data}/`));
  const scalars = walk(first.body).filter(
    ({ pointer, value }) => scalarText(value) !== '' && pointer.split('/').length <= maxFlagSteps && !isInData(pointer),
  );
  const nodes = usualNames(row).flatMap((name) => scalars.find((each) => normalizeName(each.name) === name) ?? []);
  const at200 = failures.filter(({ status }) => status < 300);
  let asked: readonly Proposal[] = [];
  for (const { pointer, value } of nodes) {
    const valueOf = (sample: Sample): string => textAt([pointer], sample).toLowerCase();
    const text = scalarText(value).toLowerCase();
    const refusals = failures.map(valueOf);
    if (successes.some((sample) => valueOf(sample) !== text) || refusals.includes(text)) continue;
    const isKnown = yes.includes(text);
    const isFlag = isKnown && (typeof value === 'boolean' || refusals.some((refusal) => no.includes(refusal)));
    // A code that differs inside HTTP 200 is what tells success; beside another status it may be anything.
    const tells = at200.length > 0 && isCode(text) && at200.every((each) => valueOf(each) !== '');
    if (!isFlag && !tells) {
      const isRepeated =
        !isCode(text) || successes.length === 1 || successes.some(({ status }) => text === `${status}`);
      const question = `[${pointer}], if it tells success; its value is the same in every success`;
      if (!isRepeated && asked.length === 0) asked = [{ row, question }];
      continue;
    }
    const ofValues = { row: 'envelope.successValues', value: [scalarText(value)] } as const;
    return [{ row, value: [pointer] }, ...(isKnown && !/^\d+$/.test(text) ? [] : [ofValues])];
  }
  return asked;
}

/** Whether a value is a word or a code that may be printed. */
function isCode(value: string): boolean {
  return /^[\w.-]{1,20}$/.test(value);
}

/** Where failures have their code, unless it repeats the HTTP status, which tells nothing. */
function proposeCode({ failures, inside }: Answers, contract: Contract): readonly Proposal[] {
  const row = 'envelope.code';
  const unread = failures.filter((sample) => textAt(contract[row], sample) === '');
  if (unread.length === 0 || contract[row].length === 0) return [];
  const flags = contract['envelope.success'];
  const found = findPlaces(row, bodiesOf(unread), walkFirst).pointers.find((pointer) => !flags.includes(pointer));
  const isCode = (flag: string): boolean => inside.length > 0 && inside.every((each) => textAt([flag], each) !== '');
  const place = found ?? flags.find(isCode);
  const tells = (sample: Sample): boolean =>
    place !== undefined && !['', String(sample.status)].includes(textAt([place], sample));
  return unread.some(tells) ? [{ row, value: [place] }] : [];
}

/** The codes of failures inside another HTTP status, by the status that each of them means. */
function proposeStatuses({ inside }: Answers, contract: Contract): readonly Proposal[] {
  const row = 'errors.statuses';
  const codes = inside
    .map((sample) => [textAt(contract['envelope.code'], sample), sample.meaning] as const)
    .filter(([code, meaning]) => code !== '' && Number(code) !== meaning && contract[row][code] === undefined);
  if (codes.length === 0) return [];
  const statuses = Object.fromEntries(codes);
  if (codes.some(([code, meaning]) => statuses[code] !== meaning))
    return [{ row, question: 'a status for each code: one code stands for failures of several kinds' }];
  return [
    { row, value: { ...contract[row], ...statuses } },
    { row, question: 'the statuses of the other codes, which no read shows' },
  ];
}

/** What a failure has at its top under a usual name, where no row tells it from a success. */
function proposeFailureKey({ inside, successes }: Answers, contract: Contract): readonly Proposal[] {
  const row = 'envelope.failureKeys';
  const places = [...contract['envelope.success'], ...contract['envelope.failure'], ...contract[row]];
  const told = compilePointers(places);
  if (inside.every(({ body }) => told.read(body) !== undefined)) return [];
  const names = usualNames(row);
  const keys = Object.keys(inside[0]?.body ?? {}).filter((key) => names.includes(normalizeName(key)));
  const pointers = keys.map((key) => `/${key}`);
  const place = pointers.find((pointer) => !isOfData(pointer, successes, contract));
  return place === undefined ? [] : [{ row, value: [...contract[row], place] }];
}

function proposeMessage({ failures, successes }: Answers, contract: Contract): readonly Proposal[] {
  const row = 'errors.message';
  const isRead = ({ body }: Sample): boolean => typeof compilePointers(contract[row]).read(body) === 'string';
  if (failures.length === 0 || failures.some(isRead) || contract[row].length === 0) return [];
  const { pointers } = findPlaces(row, bodiesOf(failures), walkFirst);
  const place = pointers.find((pointer) => !isOfData(pointer, successes, contract));
  if (place !== undefined) return [{ row, value: [place] }];
  return [{ row, question: 'a pointer to the sentence of a refusal, which no usual name shows' }];
}

const bodiesOf = (samples: readonly Sample[]): readonly unknown[] => samples.map(({ body }) => body);

/** Whether successes have their record there. */
function isOfData(pointer: string, successes: readonly Sample[], contract: Contract): boolean {
  const { read } = compilePointers([pointer]);
  return contract['envelope.data'].includes(pointer) || successes.some(({ body }) => typeof read(body) === 'object');
}
