import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

import type { Field } from '../../contract/record-fields.ts';
import { records } from '../../contract/records.ts';

/** A record in the wire format: its columns are the wire names. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** The requested part of a list; `page` starts at 1. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

export interface Page {
  readonly rows: readonly Row[];
  readonly total: number;
}

interface Selection {
  readonly columns: string;
  readonly table: string;
  readonly where: string;
  /** The order of a list by creation. */
  readonly order?: 'ASC' | 'DESC';
}

/** A list with its total; `bindings` are the values of the condition's parameters. */
export const preparePages = (database: DatabaseSync, { columns, table, where, order = 'ASC' }: Selection) => {
  const rows = database.prepare(
    `SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY sequence ${order} LIMIT :limit OFFSET :offset`,
  );
  const count = database.prepare(`SELECT count(*) AS total FROM ${table} WHERE ${where}`);
  return (bindings: Readonly<Record<string, SQLInputValue>>, { page, perPage }: PageRequest): Page => ({
    rows: rows.all({ ...bindings, limit: perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) }),
    total: Number(count.get(bindings)?.['total']),
  });
};

/** Values by column; names without a column (nin, bvn) are ignored. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** The records of one collection, each visible to its merchant only. */
export type Records = ReturnType<typeof prepareRecords>;

/** A table of records that requests create and change: its columns are those fields that writes send and answers have. */
export interface Collection {
  readonly kind: 'settlementBank' | 'customer';
  readonly table: string;
  /** The columns that only the bank sets, except id and times. */
  readonly internalFields: readonly string[];
  /** SQL of the text that `search` is matched against. */
  readonly searchText: string;
  /** The columns that together are one record's alone, for each merchant. */
  readonly unique: string;
}

export const settlementBankCollection: Collection = {
  kind: 'settlementBank',
  table: 'settlement_banks',
  internalFields: [],
  searchText: 'concat_ws(char(10), name, account_name, account_no)',
  unique: 'account_no, bank_code',
};

export const customerCollection: Collection = {
  kind: 'customer',
  table: 'customers',
  internalFields: ['status'],
  searchText: "concat_ws(char(10), first_name || ' ' || last_name, reference, email)",
  unique: 'reference',
};

/** The columns of a collection that a request can set. Identity numbers are never read back, and not stored. */
export const columnsOf = ({ kind }: Collection): readonly string[] =>
  Object.values<Field>(records[kind]).flatMap(({ at, write }) => (at === null ? [] : (write ?? [])));

export const prepareRecords = (database: DatabaseSync, collection: Collection) => {
  const { table, internalFields, searchText } = collection;
  const fields = columnsOf(collection);
  const columns = ['id', ...fields, ...internalFields, 'created_at', 'updated_at'].join(', ');
  const bind = (values: Fields): Record<string, string | null> =>
    Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
  const pages = preparePages(database, {
    columns,
    table,
    where: `merchant = :merchant AND (:search IS NULL OR instr(folded(${searchText}), folded(:search)) > 0)`,
  });
  const find = database.prepare(`SELECT ${columns} FROM ${table} WHERE id = :id AND merchant = :merchant`);
  const insert = database.prepare(
    `INSERT INTO ${table} (merchant, id, ${fields.join(', ')}, created_at, updated_at)
     VALUES (:merchant, :id, ${fields.map((field) => `:${field}`).join(', ')}, :now, :now)
     ON CONFLICT DO NOTHING RETURNING ${columns}`,
  );
  const update = database.prepare(
    `UPDATE OR IGNORE ${table} SET updated_at = :now, ${fields.map((field) => `${field} = coalesce(:${field}, ${field})`).join(', ')}
     WHERE id = :id AND merchant = :merchant RETURNING ${columns}`,
  );
  return {
    list: (merchant: string, search: string | null, page: PageRequest): Page => pages({ merchant, search }, page),
    find: (merchant: string, id: string): Row | undefined => find.get({ merchant, id }),
    /** Undefined where another record of the merchant has the same unique values. */
    insert: (merchant: string, id: string, values: Fields, now: string): Row | undefined =>
      insert.get({ ...bind(values), merchant, id, now }),
    /** Changes the columns with a value; undefined as for `insert`. */
    update: (merchant: string, id: string, values: Fields, now: string): Row | undefined =>
      update.get({ ...bind(values), merchant, id, now }),
  };
};
