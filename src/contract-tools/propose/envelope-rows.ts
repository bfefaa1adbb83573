import type { Contract, RowId } from '../../contract/contract.ts';
import { normalizeName, usualNames } from '../usual-names.ts';
import { compilePointers, isRecord, scalarText, textOrNumber } from '../../upstream/index.ts';
import { isSuccess, type Sample } from '../sample.ts';
import { findPlaces } from './find-place.ts';
import { walk, walkFirst } from './json-nodes.ts';
import type { SeenProposal } from './proposal.ts';

/** A flag stands at the top, or in an object there. */
const maxFlagSteps = 3;

/** How success is told from failure: by a flag, a code, or what stands where errors do. The HTTP status needs no row. */
export function proposeEnvelope(samples: readonly Sample[], contract: Contract): readonly SeenProposal[] {
  const successes = samples.filter((sample) => isSuccess(sample) && isRecord(sample.body));
  const failures = samples.filter(
    (sample) => !isSuccess(sample) && isRecord(sample.body) && !saysSuccess(sample, contract),
  );
  const proposals = [...proposeFlag(successes, failures, contract)];
  const flag = proposals.find((proposal) => proposal.row === 'envelope.success' && 'value' in proposal);
  const current =
    flag !== undefined && 'value' in flag ? { ...contract, 'envelope.success': flag.value as string[] } : contract;
  return [...proposals, ...proposeCodes(failures, current), ...proposeMessage(failures, current)];
}

/** Whether a 2xx has a flag of success by its rows, whatever its source says that it means. */
export function saysSuccess({ status, body }: Sample, contract: Contract): boolean {
  const flag = scalarText(compilePointers(contract['envelope.success']).read(body)).toLowerCase();
  return status < 300 && contract['envelope.successValues'].some((value) => String(value).toLowerCase() === flag);
}

/** A value at the top that every success has alike, and no failure. */
function proposeFlag(
  successes: readonly Sample[],
  failures: readonly Sample[],
  contract: Contract,
): readonly SeenProposal[] {
  const row = 'envelope.success';
  const read = ({ body }: Sample): unknown => compilePointers(contract[row]).read(body);
  if (successes.length === 0 || contract[row].length === 0) return [];
  const lower = (id: 'envelope.successValues' | 'envelope.failureValues') =>
    contract[id].map((value) => String(value).toLowerCase());
  const [yes, no] = [lower('envelope.successValues'), lower('envelope.failureValues')];
  const [flag = '', ...others] = new Set(successes.map((sample) => scalarText(read(sample)).toLowerCase()));
  if (flag !== '' || others.length > 0) {
    const isOpen = others.length === 0 && isCode(flag) && ![...yes, ...no].includes(flag);
    const question = `add '${flag}', if it means success: every success has it`;
    return isOpen
      ? [{ row: 'envelope.successValues', question, seen: 'every success has a value of neither list' }]
      : [];
  }
  const valueAt = (pointer: string, { body }: Sample): string =>
    scalarText(compilePointers([pointer]).read(body)).toLowerCase();
  let asked: readonly SeenProposal[] = [];
  const isInside = failures.filter(({ status }) => status < 300);
  const data = contract['envelope.data'].filter((pointer) => pointer !== '');
  for (const name of usualNames(row)) {
    const pointer = walk(successes[0]?.body)
      .filter((node) => normalizeName(node.name) === name && scalarText(node.value) !== '')
      .map((node) => node.pointer)
      .find((place) => place.split('/').length <= maxFlagSteps && !data.some((below) => place.startsWith(`${below}/`)));
    if (pointer === undefined) continue;
    const values = new Set(successes.map((sample) => valueAt(pointer, sample)));
    const refusals = failures.map((sample) => valueAt(pointer, sample));
    const [value = ''] = values;
    if (values.size !== 1 || value === '' || refusals.includes(value)) continue;
    const isKnown =
      yes.includes(value) &&
      (refusals.some((text) => no.includes(text)) ||
        typeof compilePointers([pointer]).read(successes[0]?.body) === 'boolean');
    const seen = `the flag stands at ${pointer}`;
    if (isKnown) return [{ row, value: [pointer], seen }];
    // A code that differs inside HTTP 200 is what tells success; beside another status it may be anything.
    if (isInside.length === 0 || !isCode(value) || !isInside.every((sample) => valueAt(pointer, sample) !== '')) {
      const isRepeated =
        !isCode(value) || successes.length === 1 || successes.some(({ status }) => value === `${status}`);
      const question = `[${pointer}], if it tells success; its value is the same in every success`;
      if (!isRepeated && asked.length === 0) asked = [{ row, question, seen }];
      continue;
    }
    const first = compilePointers([pointer]).read(successes[0]?.body);
    return [
      { row, value: [pointer], seen: `the code at ${pointer} tells success` },
      ...(yes.includes(value) && !/^\d+$/.test(value)
        ? []
        : [
            {
              row: 'envelope.successValues',
              value: [textOrNumber(first) ?? value],
              seen: `a success has a code of its own at ${pointer}`,
            } as const,
          ]),
    ];
  }
  return asked;
}

