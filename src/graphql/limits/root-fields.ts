import type { DocumentNode, GraphQLObjectType, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { collectFields, fragmentsOf } from '../collect-fields.ts';

type RootFields = readonly (readonly [responseName: string, field: string])[];
const known = new WeakMap<OperationDefinitionNode, RootFields>();

/** An operation's root fields by their names in the answer, left out or not; worked out once for a document. */
export function rootFieldsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): RootFields {
  const found = known.get(operation);
  if (found !== undefined) return found;
  const type = schema.getRootType(operation.operation) as GraphQLObjectType; // validation has found it
  const collecting = { schema, fragments: fragmentsOf(document), isLeftOut: () => false };
  const fields = [...collectFields(collecting, type, [operation.selectionSet])].map(
    ([responseName, [node]]) => [responseName, node?.name.value ?? responseName] as const,
  );
  known.set(operation, fields);
  return fields;
}
