import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { collectFields, leftOutBy, type Collecting, type Selecting } from '../collect-fields.ts';

/**
 * The path of the field that is being resolved, by the schema's names: `customers.nodes.balance`; that of the field
 * `below` it where one is named. Aliases, which are the client's text, and indexes are left out.
 */
export function schemaPath(
  { path, schema, fragments, operation, variableValues }: GraphQLResolveInfo,
  below?: string,
): string {
  const isLeftOut: Collecting['isLeftOut'] = leftOutBy(variableValues);
  let nodes: readonly Selecting[] = [operation];
  const names = stepsOf(path).map(({ key, typename }) => {
    const type = schema.getType(typename) as GraphQLObjectType; // the parent of a resolved field
    const selected = collectFields({ schema, fragments, isLeftOut }, type, nodes).get(key) ?? [];
    nodes = selected;
    return selected[0]?.name.value ?? '';
  });
  return (below === undefined ? names : [...names, below]).join('.');
}

/** The response names in a path, each with the type that it is selected on, from the root. */
function stepsOf(path: GraphQLResolveInfo['path'] | undefined) {
  const steps: { readonly key: string; readonly typename: string }[] = [];
  for (let step = path; step !== undefined; step = step.prev) {
    const { key, typename } = step;
    if (typeof key === 'string' && typename !== undefined) steps.unshift({ key, typename });
  }
  return steps;
}
