import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { importFile } from '../../src/commands/contract-import/import.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';

const fileOf = (name: string) => new URL(`../support/vendor-files/${name}`, import.meta.url).pathname;
const rowsOf = (name: string) => parseOverrides(readFileSync(fileOf(`${name}.rows.yaml`), 'utf8'), name).overrides;

it.each([
  [
    'schemas.yaml',
    13,
    [
      'customer.id: # unsure: paths name the identifier customer_code',
      'of "card_refund", "payout", "reversal"',
      'money.unit: # to decide: major or minor; amounts are of type number, no sample shows an amount',
      'updateCustomer.method: # to decide: whether PUT empties what is not sent',
    ],
  ],
  [
    'collection.json',
    8,
    [
      'createCustomerOneTimeAccount.amountAs: # unsure: number, perhaps',
      'the direction of a type of a sample (/item/1/item/4)',
      'balance.ledger: [/ledger_balance]',
      'no field of its records looks like reference, phone',
    ],
  ],
  [
    'references.json',
    6,
    [
      'status.words: # to decide: { ',
      'the direction of "creditReversal"',
      'account.id: # unsure: no field of its records looks like id',
      'transaction.reference: # unsure: no field of its records looks like reference, direction, status',
    ],
  ],
  [
    'queries.json',
    13,
    [
      'status.words: # to decide: { ',
      'balance.ledger: [/LedgerBalance]',
      'the direction of a type of a sample (/item/5)',
      'listCustomerVirtualAccounts.pageStyle: # unsure',
      'extra.CustomerTransaction.BalanceAfter: { type: String, at: [/BalanceAfter] }',
    ],
  ],
  [
    'resources.json',
    13,
    [
      'createCustomerOneTimeAccount.body: # unsure: { amount: amount-in-kobo }',
      'updateCustomer.emptySuccess: # to decide: true',
      'balance.value: # to decide: a pointer to the amount that is meant',
      'transaction.direction: # unsure: [/attributes/credit-debit-indicator], perhaps, if transaction.creditWords and transaction.debitWords have its words',
      'extra.Customer.segment: { type: String, at: [/attributes/segment] }',
      'no field of its records looks like reference',
    ],
  ],
] as const)('finds in %s every row that it says, and no other', async (file, operations, unsure) => {
  const result = await importFile(fileOf(file));
  expect(result.rows).toEqual(rowsOf(file.replace(/\.\w+$/, '')));
  expect(result.operations.filter(({ path }) => path !== undefined)).toHaveLength(operations);
  for (const line of unsure) expect(result.comments.join('\n')).toContain(line);
});

it('makes cases of writes whose inputs are accepted, of schemas alone', async () => {
  const text = await (await importFile(fileOf('schemas.yaml'))).starter();
  expect(text).toMatch(/name: updateCustomer, HTTP 200, done/);
  expect(text).toMatch(/name: createCustomer, HTTP 200, done/);
  expect(text).not.toMatch(/not sent/);
});

it('lists by place what no row of schemas.yaml and collection.json can say', async () => {
  const imports = await Promise.all(['schemas.yaml', 'collection.json'].map((file) => importFile(fileOf(file))));
  const notes = imports.flatMap((each) => each.notes);
  expect(notes).toEqual(
    expect.arrayContaining([
      { place: '/servers', why: 'several servers; the first is taken' },
      { place: '/paths/~1customer/post', why: 'no row can say its input metadata: an object or a list' },
      { place: '/item/1/item/0/response/1', why: 'a saved response without readable JSON' },
    ]),
  );
});
