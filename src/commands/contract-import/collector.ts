import { isDeepStrictEqual } from 'node:util';
import { checkRow, createContract, type Contract, type RowId } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { toPrintable } from '../../runtime/printable.ts';
import { toLine, type Note } from './api.ts';

type Json = Readonly<Record<string, unknown>>;

/** Collects what an import writes: rows that differ from the defaults, and comments about open decisions. */
export interface Collector {
  /** Sets a row, unless its value is the default; a value that the row does not allow becomes a note. */
  readonly set: (id: RowId, value: unknown, place: string) => void;
  /** A line that is written as a comment. Equal lines are kept once. */
  readonly comment: (line: string) => void;
  /** A comment with a row that adds to the graph; a note where the graph refuses it, or another one has its id. */
  readonly propose: (id: string, row: Json, place: string, doubt?: string) => void;
  readonly contract: () => Contract;
  readonly rows: ReadonlyMap<RowId, unknown>;
  readonly comments: ReadonlySet<string>;
  readonly note: Note;
}

export function createCollector(note: Note): Collector {
  const rows = new Map<RowId, unknown>();
  const comments = new Set<string>();
  const proposed = new Map<string, string>();
  const comment: Collector['comment'] = (line) => void comments.add(toLine(line));
  return {
    set: (id, value, place) => {
      if (isDeepStrictEqual(contractRows[id].value, value)) return;
      // YAML would write a character that turns a line round, or a terminal's command, as it is.
      const isSeen = toPrintable(JSON.stringify(value)) === JSON.stringify(value);
      if (!isSeen || checkRow(id, value).faults.length > 0)
        return note(place, `gives ${id} a value that the row does not allow`);
      rows.set(id, value);
    },
    comment,
    propose: (id, row, place, doubt = '') => {
      const [text, other] = [toFlow(row), proposed.get(id)];
      if (other === text) return;
      if (other !== undefined) return note(place, `${id} is proposed once, as ${other}, not as ${text}`);
      const [fault] = checkRow(id, row).faults;
      if (fault !== undefined) return note(place, `${id} cannot be added; allowed: ${fault.allowed}`);
      proposed.set(id, text);
      comment(`${id}: ${text}${doubt}`);
    },
    contract: () => createContract(Object.fromEntries(rows)),
    rows,
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

/** Added to an `extra` row whose type is a guess. */
export function doubtOf(value: unknown): string {
  return (value ?? null) === null ? '  # unsure: the file shows no value of it' : '';
}

/** The name of an `extra` field for a wire name. */
export function toCamelCase(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, letter: string | undefined) =>
    (letter ?? '').toUpperCase(),
  );
}
