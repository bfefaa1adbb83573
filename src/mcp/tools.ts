import { Kind, OperationTypeNode, parse, validate, type DocumentNode, type GraphQLSchema } from 'graphql';
import { fragmentsOf } from '../graphql/collect-fields.ts';
import { inputSchema, outputSchema, type JsonSchema } from './json-schema.ts';

/** A trusted query as a tool. */
export interface Tool {
  /** The operation's name in snake case. */
  readonly name: string;
  readonly description: string;
  /** The document's text. */
  readonly query: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/**
 * The named queries among trusted documents. Mutations, subscriptions, documents without a name and those that do not fit
 * the schema are none. Throws where two have one name.
 */
export function createTools(documents: Iterable<string>, schema: GraphQLSchema): readonly Tool[] {
  const tools = [...documents].flatMap((text) => toTool(text, schema) ?? []);
  for (const [name, same] of Map.groupBy(tools, (tool) => tool.name)) {
    if (same.length > 1)
      throw new Error(`MCP: ${name} would be the name of ${same.length} tools; allowed: queries of different names`);
  }
  return tools;
}

function toTool(query: string, schema: GraphQLSchema): Tool | undefined {
  const document = parseValid(query, schema);
  const operations = document?.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION) ?? [];
  const [operation, ...others] = operations;
  const root = schema.getQueryType();
  if (document === undefined || operation?.name === undefined || others.length > 0) return undefined;
  if (operation.operation !== OperationTypeNode.QUERY || root == null) return undefined;
  const [first] = operation.selectionSet.selections;
  const rootField = first?.kind === Kind.FIELD ? root.getFields()[first.name.value] : undefined;
  return {
    name: toSnakeCase(operation.name.value),
    description: operation.description?.value ?? rootField?.description ?? '',
    query,
    input: inputSchema(schema, operation),
    output: outputSchema(schema, root, operation, fragmentsOf(document)),
  };
}

function parseValid(query: string, schema: GraphQLSchema): DocumentNode | undefined {
  try {
    const document = parse(query, { noLocation: true });
    return validate(schema, document).length === 0 ? document : undefined;
  } catch {
    return undefined;
  }
}

/** `CustomerStatement` is `customer_statement`, `listURLs` `list_urls`. */
function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
}
