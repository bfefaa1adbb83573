import { isDeepStrictEqual } from 'node:util';
import { isMap, type Document } from 'yaml';
import { z } from 'zod';
import type { Row } from './row.ts';
import { contractRows } from './service-rows.ts';
import { extraSchemas } from './extra-rows.ts';
import { checkOverrides, overDefaults, type RowId } from './contract.ts';
import { isPlainFile, parsePlainYaml, type FilePath } from './plain-yaml.ts';

/** The overrides in a file, and every fault in it as `file:line: key: found …; allowed: …`. */
interface OverridesFile {
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

/**
 * Reads overrides from YAML or JSON: `version: 1` and `rows`, by row id. A row's value stands as it is, or, where it
 * changes a fact, as `{ value, acknowledge: true }`.
 */
export function parseOverrides(text: string, file: string): OverridesFile {
  const plain = parsePlainYaml(text, file);
  if (!isPlainFile(plain)) return { overrides: {}, faults: plain };
  const reports: { readonly line: number; readonly fault: string }[] = [];
  const report: Report = (path, allowed) =>
    void reports.push({ line: plain.lineOf(path), fault: plain.describeFault(path, allowed) });
  const overrides = readRows(plain.document, report);
  const faults = reports.toSorted((one, other) => one.line - other.line).map(({ fault }) => fault);
  return { overrides, faults };
}

type Report = (path: FilePath, allowed: string) => void;

function readRows(document: Document, report: Report): Readonly<Record<string, unknown>> {
  if (!isMap(document.contents)) {
    report([], 'a map with `version` and `rows`');
    return {};
  }
  if (document.get('version') !== 1) report(['version'], '1');
  const root = document.toJS({ maxAliasCount: 0 }) as Readonly<Record<string, unknown>>; // isMap has just proved it a map
  for (const key of Object.keys(root)) {
    if (key !== 'version' && key !== 'rows') report([key], '`version` and `rows` only');
  }
  const rows: unknown = root['rows'] ?? {};
  if (typeof rows !== 'object' || rows === null || Array.isArray(rows)) {
    report(['rows'], 'a map of row ids to values');
    return {};
  }
  const written = Object.entries(rows).map(([id, row]) => ({ id, ...unwrap(id, row) }));
  for (const { id, value, isAcknowledged, extraKeys } of written) {
    for (const key of extraKeys) report(['rows', id, key], '`value` and `acknowledge` only');
    if (isFact(id) && !isAcknowledged && !restatesDefault(id, value)) report(['rows', id], factRule(id));
  }
  const { faults } = checkOverrides(Object.fromEntries(written.map(({ id, value }) => [id, value])));
  const places = new Map(written.map(({ id, path }) => [id, path]));
  for (const { id, path = [], allowed } of faults) report([...(places.get(id) ?? ['rows', id]), ...path], allowed);
  const faulty = new Set(faults.map(({ id }) => id));
  return Object.fromEntries(written.filter(({ id }) => !faulty.has(id)).map(({ id, value }) => [id, value]));
}

/** A row's value, bare or beside its acknowledgement. */
function unwrap(id: string, written: unknown) {
  const isWrapped = typeof written === 'object' && written !== null && Object.hasOwn(written, 'acknowledge');
  if (!isWrapped) return { value: written, isAcknowledged: false, extraKeys: [], path: ['rows', id] };
  const { value, acknowledge } = written as { readonly value?: unknown; readonly acknowledge: unknown }; // hasOwn has found one
  const extraKeys = Object.keys(written).filter((key) => key !== 'value' && key !== 'acknowledge');
  return { value, isAcknowledged: acknowledge === true, extraKeys, path: ['rows', id, 'value'] };
}

function isFact(id: string): boolean {
  return Object.hasOwn(contractRows, id) && contractRows[id as RowId].kind === 'fact'; // hasOwn has proved it a row's id
}

/** A row's value as it is written in a file: that of a fact with its acknowledgement. */
export function toWritten(id: string, value: unknown): unknown {
  return isFact(id) ? { value, acknowledge: true } : value;
}

/** Whether an override repeats a fact's own value; of names also a part of them. Such a row needs no acknowledgement. */
function restatesDefault(id: string, value: unknown): boolean {
  const { value: fact } = contractRows[id as RowId]; // called for facts only, which are rows
  return isDeepStrictEqual(overDefaults({ [id]: value })[id], fact);
}

function factRule(id: string): string {
  const { source } = contractRows[id as RowId]; // called for facts only, which are rows
  return `{ value: …, acknowledge: true }, since this row is a fact of the interface document (${source})`;
}

/** The JSON Schema of the file, generated from the table: editors complete and explain rows with it. */
export function overridesSchema(): unknown {
  const rows = Object.fromEntries(Object.entries<Row<unknown>>(contractRows).map(([id, row]) => [id, rowSchema(row)]));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Overrides of the settlement-graph contract',
    type: 'object',
    properties: {
      version: { const: 1 },
      // A file whose rows are all comments has null.
      rows: {
        type: ['object', 'null'],
        properties: rows,
        patternProperties: extraSchemas(),
        additionalProperties: false,
      },
    },
    required: ['version'],
    additionalProperties: false,
  };
}

function rowSchema({ kind, source, value, schema }: Row<unknown>): unknown {
  const { $schema: _, ...plain } = z.toJSONSchema(schema);
  const wrapped = {
    type: 'object',
    properties: { value: plain, acknowledge: { const: true } },
    required: ['value', 'acknowledge'],
    additionalProperties: false,
  };
  const description = `${kind}: ${source}. Default: ${JSON.stringify(value)}`;
  return { description, anyOf: [kind === 'fact' ? { const: value } : plain, wrapped] };
}
