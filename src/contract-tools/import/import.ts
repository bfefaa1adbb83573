import { isWrite } from '../../contract/operation-rows.ts';
import { isDeepStrictEqual } from 'node:util';
import { placeInBody } from '../../contract/addressing.ts';
import {
  checkOverrides,
  checkRow,
  inputNames,
  type Contract,
  type OperationName,
  type RowId,
} from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { toPrintable } from '../../runtime/printable.ts';
import { textOrNumber } from '../../upstream/index.ts';
import { judge } from '../judge.ts';
import { proposeRows } from '../propose.ts';
import { isSuccess, type Sample } from '../sample.ts';
import { askIdentity, proposeAddresses, proposeCredentials } from './address-rows.ts';
import { proposeBodyRows, readPointer } from './body-rows.ts';
import type { ApiFile, Note } from './endpoint.ts';
import { proposeCursors, proposeFilters, proposePages } from './list-rows.ts';
import { describeEndpoint, isFound, matchOperations, readMappings, type FoundMatch, type Match } from './match.ts';
import { readApiFile } from './read-file.ts';

const maxNotes = 200;
const maxJudged = 100;

export type VendorFile = Awaited<ReturnType<typeof openVendorFile>>;
export type Import = Awaited<ReturnType<VendorFile['import']>>;

/** Reads a vendor's file. Throws an Error where it cannot be read. */
export async function openVendorFile(file: string) {
  const notes = new Map<string, { readonly place: string; readonly why: string }>();
  const note: Note = (place, why) => {
    if (notes.size < maxNotes) notes.set(`${place} ${why}`, { place: toLine(place), why: toLine(why) });
    else notes.set('', { place: '', why: `more than these ${maxNotes}; the others are not listed` });
  };
  const api = await readApiFile(file, note);
  return {
    /** Contract overrides by the file and what a person has settled. Throws an Error for a mapping that cannot be. */
    import: async (mappings: readonly string[]) => {
      const result = importApi(api, mappings);
      const unreadable = await findUnreadable(result.samples, result.contract);
      const comments = [...result.comments, ...unreadable.values()];
      return { ...result, comments, unreadable: [...unreadable.keys()], notes: [...notes.values()] };
    },
  };
}

function importApi({ format, endpoints }: ApiFile, mappings: readonly string[]) {
  const matches = matchOperations(endpoints, readMappings(mappings, endpoints));
  const found = matches.filter(isFound);
  const samples = found.flatMap((match) => toSamples(match));
  const draft = createImportDraft();
  proposeAddresses(found, draft);
  const privateKeyHeader = proposeCredentials(found, draft);
  proposePages(found, draft);
  proposeBodyRows(found, draft);
  for (const proposal of proposeRows(samples, draft.contract)) {
    // Bodies that the file has are better known than by the names of records.
    if ('value' in proposal) draft.take(proposal.row, proposal.value);
    else if (!proposal.row.endsWith('.body')) draft.ask(proposal.row, proposal.question);
  }
  proposeCursors(samples, draft);
  askIdentity(found, samples, draft);
  proposeFilters(found, samples, draft);
  const { rows, comments, contract } = draft.finish();
  const used = new Set(found.map(({ endpoint }) => endpoint));
  const [host = '', ...hosts] = new Set(found.map(({ endpoint }) => endpoint.host));
  return {
    format,
    // Written into files that shells read, so that it may have no other characters.
    server: hosts.length === 0 && /^https?:\/\/[\w.:[\]-]+$/.test(host) ? host : undefined,
    privateKeyHeader,
    operations: matches.map(({ operation, certainty, why, rivals, ...match }) => {
      const { endpoint, path } = match as Partial<FoundMatch>; // as isFound would tell
      return { operation, certainty, why, rivals, path, method: endpoint?.method, place: endpoint?.place };
    }),
    rows,
    /** Decisions, what is unsure, and rows that would add to the graph: lines for a person. */
    comments: [...matches.filter((match) => !isFound(match)).map(describeOpen), ...comments],
    /** Endpoints that are none of the thirteen operations. */
    unused: endpoints.filter((endpoint) => !used.has(endpoint)).map(describeEndpoint),
    samples: found.flatMap((match) => toSamples(match, readInput(match, contract))),
    contract,
  };
}

/** Operations whose own answers of success in the file cannot be read under the rows, with a line that says why. */
async function findUnreadable(samples: readonly Sample[], contract: Contract) {
  const lines = new Map<OperationName, string>();
  for (const sample of samples.filter(isSuccess).slice(0, maxJudged)) {
    const { errors } = await judge(sample, contract);
    const error = errors.find(({ code }) => code !== 'CONTRACT_UNDECIDED');
    if (error === undefined || lines.has(sample.operation)) continue;
    const why = `# unsure: an answer to ${sample.operation} in the file cannot be read: ${error.code}`;
    lines.set(sample.operation, `${error.details.row ?? 'envelope.success'}: ${why}`);
  }
  return lines;
}

