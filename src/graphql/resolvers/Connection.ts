import type { Connection } from '../../domain/records.ts';
import type { PageInfo } from '../schema.generated.ts';

/** The resolvers of every connection type. */
export const connectionResolvers = {
  edges: <Value>(connection: Connection<Value>) =>
    toNodes(connection).map((node, index) => ({ cursor: lazily(() => connection.cursorAt(index)), node })),
  nodes: toNodes,
  pageInfo: (connection: Connection<unknown>): PageInfo => ({
    hasNextPage: connection.hasNextPage,
    hasPreviousPage: connection.hasPreviousPage,
    startCursor: connection.nodes.length === 0 ? null : lazily(() => connection.cursorAt(0)),
    endCursor: lazily(() => connection.endCursor()),
  }),
};

/** A cursor computed only where it is selected: GraphQL calls a property that is a function, which its types lack. */
function lazily<Cursor extends string | null>(compute: () => Cursor): Cursor {
  return compute as unknown as Cursor;
}

/** graphql-js reports an error in a list at its index, which the generated types lack. */
function toNodes<Value>({ nodes }: Connection<Value>): readonly Value[] {
  return nodes as readonly Value[];
}
