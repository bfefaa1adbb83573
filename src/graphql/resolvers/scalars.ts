import { GraphQLError, GraphQLID, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

/** Output scalars serialize the decoded text as it is; Decimal is also an input type. */
export const CurrencyCode = new GraphQLScalarType({ name: 'CurrencyCode' });
export const Date = new GraphQLScalarType({ name: 'Date' });
export const DateTime = new GraphQLScalarType({ name: 'DateTime' });

export const Decimal = new GraphQLScalarType({
  name: 'Decimal',
  parseValue: parseAmount,
  parseLiteral: (node) => parseAmount(node.kind === Kind.STRING ? node.value : undefined, node),
});

const { parseValue: parseIdentifier } = GraphQLID;

/**
 * Refuses identifiers in variables that are JSON numbers from 2^53 on: JSON.parse has rounded them, so they may name another
 * record. This changes graphql-js' ID type, which all schemas of a process share. Literals of a document are exact.
 */
export function refuseRoundedIdentifiers(): void {
  GraphQLID.parseValue = (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value))
      return parseIdentifier(value);
    const message = 'An identifier from 2^53 on loses digits as a number: send it as a string.';
    throw new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
  };
}

/**
 * Parses a client's amount: a string, never a JSON number, without the zeros in front. What it says is checked where it is
 * sent. Throws BAD_USER_INPUT, for a literal with its place in the document, which graphql-js does not add.
 */
function parseAmount(value: unknown, nodes: ValueNode | null = null): string {
  if (typeof value === 'string') return value.replace(/^0+(?=\d)/, '');
  throw new GraphQLError('An amount is a string such as "500.00".', { nodes, extensions: { code: 'BAD_USER_INPUT' } });
}
