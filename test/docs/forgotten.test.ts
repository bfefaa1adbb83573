/** What the compiler cannot tell: steps of CONTRIBUTING's recipes that nothing else would miss. `npm run check` runs it. */
import { globSync, readFileSync } from 'node:fs';
import { Kind, parse } from 'graphql';
import { expect, it } from 'vitest';
import { typePolicies, unkeyedTypes } from '../../src/client/index.ts';
import { addressFields } from '../../src/contract-tools/operation-kinds.ts';
import { readConfig } from '../../src/config/config.ts';
import { variables } from '../../src/config/variables.ts';
import { createContract, inputNames } from '../../src/contract/contract.ts';
import { graphNames } from '../../src/contract/graph-names.ts';
import { filterNames } from '../../src/contract/list-rows.ts';
import { inputTypes, listFields, listNames, recordKinds, writeNames } from '../../src/contract/operation-rows.ts';
import { placeRows, type Fields } from '../../src/contract/record-fields.ts';
import { records, recordTypes } from '../../src/contract/records.ts';
import { contractRows } from '../../src/contract/service-rows.ts';
import type { LimitName } from '../../src/domain/errors.ts';
import { limits } from '../../src/graphql/limits/document-limits.ts';
import { createFieldCosts } from '../../src/graphql/resolvers/field-costs.ts';
import { resolvers } from '../../src/graphql/resolvers/index.ts';
import { resolversUnder } from '../../src/graphql/schema.ts';
import { createOperations } from '../../src/upstream/operations.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

it('every operation has a resolver', () => {
  const operations = createOperations(createContract());
  const { fields, entities } = createFieldCosts(operations, resolversUnder(''));
  const resolved = [...fields.values(), ...entities.values()].map(({ operation }) => operation);
  const names = Object.keys(operations).toSorted();
  expect([...new Set(resolved)].toSorted()).toEqual(names);
});

it('every field of a write’s input is sent, and exactly the creates take an idempotency key', () => {
  const contract = createContract();
  const operations = createOperations(contract);
  const unsent = writeNames.flatMap((write) => {
    const key = operations[write].creates ? ['idempotencyKey'] : [];
    const sent = [...addressFields(write), ...inputNames(contract, write)].map(([field]) => field);
    const unlike = graphNames(inputTypes[write]).symmetricDifference(new Set([...sent, ...key]));
    return [...unlike].map((field) => `${inputTypes[write]}.${field}`);
  });
  expect(unsent).toEqual([]);
});

it('every argument of a list is its window or one of its filters', () => {
  const unlike = listNames.flatMap((list) => {
    const filters = new Set<string>([...filterNames(list), 'first', 'after']);
    return [...graphNames(listFields[list]).symmetricDifference(filters)];
  });
  expect(unlike).toEqual([]);
});

it('every field of a customer with a call of its own is known to reads of customers', () => {
  const { ownCalls } = createOperations(createContract()).getCustomer;
  const fields = Object.keys(resolvers.Customer).filter((field) => !field.startsWith('__'));
  expect([...ownCalls].toSorted()).toEqual(fields.toSorted());
});

it('every payload and edge has only the fields that the resolvers of all of them fill', () => {
  const objects = parse(read('schema.graphql')).definitions.filter((type) => type.kind === Kind.OBJECT_TYPE_DEFINITION);
  const wrappers = objects.filter(({ name }) => /(?:Payload|Edge)$/.test(name.value));
  expect(wrappers).not.toEqual([]);
  const filled = /^(?:userErrors|settlementBank|customer|virtualAccount|oneTimeAccount|cursor|node)$/;
  const unfilled = wrappers.flatMap(({ name, fields = [] }) =>
    fields.filter((field) => !filled.test(field.name.value)).map((field) => `${name.value}.${field.name.value}`),
  );
  expect(unfilled).toEqual([]);
});

it('every object inside a record, which has no id of its own, has a policy for caches', () => {
  const embedded = unkeyedTypes.filter((name) => !/(?:Connection|Edge|Payload|UserError|PageInfo)$/.test(name));
  expect(embedded.filter((name) => typePolicies[name]?.keyFields !== false)).toEqual([]);
});

it('every variable is read where settings become the configuration', () => {
  const config = read('src/config/config.ts');
  const unread = Object.keys(variables.shape).filter((name) => !new RegExp(`settings\\.${name}\\b`).test(config));
  // Their values are only compared with what is supported.
  expect(unread).toEqual(['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']);
});

it('every setting of the configuration is used', () => {
  const users = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/config/'));
  const source = users.map(read).join('\n');
  expect(Object.keys(readConfig({})).filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([]);
});

it('every contract row is read somewhere, and has a source or reason', () => {
  const readers = globSync('src/**/*.ts', { cwd: root }).filter((file) => !/-rows\.ts$|^src\/commands\//.test(file));
  const source = readers.map(read).join('\n');
  // Code names a row in full, a list's by the property of its settings, or by the end of a template: `${name}.path`.
  const isRead = (id: string): boolean => {
    const [owner = '', property = ''] = id.split('.');
    const names = [
      `'${id}'`,
      `}.${property}\``,
      ...(owner.startsWith('list') ? [`.${property}`, `'${property}'`] : []),
    ];
    return names.some((name) => source.includes(name));
  };
  const rows = Object.entries(contractRows);
  // What a table says is read by all that is derived from it.
  const ofTables = new Set(Object.entries(records).flatMap(([kind, table]) => Object.keys(placeRows(kind, table))));
  expect(rows.map(([id]) => id).filter((id) => !ofTables.has(id) && !isRead(id))).toEqual([]);
  expect(rows.filter(([, row]) => row.source.length < 'section 1'.length).map(([id]) => id)).toEqual([]);
});

it('the schema tags those fields of records and inputs as personal data that the tables mark', () => {
  const kinds = new Map<string, keyof typeof records>([
    ...Object.entries(recordTypes),
    ...writeNames.map((write) => [inputTypes[write], recordKinds[write]] as const),
  ]);
  const unlike = parse(read('schema.graphql')).definitions.flatMap((type) => {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) return [];
    const kind = kinds.get(type.name.value);
    const table: Fields = kind === undefined ? {} : records[kind];
    return (type.fields ?? [])
      .filter(({ name, directives = [] }) => (table[name.value]?.pii ?? false) !== directives.some(isTag))
      .map(({ name }) => `${type.name.value}.${name.value}`);
  });
  expect(unlike).toEqual([]);
});

const isTag = ({ name }: { readonly name: { readonly value: string } }): boolean => name.value === 'tag';

/** The limits that a deployer sets. */
const settable: Readonly<Record<Exclude<LimitName, keyof typeof limits>, true>> = {
  representations: true,
};

it.each(Object.keys({ ...limits, ...settable }))('the limit %s stands on docs/security.md and has a test', (name) => {
  expect(read('docs/security.md')).toContain(`"${name}"`);
  expect(read('test/graphql/limits.test.ts')).toContain(`'${name}'`);
});