/** Whether a value is a word or a code that may be printed. */
function isCode(value: string): boolean {
  return /^[\w.-]{1,20}$/.test(value);
}

/** Codes of failures that their HTTP status does not tell, by the status that each of them means. */
function proposeCodes(failures: readonly Sample[], contract: Contract): readonly SeenProposal[] {
  const inside = failures.filter(({ status, meaning = status }) => status !== meaning);
  const proposals: SeenProposal[] = [];
  const codeOf = ({ body }: Sample, pointers: readonly string[]): string =>
    scalarText(compilePointers(pointers).read(body));
  const isRead = (sample: Sample): boolean => codeOf(sample, contract['envelope.code']) !== '';
  let pointers: readonly string[] = contract['envelope.code'];
  const unread = failures.filter((sample) => !isRead(sample));
  if (unread.length > 0 && contract['envelope.code'].length > 0) {
    const { pointers: places } = findPlaces(
      'envelope.code',
      unread.map(({ body }) => body),
      walkFirst,
    );
    const flags: readonly string[] = contract['envelope.success'];
    const place =
      places.find((pointer) => !flags.includes(pointer)) ??
      (inside.length > 0 ? flags.find((flag) => inside.every((sample) => codeOf(sample, [flag]) !== '')) : undefined);
    // A repetition of the HTTP status tells nothing.
    if (
      place !== undefined &&
      unread.some((sample) => ![String(sample.status), ''].includes(codeOf(sample, [place])))
    ) {
      pointers = [place];
      proposals.push({ row: 'envelope.code', value: pointers, seen: `it stands at ${place}` });
    }
  }
  const [firstInside] = inside;
  if (firstInside === undefined) return proposals;
  const meanings = new Map<string, Set<number>>();
  for (const sample of inside) {
    const code = codeOf(sample, pointers);
    if (code !== '' && Number(code) !== sample.meaning)
      meanings.set(code, (meanings.get(code) ?? new Set()).add(sample.meaning ?? sample.status));
  }
  const row = 'errors.statuses';
  const open = [...meanings].filter(([code]) => contract[row][code] === undefined);
  const seen = 'failures inside another HTTP status have codes of their own';
  if (open.some(([, statuses]) => statuses.size > 1))
    proposals.push({ row, question: 'a status for each code: one code stands for failures of several kinds', seen });
  else if (open.length > 0) {
    const statuses = Object.fromEntries(open.map(([code, [status]]) => [code, status]));
    proposals.push({ row, value: { ...contract[row], ...statuses }, seen });
    proposals.push({ row, question: 'the statuses of the other codes, which no read shows', seen });
  }
  const hasFlag = inside.every(
    ({ body }) =>
      compilePointers([
        ...contract['envelope.success'],
        ...contract['envelope.failure'],
        ...contract['envelope.failureKeys'],
      ]).read(body) !== undefined,
  );
  const place = hasFlag ? undefined : topOf(firstInside, 'envelope.failureKeys', contract);
  if (place !== undefined)
    proposals.push({
      row: 'envelope.failureKeys',
      value: [...contract['envelope.failureKeys'], place],
      seen: `a failure has ${place}`,
    });
  return proposals;
}

/** A member at the top of a failure under a usual name of a row, but where a success has its record. */
function topOf({ body }: Sample, row: RowId, contract: Contract): string | undefined {
  const names = usualNames(row);
  const keys = Object.keys(body as object).filter((key) => names.includes(normalizeName(key)));
  return keys
    .map((key) => `/${key}`)
    .find((pointer) => !(contract['envelope.data'] as readonly string[]).includes(pointer));
}

function proposeMessage(failures: readonly Sample[], contract: Contract): readonly SeenProposal[] {
  const row = 'errors.message';
  const read = ({ body }: Sample): boolean => typeof compilePointers(contract[row]).read(body) === 'string';
  if (failures.length === 0 || failures.some(read) || contract[row].length === 0) return [];
  const { pointers } = findPlaces(
    row,
    failures.map(({ body }) => body),
    walkFirst,
  );
  const place = pointers.find((pointer) => !(contract['envelope.data'] as readonly string[]).includes(pointer));
  if (place === undefined)
    return [
      { row, question: 'a pointer to the sentence of a refusal', seen: 'no failure has a text under a usual name' },
    ];
  return [{ row, value: [place], seen: `it stands at ${place}` }];
}
