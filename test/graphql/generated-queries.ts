import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

/** Arguments by field, each with what makes its answer's name different from that of others. */
const args: Readonly<Record<string, readonly string[]>> = {
  customer: ['(id: "c1")', '(id: "c2")', '(id: "c3")', '(id: $id)', '(id: "..")'],
  settlementBank: ['(id: "b1")', '(id: "b2")', '(id: $id)'],
  customers: ['', '(first: 2)', '(first: $first)', '(after: "nonsense")', '(search: "x")'],
  settlementBanks: ['', '(first: 3)', '(first: 500)'],
  transactions: ['', '(first: $first)', '(first: 1)'],
  virtualAccounts: ['', '(first: 2)'],
  _entities: [
    '(representations: $representations)',
    '(representations: [{ __typename: "Customer", id: "c2" }, { __typename: "SettlementBank", id: "b1" }])',
  ],
  __type: ['(name: "Money")'],
};

const conditions = [
  '',
  '',
  '',
  '',
  ' @include(if: $yes)',
  ' @skip(if: $yes)',
  ' @skip(if: $no)',
  ' @include(if: true)',
];

/** The same numbers for the same seed, each from 0 to below 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A valid query over any part of the schema: aliases, fragments of both kinds, conditions, unions, introspection. */
export function generateQuery(schema: GraphQLSchema, seed: number): string {
  const next = numbersFrom(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(next() * values.length)] as Value; // never empty
  const fragments: string[] = [];

  const fieldText = (field: GraphQLField<unknown, unknown>, depth: number): string => {
    const choices = args[field.name] ?? [''];
    const choice = Math.floor(next() * choices.length);
    const alias = choice > 0 ? `${field.name}${choice}: ` : next() < 0.15 ? `other_${field.name}: ` : '';
    return `${alias}${field.name}${choices[choice]}${pick(conditions)}${selectionOf(getNamedType(field.type), depth - 1)}`;
  };

  const fieldsOf = (type: GraphQLNamedType, depth: number): string => {
    if (isUnionType(type)) {
      return [
        '__typename',
        ...schema.getPossibleTypes(type).map((one) => `... on ${one.name} { ${fieldsOf(one, depth)} }`),
      ].join(' ');
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return '__typename';
    const usable = Object.values(type.getFields()).filter(
      (field) => depth > 1 || selectionOf(getNamedType(field.type), 0) === '',
    );
    const chosen = usable.filter(() => next() < 0.4).map((field) => fieldText(field, depth));
    const repeated = chosen.filter(() => next() < 0.1);
    return ['__typename', ...chosen, ...repeated].join(' ');
  };

  const selectionOf = (type: GraphQLNamedType, depth: number): string => {
    if (!isObjectType(type) && !isInterfaceType(type) && !isUnionType(type)) return '';
    if (depth <= 0) return ' { __typename }';
    const inner = fieldsOf(type, depth);
    const way = next();
    if (way > 0.2 || isUnionType(type)) return ` { ${inner} }`;
    if (way > 0.1) return ` { ... on ${type.name}${pick(conditions)} { ${inner} } ${fieldsOf(type, 1)} }`;
    fragments.push(`fragment F${fragments.length} on ${type.name} { ${inner} }`);
    return ` { ...F${fragments.length - 1}${pick(conditions)} }`;
  };

  const body = selectionOf(schema.getQueryType() as GraphQLNamedType, 6); // every schema here has one
  const used = `${body} ${fragments.join(' ')}`;
  const declared = [
    ['$id', 'ID! = "c2"'],
    ['$first', 'Int! = 2'],
    ['$yes', 'Boolean! = true'],
    ['$no', 'Boolean!'],
    ['$representations', '[_Any!]!'],
  ].filter(([name]) => new RegExp(`\\${name}\\b`).test(used));
  const variables = declared.length === 0 ? '' : `(${declared.map(([name, type]) => `${name}: ${type}`).join(', ')})`;
  return `query Q${variables}${body} ${fragments.join(' ')}`;
}
