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
  const removed = removedDirectives(before, after, current);
  const removedOf = (isBreaking: boolean) =>
    removed.filter(({ name }) => compositionDirectives.has(name) === isBreaking);
  const breaking = [...findBreakingChanges(previous, current), ...removedOf(true)];
  const dangerous = [...findDangerousChanges(previous, current), ...removedOf(false)];
  const describe = ({ description }: { readonly description: string }): string => description;
  return { breaking: breaking.map(describe), dangerous: dangerous.map(describe) };
}

interface AppliedDirective {
  /** `schema`, `Customer` or `Customer.balance`. */
  readonly coordinate: string;
  readonly name: string;
  readonly description: string;
  /** Descriptions of other directives that this one satisfies, perhaps with more arguments. */
  readonly alsoMeans: readonly string[];
}

/** Directives that were removed, or whose arguments changed, on elements that still exist. */
function removedDirectives(before: string, after: string, schema: GraphQLSchema): readonly AppliedDirective[] {
  const descriptions = new Set(
    appliedDirectives(after).flatMap(({ description, alsoMeans }) => [description, ...alsoMeans]),
  );
  return appliedDirectives(before).filter(
    ({ coordinate, description }) => exists(coordinate, schema) && !descriptions.has(description),
  );
}

function appliedDirectives(text: string): readonly AppliedDirective[] {
  const toApplied = (coordinate: string, nodes: readonly ConstDirectiveNode[] = []): readonly AppliedDirective[] =>
    nodes.map((node) => {
      const describe = (text: string): string => `${coordinate} no longer has ${text}.`;
      const sdl = print(node);
      // Making a key resolvable breaks no neighbour that used it unresolvable.
      const isResolvable = node.name.value === 'key' && !sdl.includes('resolvable: false');
      const plain = sdl.replace(', resolvable: true', '');
      const values = isResolvable ? [false, true].map((value) => plain.replace(/\)$/, `, resolvable: ${value})`)) : [];
      const alsoMeans = [plain, ...values].map(describe);
      return { coordinate, name: node.name.value, description: describe(sdl), alsoMeans };
    });
  return parse(text).definitions.flatMap((node) => {
    if (node.kind === Kind.SCHEMA_DEFINITION) return toApplied('schema', node.directives);
    if (!isTypeDefinitionNode(node)) return [];
    const fields = 'fields' in node ? (node.fields ?? []) : [];
    const onFields = fields.flatMap((field) => toApplied(`${node.name.value}.${field.name.value}`, field.directives));
    return [...toApplied(node.name.value, node.directives), ...onFields];
  });
}

function exists(coordinate: string, schema: GraphQLSchema): boolean {
  const [typeName = '', fieldName] = coordinate.split('.');
  const type = schema.getType(typeName);
  if (type === undefined || fieldName === undefined) return coordinate === 'schema' || type !== undefined;
  return 'getFields' in type && fieldName in type.getFields();
}
