import { GraphQLError, GraphQLID, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { isZoneless, toDateTime } from '../../contract/date-time.ts';

/** Output scalars serialize the decoded text as it is; DateTime and Decimal are also input types. */
export const CurrencyCode = new GraphQLScalarType({ name: 'CurrencyCode' });
export const Date = new GraphQLScalarType({ name: 'Date' });
export const DateTime = new GraphQLScalarType({
  name: 'DateTime',
  parseValue: parseMoment,
  parseLiteral: (node) => parseMoment(node.kind === Kind.STRING ? node.value : undefined, node),
});

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

/** Parses a client's moment as RFC 3339 in UTC with milliseconds. Throws BAD_USER_INPUT. */
function parseMoment(value: unknown, nodes: ValueNode | null = null): string {
  const moment = typeof value === 'string' && !isZoneless(value) ? toDateTime(value, 'UTC') : undefined;
  if (moment !== undefined) return moment;
  const message = 'A moment is a string with its zone, such as "2025-03-01T00:00:00Z" or "2025-03-01T00:00:00+01:00".';
  throw new GraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT' } });
}

/**
 * Parses a client's amount: a string, never a JSON number, without the zeros in front. What it says is checked where it is
 * sent. Throws BAD_USER_INPUT, for a literal with its place in the document, which graphql-js does not add.
 */
function parseAmount(value: unknown, nodes: ValueNode | null = null): string {
  if (typeof value === 'string') return value.replace(/^0+(?=\d)/, '');
  throw new GraphQLError('An amount is a string such as "500.00".', { nodes, extensions: { code: 'BAD_USER_INPUT' } });
}
