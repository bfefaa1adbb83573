import type {
  Connection,
  Customer,
  CustomerTransaction,
  SettlementBank,
  VirtualAccount,
} from '../../domain/records.ts';
import type { PageInfo } from '../schema.generated.ts';

export const SettlementBankConnection = connectionResolvers<SettlementBank>();
export const CustomerConnection = connectionResolvers<Customer>();
export const CustomerTransactionConnection = connectionResolvers<CustomerTransaction>();
export const VirtualAccountConnection = connectionResolvers<VirtualAccount>();

/** The four connection types differ only in what they hold. */
function connectionResolvers<Value>() {
  return {
    edges: (connection: Connection<Value>) =>
      toNodes(connection).map((node, index) => ({ cursor: later(() => connection.cursorAt(index)), node })),
    nodes: toNodes<Value>,
    pageInfo: (connection: Connection<Value>): PageInfo => ({
      hasNextPage: connection.hasNextPage,
      hasPreviousPage: connection.hasPreviousPage,
      startCursor: connection.nodes.length === 0 ? null : later(() => connection.cursorAt(0)),
      endCursor: later(() => connection.endCursor()),
    }),
  };
}

/** A cursor that is made where one is selected: GraphQL calls a property that is a method, which its types do not know. */
function later<Cursor extends string | null>(make: () => Cursor): Cursor {
  return make as unknown as Cursor;
}

/** graphql-js reports an error that stands in a list at its own place, which the generated types do not know. */
function toNodes<Value>({ nodes }: Connection<Value>): readonly Value[] {
  return nodes as readonly Value[];
}
