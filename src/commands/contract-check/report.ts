import { Document, isCollection, isNode } from 'yaml';
import { toWritten } from '../../contract/overrides-file.ts';
import type { RowDescription, RowId } from '../../contract/contract.ts';
import { toPrintable } from '../../runtime/printable.ts';
import type { CheckRun, Finding } from './check-run.ts';

export type CheckedRow = ReturnType<typeof toCheckedRows>[number];

const notRead: Finding = { state: 'not observable', why: 'a check does not read what a row adds to the graph' };

export function toCheckedRows(rows: readonly RowDescription[], findings: CheckRun['findings']) {
  return rows.map((row) => {
    const finding: Finding = findings.get(row.id as RowId) ?? notRead; // descriptions carry row ids
    const { state, seen, why } = finding;
    return { ...row, state, expected: state === 'contradicted' ? row.value : undefined, seen, why };
  });
}

/** Rows that need a person are printed last, beside the counts. */
const printedOrder: readonly Finding['state'][] = ['not observable', 'confirmed', 'contradicted'];

/** One line per row, by state, then the count of each state. */
export function printCheck(rows: readonly CheckedRow[]): string {
  const width = Math.max(...rows.map(({ id }) => id.length));
  const ordered = printedOrder.flatMap((state) => rows.filter((row) => row.state === state));
  const lines = ordered.map(({ id, state, expected, seen, why }) => {
    const remark = state === 'contradicted' ? `expected ${JSON.stringify(expected)}; seen: ${seen}` : (why ?? '');
    return `${id.padEnd(width)}  ${state.padEnd(14)}  ${remark}`.trimEnd();
  });
  const count = (state: Finding['state']): number => rows.filter((row) => row.state === state).length;
  const summary = `${count('confirmed')} confirmed, ${count('contradicted')} contradicted, ${count('not observable')} not observable`;
  return `${lines.join('\n')}\n\n${summary}\n`;
}

/**
 * One line per contradicted row for which the written file has neither a correction nor a choice: the check has found no
 * value that removes the contradiction. It does not try all values, so a person may still find one.
 */
export function listUnexplained(
  rows: readonly CheckedRow[],
  { corrections, proposals }: Pick<CheckRun, 'corrections' | 'proposals'>,
): readonly string[] {
  const hasRemedy = (id: RowId): boolean => corrections.has(id) || proposals.has(id);
  const unexplained = rows.filter(({ id, state }) => state === 'contradicted' && !hasRemedy(id as RowId)); // checked rows carry row ids
  return unexplained.map(({ id, seen }) => `no row can say this: ${id}: ${seen} (as far as the check can tell)`);
}

/** The smallest overrides file that removes the contradictions. Decisions are comments: a person must make them. */
export function createCorrectionsFile(
  previous: Readonly<Record<string, unknown>>,
  corrections: ReadonlyMap<RowId, unknown>,
  proposals: ReadonlyMap<RowId, string>,
): string {
  const comments = [...proposals]
    .filter(([id]) => !Object.hasOwn(previous, id) || previous[id] === 'undecided')
    .map(([id, evidence]) => `${id}:  # to decide: ${toPrintable(evidence).replaceAll('\n', ' ')}`);
  return writeOverrides({ ...previous, ...Object.fromEntries(corrections) }, comments, 'contract check');
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
