import { isDeepStrictEqual } from 'node:util';
import { checkRow, type RowId } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { toPrintable } from '../../runtime/printable.ts';
import { createCheckRun, type CheckRun } from '../contract-check/check-run.ts';
import { toLine, type Json, type Note } from './api.ts';
import type { FoundMatch } from './match-operations.ts';

/** Collects what an import writes: rows that differ from the defaults, and comments about open decisions. */
export interface Collector {
  /** The operations of the file that were found. */
  readonly matches: readonly FoundMatch[];
  /** Reads samples as `contract check` reads answers, and keeps the rows as its corrections. */
  readonly run: CheckRun;
  /** Sets a row, unless it has the value; a value that the row does not allow becomes a note. */
  readonly set: (id: RowId, value: unknown, place?: string) => void;
  /** A line that is written as a comment. Equal lines are kept once. */
  readonly comment: (line: string) => void;
  /**
   * A comment with a row that adds a wire name to a type or list of the graph; a note where the graph refuses it, or
   * another one has its id. Without a value in the file its type is a guess.
   */
  readonly propose: (owner: string, wire: string, row: Json, place: string, hasValue: boolean) => void;
  readonly comments: ReadonlySet<string>;
  readonly note: Note;
}

/** An operation with the bodies of its answers of success. */
export interface Success extends FoundMatch {
  readonly bodies: readonly unknown[];
}

/** The records of the file's answers by kind, such as `customer`. */
export type RecordsByKind = ReadonlyMap<string, readonly Json[]>;

export function createCollector(matches: readonly FoundMatch[], note: Note): Collector {
  const run = createCheckRun({});
  const comments = new Set<string>();
  const proposed = new Map<string, string>();
  const comment: Collector['comment'] = (line) => void comments.add(toLine(line));
  return {
    matches,
    run,
    set: (id, value, place = '') => {
      const { corrections } = run;
      if (isDeepStrictEqual(corrections.has(id) ? corrections.get(id) : contractRows[id].value, value)) return;
      // YAML would write a character that turns a line round, or a terminal's command, as it is.
      const isSeen = toPrintable(JSON.stringify(value)) === JSON.stringify(value);
      if (isSeen && checkRow(id, value).faults.length === 0) run.contradict(id, 'the file shows it', value);
      else note(place, `gives ${id} a value that the row does not allow`);
    },
    comment,
    propose: (owner, wire, row, place, hasValue) => {
      const id = `extra.${owner}.${toCamelCase(wire)}`;
      const [text, other] = [toFlow(row), proposed.get(id)];
      if (other === text) return;
      if (other !== undefined) return note(place, `${id} is proposed once, as ${other}, not as ${text}`);
      const [fault] = checkRow(id, row).faults;
      if (fault !== undefined) return note(place, `${id} cannot be added; allowed: ${fault.allowed}`);
      proposed.set(id, text);
      comment(`${id}: ${text}${hasValue ? '' : '  # unsure: the file shows no value of it'}`);
    },
    comments,
    note,
  };
}

/** A row's value as YAML on one line. */
function toFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toFlow).join(', ')}]`;
  if (isRecord(value)) {
    const members = Object.entries(value).map(([name, inner]) => `${name}: ${toFlow(inner)}`);
    return `{ ${members.join(', ')} }`;
  }
  const isPlain =
    typeof value === 'string' && /^\/?(?!(?:null|true|false|yes|no|on|off|y|n)$)[A-Za-z_][\w/-]*$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function toCamelCase(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, letter: string | undefined) =>
    (letter ?? '').toUpperCase(),
  );
}
