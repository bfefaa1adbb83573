import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

export interface Collecting {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  /** Whether `@skip` or `@include` takes a selection out. */
  readonly isLeftOut: (selection: SelectionNode) => boolean;
}

type Fields = Map<string, FieldNode[]>;

/** What is selected on a type, by response name; as graphql-js collects it when it runs the operation. */
export function collectFields(
  { schema, fragments, isLeftOut }: Collecting,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Fields {
  const fields: Fields = new Map();
  const visited = new Set<string>();
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (isLeftOut(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const responseName = selection.alias?.value ?? selection.name.value;
        const known = fields.get(responseName);
        if (known === undefined) fields.set(responseName, [selection]);
        else known.push(selection);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (visited.has(selection.name.value)) continue;
        visited.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      if (fragment !== undefined && appliesTo(schema, fragment.typeCondition?.name.value, type)) {
        collect(fragment.selectionSet);
      }
    }
  };
  sets.forEach(collect);
  return fields;
}

function appliesTo(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const abstract = schema.getType(condition);
  return isAbstractType(abstract) && schema.isSubType(abstract, type);
}

/** A document's fragments by their names, of which none is the name of something that every object has. */
export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** What conditions leave out under these variables, which are coerced. */
export function leftOutBy(variables: Readonly<Record<string, unknown>>): Collecting['isLeftOut'] {
  return (selection) =>
    getDirectiveValues(GraphQLSkipDirective, selection, variables)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.['if'] === false;
}

/** The variables that an operation's conditions, in its document's fragments too, hang on. */
export function conditionsOf(operation: OperationDefinitionNode, fragments: Fragments): readonly string[] {
  const names = new Set<string>();
  for (const node of [operation, ...Object.values(fragments)]) {
    visit(node, {
      Directive: ({ name, arguments: args = [] }) => {
        const value = args[0]?.value;
        const isCondition = name.value === 'skip' || name.value === 'include';
        if (isCondition && value?.kind === Kind.VARIABLE) names.add(value.name.value);
      },
    });
  }
  return [...names];
}
