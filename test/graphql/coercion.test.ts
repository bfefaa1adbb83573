import { assert, constantFrom, property, record, tuple } from 'fast-check';
import {
  buildSchema,
  getArgumentValues,
  getVariableValues,
  parse,
  validate,
  type FieldNode,
  type OperationDefinitionNode,
} from 'graphql';
import { expect, it } from 'vitest';
import { coerceArguments, variableReader } from '../../src/graphql/execution/coerce-input.ts';
import type { Reader, Values } from '../../src/graphql/execution/types.ts';

const schema = buildSchema(`
  enum Color { RED GREEN }
  input Shape { size: Int! = 1, colors: [Color!], name: String, inner: Shape }
  type Query {
    field(id: ID!, count: Int = 3, texts: [String!], color: Color = RED, shape: Shape, needed: Int! = 4, flag: Boolean): Int
  }
`);
const field = schema.getQueryType()?.getFields()['field'];
if (field === undefined) throw new Error('the schema has no such field');

const readWith = (variables: Values, args: Values | Reader<Values>): Values =>
  typeof args === 'function' ? args(variables) : args;

const nothing = ['', ''] as const;
/** Ways to give an argument: what has to be declared, and what is written. */
const ways: readonly (readonly (readonly [declared: string, written: string])[])[] = [
  [
    ['$id: ID!', 'id: $id'],
    ['$id: ID! = "d"', 'id: $id'],
    ['', 'id: 7'],
  ],
  [
    nothing,
    ['$count: Int', 'count: $count'],
    ['$count: Int!', 'count: $count'],
    ['$count: Int = 7', 'count: $count'],
    ['$count: Int = null', 'count: $count'],
    ['$toString: Int', 'count: $toString'],
    ['', 'count: null'],
  ],
  [
    nothing,
    ['$texts: [String!]', 'texts: $texts'],
    ['$texts: [String!]! = ["d"]', 'texts: $texts'],
    ['$text: String!', 'texts: ["first", $text]'],
    ['$text: String! = "d"', 'texts: [$text]'],
    ['', 'texts: "alone"'],
  ],
  [nothing, ['$color: Color', 'color: $color'], ['$color: Color = GREEN', 'color: $color'], ['', 'color: GREEN']],
  [
    nothing,
    ['$shape: Shape', 'shape: $shape'],
    ['$shape: Shape = { size: 2 }', 'shape: $shape'],
    ['$size: Int, $paint: Color!', 'shape: { size: $size, colors: [RED, $paint] }'],
    ['$name: String, $inner: Shape', 'shape: { name: $name, inner: $inner }'],
    ['', 'shape: { inner: { name: "n" } }'],
  ],
  [nothing, ['$needed: Int', 'needed: $needed'], ['$needed: Int! = 5', 'needed: $needed']],
  [nothing, ['$flag: Boolean', 'flag: $flag']],
];

/** What variables may hold; the last ones are not of their types. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  id: ['x', 7, '', 8, null, 1.5],
  count: [1, 0, null, 2, 'x', 1.5],
  toString: [1, null, true],
  texts: [['a', 'b'], 'alone', [], null, ['a', null]],
  text: ['a', '', 'b', null, 1],
  color: ['RED', 'GREEN', null, 'BLUE', {}],
  shape: [{}, { size: 3, colors: 'RED' }, { inner: { name: null } }, null, { size: null }, { unknown: 1 }],
  size: [1, 2, null, 'x'],
  paint: ['RED', 'GREEN', null, 1],
  name: ['n', null, 1],
  inner: [{ colors: ['GREEN', 'RED'] }, null, { inner: { inner: [] } }, { size: 'x' }],
  needed: [1, 2, null, 'x'],
  flag: [true, false, null, 'x'],
  undeclared: [1],
};

const request = record({
  chosen: tuple(...ways.map((options) => constantFrom(...options))),
  given: record(
    Object.fromEntries(Object.entries(values).map(([name, possible]) => [name, constantFrom(...possible)])),
    { requiredKeys: [], noNullPrototype: true },
  ),
});

function documentOf(chosen: readonly (readonly [string, string])[]) {
  const declared = chosen.map(([declaration]) => declaration).filter(Boolean);
  const written = chosen.map(([, argument]) => argument).filter(Boolean);
  const document = parse(
    `query ${declared.length > 0 ? `(${declared.join(', ')})` : ''} { field(${written.join(', ')}) }`,
  );
  const operation = document.definitions[0] as OperationDefinitionNode; // there is nothing else in it
  return { document, operation, node: operation.selectionSet.selections[0] as FieldNode }; // as is there
}

/** What comes of it; undefined where it throws. */
function outcome(read: () => Values | undefined): Values | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

it('variables and arguments are coerced as graphql-js does, with as many faults', () => {
  const seen = { coerced: 0, refused: 0, refusedArguments: 0 };
  const sameAsGraphql = property(request, ({ chosen, given }) => {
    const { document, operation, node } = documentOf(chosen);
    expect(validate(schema, document)).toEqual([]);
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
    const own = variableReader(schema, operation)(given);
    expect(own.values && { ...own.values }).toStrictEqual(coerced);
    expect(own.errors?.length).toBe(errors && Math.min(errors.length, 6));
    seen[coerced === undefined ? 'refused' : 'coerced'] += 1;
    if (coerced === undefined) return;
    const args = outcome(() => getArgumentValues(field, node, coerced));
    expect(outcome(() => readWith(coerced, coerceArguments(field, node)))).toStrictEqual(args);
    if (args === undefined) seen.refusedArguments += 1;
  });
  assert(sameAsGraphql, { seed: 20_260_101, numRuns: 500 });
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(2);
});
