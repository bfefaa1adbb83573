import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  typeFromAST,
  valueFromAST,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Every other scalar is a text, amounts among them. */
const jsonTypes: Readonly<Record<string, string>> = { Boolean: 'boolean', Float: 'number', Int: 'integer' };

/** The JSON Schema of an operation's variables. The host sends no others. */
export function inputSchema(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): JsonSchema {
  const entries = variableDefinitions.flatMap((definition): [string, JsonSchema][] => {
    const type = typeFromAST(schema, definition.type) as GraphQLInputType | undefined; // a valid document's variable
    return type === undefined ? [] : [[definition.variable.name.value, variableSchema(definition, type)]];
  });
  const required = variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
    .map(({ variable }) => variable.name.value);
  return { type: 'object', properties: Object.fromEntries(entries), required, additionalProperties: false };
}

function variableSchema({ defaultValue, description }: VariableDefinitionNode, type: GraphQLInputType): JsonSchema {
  const value = defaultValue && valueFromAST(defaultValue, type);
  const text = description?.value ?? getNamedType(type).description ?? undefined;
  return {
    ...typeSchema(type, inputObjectSchema),
    ...(text !== undefined && { description: text }),
    ...(value !== undefined && { default: value }),
  };
}

function inputObjectSchema(type: GraphQLNamedType): JsonSchema {
  if (!isInputObjectType(type)) return leafSchema(type);
  const fields = Object.values(type.getFields());
  const properties = fields.map(({ name, type }) => [name, typeSchema(type, inputObjectSchema)] as const);
  const required = fields.filter((field) => isNonNullType(field.type) && field.defaultValue === undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The JSON Schema of the data that a valid document's operation answers, by its response names. */
export function outputSchema(
  root: GraphQLObjectType,
  { selectionSet }: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): JsonSchema {
  const objectSchema = (type: GraphQLNamedType, nodes: readonly FieldNode[]): JsonSchema => {
    // The graph has no interface or union of its own: whatever a fragment is on, it is on this type.
    if (!isObjectType(type)) return isCompositeType(type) ? { type: 'object' } : leafSchema(type);
    const byName = Map.groupBy(
      nodes.flatMap((node) => fieldsIn(node.selectionSet, fragments)),
      ({ field: { alias, name } }) => (alias ?? name).value,
    );
    const properties = [...byName].map(([responseName, places]): [string, JsonSchema] => {
      const fields = places.map(({ field }) => field);
      const definition = type.getFields()[fields[0]?.name.value ?? ''];
      // __typename
      if (definition === undefined) return [responseName, { type: 'string' }];
      const { description } = definition;
      const ofType = typeSchema(definition.type, (inner) => objectSchema(inner, fields));
      return [responseName, { ...ofType, ...(description != null && { description }) }];
    });
    const required = [...byName].filter(([, places]) => places.some(({ isSure }) => isSure)).map(([name]) => name);
    return { type: 'object', properties: Object.fromEntries(properties), required };
  };
  return objectSchema(root, [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '' }, selectionSet }]);
}

/** The fields of a selection, those of its fragments among them. A field with a condition may be absent. */
function fieldsIn(
  selectionSet: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  isAlways = true,
): readonly { readonly field: FieldNode; readonly isSure: boolean }[] {
  return (selectionSet?.selections ?? []).flatMap((node) => {
    const isSure = isAlways && (node.directives ?? []).length === 0;
    if (node.kind === Kind.FIELD) return [{ field: node, isSure }];
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    return fieldsIn(inner?.selectionSet, fragments, isSure);
  });
}

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
