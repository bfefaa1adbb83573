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

export interface SchemaChanges {
  /** What makes an operation or a composition fail that worked before: only a new major version may have it. */
  readonly breaking: readonly string[];
  /** What a client may meet and not expect: a further enum value, another default. */
  readonly dangerous: readonly string[];
}

/** Without these a neighbour composes no longer; graphql-js compares definitions only and does not see them go. */
const composedBy: ReadonlySet<string> = new Set(['key', 'shareable']);

/** What changed from one subgraph schema to another, as far as anybody could depend on it. */
export function compareSchemas(before: string, after: string): SchemaChanges {
  const [old, current] = [buildSubgraphSchema(parse(before)), buildSubgraphSchema(parse(after))];
  const lost = lostDirectives(before, after, current);
  const breaking = [...findBreakingChanges(old, current), ...lost.filter(({ name }) => composedBy.has(name))];
  const dangerous = [...findDangerousChanges(old, current), ...lost.filter(({ name }) => !composedBy.has(name))];
  return {
    breaking: breaking.map(({ description }) => description),
    dangerous: dangerous.map(({ description }) => description),
  };
}

interface AppliedDirective {
  /** `schema`, `Customer` or `Customer.balance`. */
  readonly place: string;
  readonly name: string;
  readonly description: string;
}

/** Directives of places that are still there, which have it no more or with other arguments. */
function lostDirectives(before: string, after: string, current: GraphQLSchema): readonly AppliedDirective[] {
  const kept = new Set(appliedDirectives(after).map(({ description }) => description));
  return appliedDirectives(before).filter(
    ({ place, description }) => isThere(place, current) && !kept.has(description),
  );
}

function appliedDirectives(text: string): readonly AppliedDirective[] {
  const at = (place: string, directives: readonly ConstDirectiveNode[] = []): readonly AppliedDirective[] =>
    directives.map((node) => ({ place, name: node.name.value, description: `${place} no longer has ${print(node)}.` }));
  return parse(text).definitions.flatMap((node) => {
    if (node.kind === Kind.SCHEMA_DEFINITION) return at('schema', node.directives);
    if (!isTypeDefinitionNode(node)) return [];
    const fields = 'fields' in node ? (node.fields ?? []) : [];
    const ofFields = fields.flatMap((field) => at(`${node.name.value}.${field.name.value}`, field.directives));
    return [...at(node.name.value, node.directives), ...ofFields];
  });
}

function isThere(place: string, schema: GraphQLSchema): boolean {
  const [typeName = '', fieldName] = place.split('.');
  const type = schema.getType(typeName);
  if (type === undefined || fieldName === undefined) return place === 'schema' || type !== undefined;
  return 'getFields' in type && fieldName in type.getFields();
}
