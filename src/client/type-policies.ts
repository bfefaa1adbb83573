import { createConnectionPolicy, createLoadedPolicy, type FieldPolicy } from './connections.ts';
import { connectionFields, recordFields } from './schema.generated.ts';

/** The part of Apollo Client's `TypePolicy` in use. */
export interface TypePolicy {
  readonly keyFields?: false;
  readonly merge?: boolean;
  readonly fields?: Record<string, FieldPolicy>;
}

/**
 * Creates the type policies for Apollo Client's `new InMemoryCache({ typePolicies })`. Two selections of a balance are
 * merged. Money is replaced as a whole: merged, it could pair the amount of one answer with the currency of another.
 *
 * `prefix` is the gateway's TYPE_PREFIX, if it has one. `extraFilters` names the filters that its contract adds, by list:
 * `{ 'Customer.transactions': ['channel'] }`, without the prefix. The cache would take differently filtered lists for one
 * without them. Throws where a name is no list's.
 */
export function createTypePolicies(
  prefix = '',
  extraFilters: Readonly<Record<string, readonly string[]>> = {},
): Record<string, TypePolicy> {
  const connectionsOf = (type: string, fields: Readonly<Record<string, readonly string[]>>, prefix: string) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, filters]) => {
        const all = [...filters, ...(extraFilters[`${type}.${name}`] ?? [])];
        return [prefixedField(name, prefix), createConnectionPolicy(all)];
      }),
    );
  const { Query: rootLists, ...lists } = connectionFields;
  const names = Object.entries(connectionFields).flatMap(([type, fields]) =>
    Object.keys(fields).map((name) => `${type}.${name}`),
  );
  const unknown = Object.keys(extraFilters).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`extraFilters: found ${unknown}; allowed: ${names.join(', ')}.`);
  const record = { ...createLoadedPolicy((_, record) => record), keyArgs: ['id'] };
  const records = Object.fromEntries(recordFields.map((name) => [prefixedField(name, prefix), record]));
  return {
    ...Object.fromEntries(
      Object.entries(lists).map(([type, fields]) => [`${prefix}${type}`, { fields: connectionsOf(type, fields, '') }]),
    ),
    Query: { fields: { ...connectionsOf('Query', rootLists, prefix), ...records } },
    [`${prefix}Balance`]: { keyFields: false, merge: true },
    [`${prefix}Money`]: { keyFields: false, merge: false },
  };
}

/** The gateway's name of a root field: with the prefix `Settlement`, `customers` is `settlementCustomers`. */
function prefixedField(name: string, prefix: string): string {
  if (prefix === '') return name;
  const start = prefix.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
  return `${start}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The policies for a gateway without TYPE_PREFIX. */
export const typePolicies = createTypePolicies();
