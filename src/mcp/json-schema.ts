import {
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  typeFromAST,
  valueFromAST,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { collectFields, type Fragments, type Selecting } from '../graphql/collect-fields.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Every other scalar is a text, amounts among them. */
const jsonTypes: Readonly<Record<string, string>> = { Boolean: 'boolean', Float: 'number', Int: 'integer' };

/** The JSON Schema of a query's variables, which are scalars, enums and lists of them: no query has an input object. */
export function inputSchema(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): JsonSchema {
  const properties = variableDefinitions.map((definition) => {
    const type = typeFromAST(schema, definition.type) as GraphQLInputType; // of a valid document
    return [definition.variable.name.value, variableSchema(definition, type)] as const;
  });
  const required = variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
    .map(({ variable }) => variable.name.value);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

function variableSchema({ defaultValue, description }: VariableDefinitionNode, type: GraphQLInputType): JsonSchema {
  const value = defaultValue && valueFromAST(defaultValue, type);
  const text = description?.value ?? getNamedType(type).description ?? undefined;
  return {
    ...typeSchema(type, leafSchema),
    ...(text !== undefined && { description: text }),
    ...(value !== undefined && { default: value }),
  };
}

/** The JSON Schema of the data that a valid document's operation answers, by its response names. */
export function outputSchema(
  schema: GraphQLSchema,
  root: GraphQLObjectType,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): JsonSchema {
  const all = { schema, fragments, isLeftOut: () => false };
  const unconditional = { schema, fragments, isLeftOut: ({ directives = [] }: Conditional) => directives.length > 0 };
  /** `sure`: those of the nodes that are never left out. What only others select may be absent. */
  const objectSchema = (type: GraphQLNamedType, nodes: Nodes, sure: Nodes): JsonSchema => {
    if (!isObjectType(type)) return leafSchema(type);
    const always = collectFields(unconditional, type, sure);
    const properties = [...collectFields(all, type, nodes)].map(([responseName, places]) => {
      const definition = type.getFields()[places[0].name.value];
      // __typename
      if (definition === undefined) return [responseName, { type: 'string' }] as const;
      // An object that one node alone selects has all that this node selects.
      const sureBelow = places.length === 1 ? places : (always.get(responseName) ?? []);
      const ofType = typeSchema(definition.type, (inner) => objectSchema(inner, places, sureBelow));
      const { description } = definition;
      return [responseName, { ...ofType, ...(description != null && { description }) }] as const;
    });
    return { type: 'object', properties: Object.fromEntries(properties), required: [...always.keys()] };
  };
  return objectSchema(root, [operation], [operation]);
}

type Nodes = readonly Selecting[];
type Conditional = { readonly directives?: readonly unknown[] | undefined };

/** Null where the type allows it, lists as arrays; `named` makes the schema of the named type inside. */
function typeSchema(type: GraphQLType, named: (type: GraphQLNamedType) => JsonSchema): JsonSchema {
  if (!isNonNullType(type)) return { anyOf: [nonNullSchema(type, named), { type: 'null' }] };
  return nonNullSchema(type.ofType, named);
}

function nonNullSchema(type: GraphQLType, named: (type: GraphQLNamedType) => JsonSchema): JsonSchema {
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType as GraphQLType, named) };
  return named(getNamedType(type));
}

function leafSchema(type: GraphQLNamedType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  return { type: jsonTypes[type.name] ?? 'string' };
}
