import { writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { createContract } from '../../contract/contract.ts';
import { flag, isSameFile, parseFileCommand, printReport, text } from '../command-line.ts';
import { starterCases } from '../contract-cases/starter-cases.ts';
import { writeOverrides } from '../contract-check/report.ts';
import { plainHeader, plainUrl } from '../environment-file.ts';
import { toLine, type Note } from './api.ts';
import { findUnreadable, toCaseSamples } from './case-samples.ts';
import { collectAnswerRows } from './rows/answer-rows.ts';
import { createCollector, type Collector } from './collector.ts';
import { matchOperations, type FoundMatch } from './match-operations.ts';
import { readApiFile } from './read-file.ts';
import { collectFilters, collectRequestRows } from './rows/request-rows.ts';

const maxNotes = 200;

export type Import = Awaited<ReturnType<typeof importFile>>;

/** Turns a vendor's file into contract overrides. Throws an Error where the file cannot be read. */
export async function importFile(file: string) {
  const notes = new Map<string, { readonly place: string; readonly why: string }>();
  const note: Note = (place, why) => {
    if (notes.size < maxNotes) notes.set(`${place} ${why}`, { place: toLine(place), why: toLine(why) });
    else notes.set('', { place: '', why: `more than these ${maxNotes}; the others are not listed` });
  };
  const { format, host: ofDocument, operations: apis } = await readApiFile(file, note);
  const { matches, prefix, host = ofDocument, unused } = matchOperations(apis, ofDocument);
  const foundMatches = matches.filter((match): match is FoundMatch => match.api !== undefined);
  const collector = createCollector(foundMatches, note);
  const header = collectRequestRows(collector, prefix);
  const address = host !== undefined && URL.canParse(host) ? host : undefined;
  const server = keepPlain(note, address, plainUrl, "the service's address");
  const privateKeyHeader = keepPlain(note, header, plainHeader, "the private key's header");
  if (foundMatches.length > 0) collectFilters(collector, collectAnswerRows(collector));
  for (const { operation, certainty, why, places, api } of matches) {
    const further = places.length > 5 ? ` and ${places.length - 5} more` : '';
    const candidateList = places.length === 0 ? '' : ` (${places.slice(0, 5).join(', ')}${further})`;
    if (api === undefined) collector.comment(`${operation}.path: # ${certainty}: ${why}${candidateList}`);
  }
  // The comment on a row that is unsure names its candidates.
  const candidates = new Map(matches.flatMap(({ places, api }) => places.map((place) => [place, api] as const)));
  for (const { place } of unused)
    if (!candidates.has(place)) note(place, 'none of the thirteen operations');
    else if (candidates.get(place) !== undefined) note(place, 'a candidate that was not taken');
  const rows = toRows(collector);
  const contract = createContract(rows);
  const unreadable = await findUnreadable(foundMatches, contract);
  for (const [operation, why] of unreadable)
    collector.comment(`${operation}: # unsure: these rows cannot read an answer that the file itself shows: ${why}`);
  const comments = [...collector.comments];
  return {
    format,
    server,
    privateKeyHeader,
    operations: matches.map(({ api: _api, idInBody: _idInBody, ...match }) => match),
    /** Operations with an answer of success in the file that the rows cannot read. */
    unreadable: [...unreadable.keys()],
    rows,
    /** Decisions, what is unsure, and rows that would add to the graph: lines for a person. */
    comments,
    /** Parts that were not understood or not used, by their place in the file. */
    notes: [...notes.values()],
    /** The overrides file as text. */
    yaml: writeOverrides(rows, comments, 'contract import'),
    /** The text of a cases file made of the samples, their values replaced by obviously fake ones. */
    starter: () => starterCases(toCaseSamples(foundMatches, contract), contract),
  };
}

/** The rows to write. The number of digits is left to a person: a schema shows none, and a sample only its own. */
function toRows({ run, comment }: Collector): Readonly<Record<string, unknown>> {
  const rows = new Map(run.corrections);
  for (const id of rows.keys()) {
    if (!id.endsWith('.digits')) continue;
    rows.delete(id);
    comment(`${id}: # to decide: they come as JSON numbers; how many digits have they with their zeros in front?`);
  }
  return Object.fromEntries(rows);
}

/** A value that is copied into files and shells; one that is not plain there is named, and not taken. */
function keepPlain(note: Note, value: string | undefined, rule: z.ZodType<string, string>, what: string) {
  const fault = value === undefined ? undefined : rule.safeParse(value).error?.issues[0]?.message;
  if (fault === undefined) return value;
  note('', `${what} is not taken; ${fault}`);
  return undefined;
}

/** Whether all thirteen operations were found, be it by their names alone, and the file's own answers can be read. */
export function isComplete({ operations, unreadable }: Pick<Import, 'operations' | 'unreadable'>): boolean {
  return unreadable.length === 0 && operations.every(({ certainty }) => certainty === 'sure' || certainty === 'likely');
}

/** `settlement-graph contract import FILE [--write FILE] [--cases FILE] [--json]`: 0 where the import is complete, else 1. */
export async function importCommand(args: readonly string[]): Promise<number> {
  const options = { json: flag, write: text, cases: text };
  const { file, values } = parseFileCommand(args, options, 'contract import needs the name of one file.');
  for (const target of [values.write, values.cases])
    if (target !== undefined && isSameFile(target, file))
      throw new Error(`${target}: is the vendor's file; allowed: another one.`);
  const { yaml, starter, ...result } = await importFile(file);
  printReport(values.json === true ? result : printImport(result));
  if (values.write !== undefined) writeFileSync(values.write, yaml);
  if (values.cases !== undefined) writeFileSync(values.cases, await starter());
  return isComplete(result) ? 0 : 1;
}

/** The operations, what is left to a person, what was not understood, and the counts. */
export function printImport(result: Omit<Import, 'yaml' | 'starter'>): string {
  const { operations, rows, comments, notes, privateKeyHeader } = result;
  const width = Math.max(...operations.map(({ operation }) => operation.length));
  const lines = operations.map(
    ({ operation, certainty, why, path }) =>
      `${operation.padEnd(width)}  ${certainty.padEnd(7)}  ${path ?? ''}  (${why})`,
  );
  const foundCount = operations.filter(({ path }) => path !== undefined).length;
  const unused = notes.map(({ place, why }) => `${place || '(file)'}: ${why}`);
  return [
    ...lines,
    ...section('Left to you', comments),
    ...section('Not understood or not used', unused),
    '',
    ...(privateKeyHeader === undefined ? [] : [`PRIVATE_KEY_HEADER=${privateKeyHeader}`]),
    `${foundCount} of ${operations.length} operations, ${Object.keys(rows).length} rows that differ from the defaults, ${comments.length} left to you`,
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}