function toSamples({ operation, endpoint: { answers } }: FoundMatch, input?: Sample['input']): readonly Sample[] {
  const shown = answers().filter(({ body }) => body !== undefined);
  return shown.map((answer) => ({ operation, ...answer, headers: {}, input }));
}

/** What the file's own request sends, by the graph's names; undefined for a read. */
function readInput({ operation, endpoint }: FoundMatch, contract: Contract): Sample['input'] {
  const body = endpoint.body()?.sample;
  if (!isWrite(operation) || body === undefined) return undefined;
  const values = inputNames(contract, operation).map(([field, name]) => {
    return [field, textOrNumber(readPointer(body, placeInBody(contract, operation, name)))] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/**
 * A draft of the rows that differ from the defaults, and of the questions as lines of comments. A value that its row does
 * not allow, or not beside the others, becomes a question.
 */
function createImportDraft() {
  const rows = new Map<string, unknown>();
  const comments = new Set<string>();
  const ask = (row: string, question: string): void =>
    void comments.add(toLine(`${row}: ${row.startsWith('extra.') ? '' : '# unsure: '}${question}`));
  const take = (row: string, value: unknown): void => {
    const isAllowed = checkRow(row, value).faults.length === 0 && isSeen(value);
    if (!isAllowed) ask(row, 'the file shows a value that the row does not allow');
    else if (isDeepStrictEqual(contractRows[row as RowId].value, value)) rows.delete(row); // checked
    else rows.set(row, value);
  };
  const check = () => checkOverrides(Object.fromEntries(rows));
  const finish = () => {
    for (;;) {
      const { contract, faults } = check();
      const refused = faults.filter(({ id }) => rows.delete(id));
      if (refused.length === 0) return { rows: Object.fromEntries(rows), comments: [...comments], contract };
      for (const { id, allowed } of refused) ask(id, `what the file shows does not fit the other rows; ${allowed}`);
    }
  };
  return {
    get contract() {
      return check().contract;
    },
    take,
    ask,
    finish,
  };
}

/** Whether YAML writes a value without a character that turns a line round, or that a terminal takes for a command. */
function isSeen(value: unknown): boolean {
  return toPrintable(JSON.stringify(value)) === JSON.stringify(value);
}

function describeOpen({ operation, certainty, why, rivals: [first, ...others] }: Match): string {
  const further = others.length === 0 ? '' : `, or ${others.join(', ')}`;
  const mapping = first === undefined ? '' : `: --map ${operation}='${first}'${further}`;
  return toLine(`${operation}.path: # ${certainty}: ${why}${mapping}`);
}

/** Text of a file as one line: a line break in a name must not end the comment that it is written in. */
function toLine(line: string): string {
  return line.slice(0, 500).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
}

/** Whether all thirteen operations were found, and the file's own answers can be read. */
export function isComplete({ operations, unreadable }: Pick<Import, 'operations' | 'unreadable'>): boolean {
  return unreadable.length === 0 && operations.every(({ path }) => path !== undefined);
}

/** The operations, what is left to a person, and the counts; with `isVerbose` also what was not understood or used. */
export function printImport(result: Import, isVerbose: boolean): string {
  const { operations, rows, comments, notes, unused, privateKeyHeader } = result;
  const width = Math.max(...operations.map(({ operation }) => operation.length));
  const lines = operations.map(({ operation, certainty, why, method, path }) => {
    const address = path === undefined ? '' : `${method} ${path} `;
    return `${operation.padEnd(width)}  ${certainty.padEnd(7)}  ${address} (${why})`;
  });
  const foundCount = operations.filter(({ path }) => path !== undefined).length;
  const section = (title: string, list: readonly string[]): readonly string[] =>
    list.length === 0 ? [] : ['', `${title}:`, ...list.map((line) => `  ${line}`)];
  const further = isVerbose ? '' : ` (named by --verbose)`;
  return [
    ...lines,
    ...section('Left to you', comments),
    ...section('Not understood', isVerbose ? notes.map(({ place, why }) => `${place || '(file)'}: ${why}`) : []),
    ...section('None of the thirteen operations', isVerbose ? unused : []),
    '',
    ...(privateKeyHeader === undefined ? [] : [`PRIVATE_KEY_HEADER=${privateKeyHeader}`]),
    `${foundCount} of ${operations.length} operations, ${Object.keys(rows).length} rows that differ from the defaults, ${comments.length} left to you`,
    `${unused.length} endpoints that are none of the thirteen, ${notes.length} parts that were not understood${further}`,
    '',
  ].join('\n');
}
