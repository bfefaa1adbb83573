import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { collectFields, leftOutBy } from '../collect-fields.ts';

/** A field that is selected on the value of another one. */
export interface SelectedField {
  readonly node: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
}

/** Cache by the AST nodes of the parent field, which live as long as a plan, or as a request that graphql-js runs. */
const cache = new WeakMap<readonly FieldNode[], Map<GraphQLObjectType, readonly SelectedField[]>>();

/** The fields selected below the field being resolved, on the type of that name, without introspection. */
export function selectedFields(typeName: string, info: GraphQLResolveInfo): readonly SelectedField[] {
  const { schema, fieldNodes } = info;
  const type = schema.getType(typeName) as GraphQLObjectType; // the type of a record
  const ofNodes = cache.get(fieldNodes) ?? new Map<GraphQLObjectType, readonly SelectedField[]>();
  const selected = ofNodes.get(type) ?? selectFields(type, info);
  cache.set(fieldNodes, ofNodes.set(type, selected));
  return selected;
}

function selectFields(type: GraphQLObjectType, info: GraphQLResolveInfo): readonly SelectedField[] {
  const { schema, fragments, fieldNodes, variableValues } = info;
  const fields = collectFields({ schema, fragments, isLeftOut: leftOutBy(variableValues) }, type, fieldNodes);
  return [...fields.values()].flatMap(([node]) => {
    const definition = type.getFields()[node.name.value];
    return definition === undefined ? [] : [{ node, definition }];
  });
}
