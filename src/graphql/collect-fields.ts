import {
  isAbstractType,
  Kind,
  visit,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

export interface Collecting {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  /** Whether `@skip` or `@include` leaves a selection out. */
  readonly isLeftOut: (selection: SelectionNode) => boolean;
}

/** The nodes of one field, which is selected at least once. */
export type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/** A field, a fragment or an operation, whose selections are collected. */
export type Selecting = Pick<FieldNode, 'selectionSet'>;

/** The fields that nodes select on a type, by response name, in the order in which graphql-js collects them. */
export function collectFields(
  { schema, fragments, isLeftOut }: Collecting,
  type: GraphQLObjectType,
  parents: readonly Selecting[],
): ReadonlyMap<string, FieldNodes> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const visited = new Set<string>();
  const collect = ({ selectionSet }: Selecting): void => {
    for (const selection of selectionSet?.selections ?? []) {
      if (isLeftOut(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const responseName = selection.alias?.value ?? selection.name.value;
        const nodes = fields.get(responseName);
        if (nodes === undefined) fields.set(responseName, [selection]);
        else nodes.push(selection);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (visited.has(selection.name.value)) continue;
        visited.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      if (fragment !== undefined && appliesTo(schema, fragment.typeCondition?.name.value, type)) collect(fragment);
    }
  };
  parents.forEach(collect);
  return fields;
}

function appliesTo(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const abstract = schema.getType(condition);
  return isAbstractType(abstract) && schema.isSubType(abstract, type);
}

/** Fragments by name, in an object without a prototype: a fragment called `constructor` is not an inherited property. */
export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** Evaluates `@skip` and `@include` by the values of variables. */
export function leftOutBy(values: Readonly<Record<string, unknown>>): Collecting['isLeftOut'] {
  return ({ directives = [] }) =>
    directives.some((directive) => {
      if (!isCondition(directive)) return false;
      const condition = directive.arguments?.[0]?.value;
      const value = condition?.kind === Kind.VARIABLE ? values[condition.name.value] : condition;
      const isTrue = typeof value === 'object' ? condition?.kind === Kind.BOOLEAN && condition.value : value === true;
      return isTrue === (directive.name.value === 'skip');
    });
}

function isCondition({ name }: DirectiveNode): boolean {
  return name.value === 'skip' || name.value === 'include';
}

/** The names of the variables in `@skip` and `@include`, in the operation and in the fragments that it spreads. */
export function conditionsOf(operation: OperationDefinitionNode, fragments: Fragments): readonly string[] {
  const names = new Set<string>();
  const nodes = new Set<OperationDefinitionNode | FragmentDefinitionNode>([operation]);
  // Fragments that are added meanwhile are visited, too.
  for (const node of nodes) {
    visit(node, {
      Directive: (directive) => {
        const value = directive.arguments?.[0]?.value;
        if (isCondition(directive) && value?.kind === Kind.VARIABLE) names.add(value.name.value);
      },
      FragmentSpread: ({ name }) => {
        const fragment = fragments[name.value];
        if (fragment !== undefined) nodes.add(fragment);
      },
    });
  }
  return [...names];
}
