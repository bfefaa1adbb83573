import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { createContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { starterCases } from '../../src/contract-tools/cases/starter-cases.ts';
import { parseCases, testCases } from '../../src/contract-tools/cases/test-cases.ts';
import { openVendorFile } from '../../src/contract-tools/import/import.ts';
import { startDialectFive } from '../support/dialects/five.ts';
import { startDialectFour } from '../support/dialects/four.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { startDialectThree } from '../support/dialects/three.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { differingRows } from './vendor/imported-rows.ts';
import { type documentService, importService, toOpenApi, toPostman } from './vendor/vendor-file.ts';

const fileOf = (name: string) => new URL(name, import.meta.url).pathname;
const rowsOf = (name: string) => parseOverrides(readFileSync(fileOf(`${name}.yaml`), 'utf8'), name).overrides;

/** Files of five styles, each beside the rows that a person has compared with it: `collection.rows.yaml`. */
it.each([
  ['schemas.yaml', 13, 30],
  ['collection.json', 8, 10],
  ['references.json', 6, 25],
  ['queries.json', 13, 40],
  ['resources.json', 13, 30],
])('writes of %s no row that a person would not', async (file, operations, rows) => {
  const result = await (await openVendorFile(fileOf(`vendor/${file}`))).import([]);
  expect(differingRows(result, rowsOf(`vendor/${file.replace(/\.\w+$/, '')}.rows`))).toEqual([]);
  expect(result.operations.filter(({ path }) => path !== undefined)).toHaveLength(operations);
  expect(Object.keys(result.rows).length).toBeGreaterThanOrEqual(rows);
});

const services = {
  bank: [() => startBank({ port: 0, database: ':memory:' }), embeddedContract],
  one: [startDialectOne, rowsOf('../support/dialects/one')],
  two: [startDialectTwo, rowsOf('../support/dialects/two')],
  three: [startDialectThree, rowsOf('../support/dialects/three')],
  four: [startDialectFour, rowsOf('../support/dialects/four')],
  five: [startDialectFive, rowsOf('../support/dialects/five')],
} as const;
type Documented = Awaited<ReturnType<typeof documentService>>;
const files = {
  'a Postman collection': toPostman,
  'OpenAPI with samples': (documented: Documented) => toOpenApi(documented, 'samples'),
  'OpenAPI with schemas': (documented: Documented) => toOpenApi(documented, 'schemas'),
} as const;

type Case = readonly [service: string, kind: string];
const casesOf = (...names: readonly string[]): readonly Case[] =>
  names.flatMap((service) => Object.keys(files).map((kind) => [service, kind] as const));

async function importAs([service, kind]: Case, mappings?: readonly string[]) {
  const [start, overrides] = services[service as keyof typeof services];
  const result = await importService(start, overrides, files[kind as keyof typeof files], mappings);
  return { result, differing: differingRows(result, overrides) };
}

it.each(casesOf('bank', 'one', 'two', 'three', 'five'))(
  'writes no wrong row of the service %s, documented as %s',
  async (...each) => {
    const { result, differing } = await importAs(each);
    expect(differing).toEqual([]);
    expect(result.operations.filter(({ path }) => path !== undefined).length).toBeGreaterThanOrEqual(8);
  },
);

// Its lists wrap their records one by one, as single answers do, and a person says which of two endpoints lists customers.
it.each(casesOf('four'))('writes no wrong row of the service %s, documented as %s', async (...each) => {
  expect((await importAs(each, ['listCustomers=GET /api/v1/customers'])).differing).toEqual([]);
});

it.each(['bank', 'one', 'two'] as const)(
  'writes cases of the samples of %s that pass under its rows',
  async (service) => {
    const [start, overrides] = services[service];
    const { samples, contract, rows } = await importService(start, overrides, toPostman);
    const text = await starterCases(samples, contract);
    const results = await testCases(createContract(rows), parseCases(text, 'cases.yaml', contract));
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(9);
    expect(text).not.toMatch(/ada-import|import-1|wal_0001|0123456788/);
  },
);
