import {
  isAbstractType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export interface Collecting {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
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
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
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
