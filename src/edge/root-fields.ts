import { Kind, type DocumentNode, type OperationDefinitionNode } from 'graphql';

type RootFields = ReadonlyMap<string, string>;
const known = new WeakMap<OperationDefinitionNode, RootFields>();

/** The schema's names of an operation's root fields by their names in the answer; worked out once for a document. */
export function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): RootFields {
  const found = known.get(operation);
  if (found !== undefined) return found;
  const fields = new Map<string, string>();
  const seen = new Set<string>();
  const collect = ({ selections }: OperationDefinitionNode['selectionSet']): void => {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) fields.set(node.alias?.value ?? node.name.value, node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        for (const definition of document.definitions) {
          if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value) {
            collect(definition.selectionSet);
          }
        }
      }
    }
  };
  collect(operation.selectionSet);
  known.set(operation, fields);
  return fields;
}
