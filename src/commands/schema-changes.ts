import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  findBreakingChanges,
  findDangerousChanges,
  isTypeDefinitionNode,
  Kind,
  parse,
  print,
  type ConstDirectiveNode,
  type GraphQLSchema,
} from 'graphql';

interface SchemaChanges {
  /** An operation or a composition that worked before may fail: only a new major version may have such changes. */
  readonly breaking: readonly string[];
  /** A client may receive values that it does not expect: another enum value, another default. */
  readonly dangerous: readonly string[];
}

/** Directives that other subgraphs may need to compose; graphql-js does not compare applied directives. */
const compositionDirectives: ReadonlySet<string> = new Set(['key', 'shareable']);

export function compareSchemas(before: string, after: string): SchemaChanges {
  const previous = buildSubgraphSchema(parse(before));
  const current = buildSubgraphSchema(parse(after));
  const kept = new Set(factsIn(after).map(({ id }) => id));
  const removed = factsIn(before).filter(({ id, coordinate }) => !kept.has(id) && exists(coordinate, current));
  const removedOf = (isBreaking: boolean) =>
    removed.filter(({ name }) => compositionDirectives.has(name) === isBreaking);
  const describe = (changes: readonly { readonly description: string }[]) => [
    ...new Set(changes.map(({ description }) => description)),
  ];
  return {
    breaking: describe([...findBreakingChanges(previous, current), ...removedOf(true)]),
    dangerous: describe([...findDangerousChanges(previous, current), ...removedOf(false)]),
  };
}

/** What the directives of a schema say of `schema`, `Customer` or `Customer.balance`. A key that resolves is two facts. */
function factsIn(text: string) {
  const toFacts = (coordinate: string, nodes: readonly ConstDirectiveNode[] = []) =>
    nodes.flatMap((node) => {
      const [name, sdl] = [node.name.value, print(node)];
      const plain = sdl.replace(/, resolvable: (?:true|false)/, '');
      const ids = name === 'key' && !sdl.includes('resolvable: false') ? [plain, `${plain} resolves`] : [plain];
      const description = `${coordinate} no longer has ${plain}.`;
      return ids.map((id) => ({ id: `${coordinate} ${id}`, coordinate, name, description }));
    });
  return parse(text).definitions.flatMap((node) => {
    if (node.kind === Kind.SCHEMA_DEFINITION) return toFacts('schema', node.directives);
    if (!isTypeDefinitionNode(node)) return [];
    const fields = 'fields' in node ? (node.fields ?? []) : [];
    const onFields = fields.flatMap((field) => toFacts(`${node.name.value}.${field.name.value}`, field.directives));
    return [...toFacts(node.name.value, node.directives), ...onFields];
  });
}

function exists(coordinate: string, schema: GraphQLSchema): boolean {
  const [typeName = '', fieldName] = coordinate.split('.');
  const type = schema.getType(typeName);
  if (type === undefined || fieldName === undefined) return coordinate === 'schema' || type !== undefined;
  return 'getFields' in type && fieldName in type.getFields();
}
