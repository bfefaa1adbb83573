import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createContract, pathTemplate, type OperationName, type RowId } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { openVendorFile } from '../../src/contract-tools/import/import.ts';

const fileOf = (name: string) => new URL(`../support/vendor-files/${name}`, import.meta.url).pathname;

/** Files of five styles, each beside the rows that a person has compared with it: `collection.rows.yaml`. */
it.each([
  ['schemas.yaml', 13, 30],
  ['collection.json', 8, 10],
  ['references.json', 6, 25],
  ['queries.json', 13, 40],
  ['resources.json', 13, 30],
])('writes of %s no row that a person would not', async (file, operations, rows) => {
  const name = `${file.replace(/\.\w+$/, '')}.rows.yaml`;
  const { overrides, faults } = parseOverrides(readFileSync(fileOf(name), 'utf8'), name);
  expect(faults).toEqual([]);
  const byHand = createContract(overrides);
  const result = await (await openVendorFile(fileOf(file))).import([]);
  const written = Object.keys(result.rows).filter((row) => row !== 'service.prefix') as RowId[];
  // Of names only those that the file shows; the path below the prefix says as much as the two together.
  const valueOf = (contract: typeof byHand, row: RowId): unknown => {
    const value = contract[row];
    if (row.endsWith('.path')) return pathTemplate(contract, row.slice(0, -'.path'.length) as OperationName);
    if (row.endsWith('.body'))
      return Object.keys(result.rows[row] as object).map((field) => (value as Record<string, string>)[field]);
    return row.endsWith('.required') ? (value as readonly string[]).toSorted() : value;
  };
  const valuesOf = (contract: typeof byHand) => Object.fromEntries(written.map((row) => [row, valueOf(contract, row)]));
  expect(valuesOf(result.contract)).toEqual(valuesOf(byHand));
  expect(result.operations.filter(({ path }) => path !== undefined)).toHaveLength(operations);
  expect(written.length).toBeGreaterThanOrEqual(rows);
});
