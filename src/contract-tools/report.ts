import { Document, isCollection, isNode } from 'yaml';
import type { RowDescription, RowId } from '../contract/contract.ts';
import { toWritten } from '../contract/overrides-file.ts';
import { toPrintable } from '../runtime/printable.ts';
import type { CheckRun, Finding } from './check/check-run.ts';

export type CheckedRow = ReturnType<typeof toCheckedRows>[number];

const notRead: Finding = { state: 'not observable', why: 'a check does not read what a row adds to the graph' };

export function toCheckedRows(rows: readonly RowDescription[], findings: CheckRun['findings']) {
  return rows.map((row) => {
    const { state, seen, why }: Finding = findings.get(row.id as RowId) ?? notRead; // descriptions carry row ids
    return { ...row, state, expected: state === 'contradicted' ? row.value : undefined, seen, why };
  });
}

/** The contradicted rows, why others are not observable, and the count of each state. */
export function printCheck(rows: readonly CheckedRow[]): string {
  const of = (state: Finding['state']) => rows.filter((row) => row.state === state);
  const contradicted = of('contradicted');
  const width = Math.max(...rows.map(({ id }) => id.length));
  const lines = contradicted.map(
    ({ id, expected, seen }) =>
      `${id.padEnd(width)}  contradicted    expected ${JSON.stringify(expected)}; seen: ${seen}`,
  );
  const reasons = [...Map.groupBy(of('not observable'), ({ why }) => why ?? '')]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(
      ([why, { length, 0: first }]) =>
        `${String(length).padStart(4)} not observable: ${why}${length === 1 ? ` (${first?.id})` : ''}`,
    );
  const summary = `${of('confirmed').length} confirmed, ${contradicted.length} contradicted, ${of('not observable').length} not observable`;
  return `${[...lines, ...(lines.length > 0 ? [''] : []), ...reasons].join('\n')}\n\n${summary}\n`;
}

/**
 * The smallest overrides file that removes the contradictions. Questions are comments: a person must answer them. Those of
 * the file that it replaces stay while their rows are open.
 */
export function createCorrectionsFile(
  previous: Readonly<Record<string, unknown>>,
  corrections: ReadonlyMap<RowId, unknown>,
  questions: ReadonlyMap<RowId, string>,
  previousText = '',
): string {
  const overrides = { ...previous, ...Object.fromEntries(corrections) };
  const isOpen = (id: string): boolean => !Object.hasOwn(previous, id) || previous[id] === 'undecided';
  const asked = [...questions].map(
    ([id, question]) => `${id}:  # to decide: ${toPrintable(question).replaceAll('\n', ' ')}`,
  );
  const kept = openComments(previousText).filter((line) => {
    const id = rowIdIn(line);
    return !Object.hasOwn(overrides, id) && !questions.has(id as RowId);
  });
  const comments = [...asked.filter((line) => isOpen(rowIdIn(line))), ...kept];
  return writeOverrides(overrides, comments, 'contract check');
}

/** The questions that stand in a file as comments of their own. */
function openComments(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}# ([\w.]+:.*# (?:to decide|unsure).*)$/gm)].map(([, line = '']) => line);
}

/**
 * An overrides file with these rows. A comment, `ID: …` or `ID: # …`, stands below them as a row that can be uncommented,
 * or inside the row that has its id already, since a file may name each row once.
 */
export function writeOverrides(
  overrides: Readonly<Record<string, unknown>>,
  comments: readonly string[],
  writer: 'contract check' | 'contract import',
): string {
  const rows = Object.entries(overrides).map(([id, value]) => [id, toWritten(id, value)] as const);
  const groups = Map.groupBy(comments, (line) => (Object.hasOwn(overrides, rowIdIn(line)) ? rowIdIn(line) : ''));
  const body = new Document({ version: 1, rows: Object.fromEntries(rows) }, { aliasDuplicateObjects: false });
  for (const [id, lines] of groups) {
    const node = body.getIn(['rows', id], true);
    const text = lines.map((line) => line.slice(id.length + 1).replace(/^ +(?:# )?/, ' ')).join('\n');
    if (isCollection(node) && node.items.length > 0) node.commentBefore = text;
    else if (isNode(node)) node.comment = text;
  }
  const further = (groups.get('') ?? []).map((line) => `  # ${line}\n`).join('');
  // Below `rows: {}` no row could be uncommented.
  if (rows.length === 0 && further !== '') body.set('rows', null);
  const yaml = String(body).replace(/^rows: null$/m, 'rows:');
  return `# Written by settlement-graph ${writer}. Read it before you use it.\n${yaml}${further}`;
}

function rowIdIn(comment: string): string {
  return comment.slice(0, comment.indexOf(':'));
}
