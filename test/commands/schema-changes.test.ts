import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../src/commands/schema-changes.ts';

const released = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

/** The changes since the schema as it is, when one of its texts is another. */
function changesWith(text: string, replacement: string) {
  expect(released).toContain(text);
  return compareSchemas(released, released.replace(text, replacement));
}

const breaking: readonly [what: string, text: string, replacement: string, expected: string][] = [
  ['a field taken away', '  "E-mail address."\n  email: String @tag(name: "pii")\n', '', 'Customer.email was removed.'],
  [
    'a key taken away',
    'type SettlementBank @key(fields: "id") {',
    'type SettlementBank {',
    'SettlementBank no longer has @key(fields: "id").',
  ],
  [
    'a key that no longer resolves',
    'type Customer @key(fields: "id") {',
    'type Customer @key(fields: "id", resolvable: false) {',
    'Customer no longer has @key(fields: "id").',
  ],
  ['a value no longer shared', 'type Money @shareable {', 'type Money {', 'Money no longer has @shareable.'],
];

const dangerous: readonly [what: string, text: string, replacement: string, expected: string][] = [
  [
    'a further enum value',
    '  REJECTED\n',
    '  REJECTED\n  LATER\n',
    'LATER was added to enum type BankingUserErrorCode.',
  ],
  [
    'personal data no longer marked',
    '  dateOfBirth: Date @tag(name: "pii")\n',
    '  dateOfBirth: Date\n',
    'Customer.dateOfBirth no longer has @tag(name: "pii").',
  ],
  [
    'another default',
    '    first: Int = 20\n',
    '    first: Int = 50\n',
    'Query.settlementBanks arg first has changed defaultValue from 20 to 50.',
  ],
  [
    'another cost',
    'balance: Balance @cost(weight: 1)',
    'balance: Balance @cost(weight: 5)',
    'Customer.balance no longer has @cost(weight: 1).',
  ],
];

describe('between two schemas', () => {
  it.each(breaking)('%s is breaking', (_, text, replacement, expected) => {
    expect(changesWith(text, replacement).breaking).toContain(expected);
  });

  it.each(dangerous)('%s is dangerous and not breaking', (_, text, replacement, expected) => {
    expect(changesWith(text, replacement)).toEqual({ breaking: [], dangerous: [expected] });
  });

  it('a field taken away is one change, and its directives are none beside it', () => {
    const field = `  "The customer's money at the moment of the request. Costs one call of its own."
  balance: Balance @cost(weight: 1)\n`;
    expect(changesWith(field, '')).toEqual({ breaking: ['Customer.balance was removed.'], dangerous: [] });
  });

  it.each([
    ['the same text', '  status: String\n', '  status: String\n'],
    [
      'a key that can be resolved now',
      'type VirtualAccount @key(fields: "id", resolvable: false)',
      'type VirtualAccount @key(fields: "id")',
    ],
    [
      'a default written out',
      'type Customer @key(fields: "id") {',
      'type Customer @key(fields: "id", resolvable: true) {',
    ],
    ['another description', '"Given name."', '"The given name."'],
    ['a further field', '  status: String\n', '  status: String\n  title: String\n'],
    ['a deprecation', '  status: String\n', '  status: String @deprecated(reason: "2026-01-31: use `email`.")\n'],
  ])('%s is neither', (_, text, replacement) => {
    expect(changesWith(text, replacement)).toEqual({ breaking: [], dangerous: [] });
  });
});
