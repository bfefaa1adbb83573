import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { findAddressFaults } from './addressing.ts';
import type { Row } from './row.ts';
import { contractRows } from './service-rows.ts';
import { extraSchemas, isExtraId, type Extra } from './extra-rows.ts';
import { checkRow, overDefaults, type RowId } from './contract.ts';
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
  const overrides = readRows(plain.value, report);
  const faults = reports.toSorted((one, other) => one.line - other.line).map(({ fault }) => fault);
  return { overrides, faults };
}

type Report = (path: FilePath, allowed: string) => void;

function readRows(root: unknown, report: Report): Readonly<Record<string, unknown>> {
  const overrides: Record<string, unknown> = {};
  const extras: Extra[] = [];
  if (!isMap(root)) {
    report([], 'a map with `version` and `rows`');
    return overrides;
  }
  if (root['version'] !== 1) report(['version'], '1');
  for (const key of Object.keys(root)) {
    if (key !== 'version' && key !== 'rows') report([key], '`version` and `rows` only');
  }
  const rows = root['rows'] ?? {};
  if (!isMap(rows)) {
    report(['rows'], 'a map of row ids to values');
    return overrides;
  }
  for (const [id, written] of Object.entries(rows)) {
    const { value, isAcknowledged, extraKeys, path } = unwrap(id, written);
    const result = checkRow(id, value);
    for (const key of extraKeys) report(['rows', id, key], '`value` and `acknowledge` only');
    for (const fault of result.faults) report([...path, ...fault.path], fault.allowed);
    if (isFact(id) && !isAcknowledged && !restatesDefault(id, result.value)) report(['rows', id], factRule(id));
    if (result.faults.length > 0) continue;
    overrides[id] = isExtraId(id) ? value : result.value;
    if (isExtraId(id)) extras.push(result.value as Extra); // it has no fault
  }
  for (const { id, allowed } of findAddressFaults({ ...overDefaults(overrides), extras }))
    report(['rows', id], allowed);
  return overrides;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
