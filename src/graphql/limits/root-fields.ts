import type { GraphQLObjectType, OperationDefinitionNode } from 'graphql';
import { collectFields, fragmentsOf } from '../collect-fields.ts';
import type { ResolvedOperation } from '../operation-listener.ts';

type RootFields = readonly (readonly [responseName: string, field: string])[];
const rootFields = new WeakMap<OperationDefinitionNode, RootFields>();

/** An operation's root fields by response name, skipped ones included; collected once for each document. */
export function rootFieldsOf({ schema, document, operation }: ResolvedOperation): RootFields {
  const cached = rootFields.get(operation);
  if (cached !== undefined) return cached;
  const type = schema.getRootType(operation.operation) as GraphQLObjectType; // validation has checked it
  const collecting = { schema, fragments: fragmentsOf(document), isLeftOut: () => false };
  const fields = [...collectFields(collecting, type, [operation])].map(
    ([responseName, [node]]) => [responseName, node.name.value] as const,
  );
  rootFields.set(operation, fields);
  return fields;
}
