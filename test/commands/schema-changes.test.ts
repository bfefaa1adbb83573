import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compareSchemas } from '../../src/commands/schema-changes.ts';

const released = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

const balance = `  "The customer's money at the moment of the request. Costs one call of its own."
  balance: Balance @cost(weight: 1)\n`;

it.each<[what: string, text: string, replacement: string, breaking: readonly string[], dangerous?: readonly string[]]>([
  ['a field taken away', balance, '', ['Customer.balance was removed.']],
  [
    'a key taken away',
    'type SettlementBank @key(fields: "id") {',
    'type SettlementBank {',
    ['SettlementBank was removed from union type _Entity.', 'SettlementBank no longer has @key(fields: "id").'],
  ],
  [
    'a key that no longer resolves',
    'type Customer @key(fields: "id") {',
    'type Customer @key(fields: "id", resolvable: false) {',
    ['Customer no longer has @key(fields: "id").'],
  ],
  ['a value no longer shared', 'type Money @shareable {', 'type Money {', ['Money no longer has @shareable.']],
  [
    'a further enum value',
    '  REJECTED\n',
    '  REJECTED\n  LATER\n',
    [],
    ['LATER was added to enum type BankingUserErrorCode.'],
  ],
  [
    'personal data no longer marked',
    '  dateOfBirth: Date @tag(name: "pii")\n',
    '  dateOfBirth: Date\n',
    [],
    ['Customer.dateOfBirth no longer has @tag(name: "pii").'],
  ],
  [
    'another default',
    '    first: Int = 20\n',
    '    first: Int = 50\n',
    [],
    ['Query.settlementBanks arg first has changed defaultValue from 20 to 50.'],
  ],
  [
    'another cost',
    'balance: Balance @cost(weight: 1)',
    'balance: Balance @cost(weight: 5)',
    [],
    ['Customer.balance no longer has @cost(weight: 1).'],
  ],
  [
    'a key that can be resolved now',
    'type VirtualAccount @key(fields: "id", resolvable: false)',
    'type VirtualAccount @key(fields: "id")',
    [],
  ],
  ['another description', '"Given name."', '"The given name."', []],
  ['a further field', '  status: String\n', '  status: String\n  title: String\n', []],
])('between two schemas %s is told as what it is', (_, text, replacement, breaking, dangerous = []) => {
  expect(released).toContain(text);
  expect(compareSchemas(released, released.replace(text, replacement))).toEqual({ breaking, dangerous });
});
