import { isDeepStrictEqual } from 'node:util';
import { checkRow, createContract, type Contract, type RowId } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { toPrintable } from '../../runtime/printable.ts';
import { toLine, type Note } from './api.ts';

/** Collects what an import writes: rows that differ from the defaults, and comments about open decisions. */
export interface Collector {
  /** Sets a row, unless its value is the default; a value that the row does not allow becomes a note. */
  readonly set: (id: RowId, value: unknown, place: string) => void;
  /** A line that is written as a comment. Equal lines are kept once. */
  readonly comment: (line: string) => void;
  readonly contract: () => Contract;
  readonly rows: ReadonlyMap<RowId, unknown>;
  readonly comments: ReadonlySet<string>;
  readonly note: Note;
}

export function createCollector(note: Note): Collector {
  const rows = new Map<RowId, unknown>();
  const comments = new Set<string>();
  return {
    set: (id, value, place) => {
      if (isDeepStrictEqual(contractRows[id].value, value)) return;
      // YAML would write a character that turns a line round, or a terminal's command, as it is.
      const isSeen = toPrintable(JSON.stringify(value)) === JSON.stringify(value);
      if (!isSeen || checkRow(id, value).faults.length > 0)
        return note(place, `gives ${id} a value that the row does not allow`);
      rows.set(id, value);
    },
    comment: (line) => void comments.add(toLine(line)),
    contract: () => createContract(Object.fromEntries(rows)),
    rows,
    comments,
    note,
  };
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
