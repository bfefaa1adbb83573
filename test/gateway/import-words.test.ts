import { describe, expect, it } from 'vitest';
import { printImport } from '../../src/commands/contract-import/import.ts';
import { createContract } from '../../src/contract/contract.ts';
import { importText } from '../support/vendor-file.ts';

type Json = Readonly<Record<string, unknown>>;

const transactionType =
  '/paths/~1customers~1{id}~1transactions/get/responses/200/content/application~1json/schema/properties/data/items/properties/type';
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

/** A file whose transactions have this type, and whose records this status and envelope. */
function fileOf({ type, status, envelope }: Readonly<Record<'type' | 'status' | 'envelope', Json>>) {
  const answer = (data: unknown) => ({ responses: { 200: json({ properties: { ...envelope, data } }) } });
  const record = { properties: { id: { type: 'string' }, first_name: { type: 'string' }, status } };
  const transaction = { properties: { id: { type: 'string' }, type, amount: { type: 'number' } } };
  return importText(
    JSON.stringify({
      openapi: '3.1.0',
      paths: {
        '/customers': { post: { ...answer(record), requestBody: json({}) } },
        '/customers/{id}/transactions': { get: answer({ type: 'array', items: transaction }) },
      },
    }),
  );
}

const none = { type: {}, status: {}, envelope: {} };
const wordsOf = async (type: Json) => {
  const { rows, comments } = await fileOf({ ...none, type });
  const { 'transaction.creditWords': credit, 'transaction.debitWords': debit } = rows;
  return { credit, debit, unsure: comments.find((line) => line.startsWith('transaction.creditWords: # unsure')) };
};

describe('contract import, of the words that a schema allows', () => {
  it.each([
    ['words known by default', { enum: ['credit', 'DEBIT', 'Deposit', null] }, undefined, undefined],
    ['such words beside neutral ones', { enum: ['wallet_credit', 'Bank debit'] }, 'wallet_credit', 'bank debit'],
    ['other words of the same meaning', { enum: ['inflow', 'outflow'] }, 'inflow', 'outflow'],
    ['a preposition beside neutral words', { enum: ['transfer_in', 'TRANSFER-OUT'] }, 'transfer_in', 'transfer-out'],
    ['one word in camel case', { enum: ['walletCredit', 'walletDebit'] }, 'walletcredit', 'walletdebit'],
    ['alternatives of one value each', { oneOf: [{ const: 'inbound' }, { const: 'outbound' }] }, 'inbound', 'outbound'],
    ['alternatives of many', { anyOf: [{ enum: ['cr', 'received'] }, { enum: ['dr'] }] }, ['cr', 'received'], 'dr'],
  ])('writes what is certain: %s', async (_, type, credit, debit) => {
    const row = (defaults: readonly string[], added: string | readonly string[] | undefined) =>
      added === undefined ? undefined : [...defaults, ...[added].flat()];
    expect(await wordsOf(type)).toEqual({
      credit: row(['credit', 'deposit'], credit),
      debit: row(['debit', 'withdrawal'], debit),
      unsure: undefined,
    });
  });

  it.each([
    ['a word without a certain meaning', ['credit', 'payout', 'fee'], /of "payout", "fee" \(\/paths/],
    [
      'a word that another turns round',
      ['credit_reversal', 'debit card deposit'],
      /"credit_reversal", "debit card dep/,
    ],
    ['a word beside others than neutral ones', ['paid_in_full'], /"paid_in_full"/],
    ['words that are no plain ones', ['x\n  money.unit: minor', 'y'.repeat(50)], /of {2}and 2 more/],
  ])('leaves to a person: %s', async (_, words, unsure) => {
    expect(await wordsOf({ enum: words })).toEqual({ unsure: expect.stringMatching(unsure) });
  });

  it('takes a status that says failure, and leaves one that may', async () => {
    const { rows, comments } = await fileOf({
      ...none,
      status: { enum: ['active', 'UNSUCCESSFUL', 'cancelled', 'failed'] },
    });
    expect(rows['writes.failureStatuses']).toEqual([...createContract()['writes.failureStatuses'], 'UNSUCCESSFUL']);
    expect(comments).toContain(
      'writes.failureStatuses: # unsure: does one of these mean that the write failed? "cancelled"',
    );
  });

  it.each([
    ['read by default', { success: { enum: ['success', 'error'] } }, undefined, []],
    ['that is called status', { status: { enum: ['success', 'error'] } }, ['/status'], []],
    ['under another name', { result: { enum: ['ok', 'pending', 'failed'] } }, ['/result'], []],
    ['that is called ok', { ok: { type: 'boolean' } }, ['/ok'], []],
    [
      'with words of its own',
      { status: { enum: ['yes', 'no'] } },
      undefined,
      [
        'envelope.successValues: # unsure: which of these at /status mean success? "yes", "no"',
        'envelope.success: # unsure: no failure in the file shows how one is told from a success',
      ],
    ],
  ])('finds the flag of success %s', async (_, envelope, pointers, unsure) => {
    const { rows, comments } = await fileOf({ ...none, envelope });
    expect(rows['envelope.success']).toEqual(pointers);
    expect(comments.filter((line) => line.startsWith('envelope.'))).toEqual(unsure);
  });

  it('ends on choices inside choices without end', async () => {
    const loop = Array.from({ length: 5 }, () => ({ $ref: `#${transactionType}` }));
    const words = Array.from({ length: 10_000 }, (_, index) => `payout ${index}`);
    const { comments, notes } = await fileOf({
      ...none,
      type: { oneOf: [...loop, { oneOf: [...loop, { enum: words }] }] },
    });
    expect(comments).toContainEqual(expect.stringMatching(/direction of .*"payout 0"/));
    expect(notes).toContainEqual(expect.objectContaining({ why: 'a schema allows too many values; not all are read' }));
  });

  it('takes usual words of samples, and prints no other', async () => {
    const list = ['inflow', 'planted-sweep', 'plantedCredit'].map((type) => ({ id: 't1', type, amount: '1' }));
    const result = await importText(
      JSON.stringify({
        info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
        item: [
          {
            name: 'Fetch Customer Transactions',
            request: { method: 'GET', url: { raw: '{{base}}/api/v1/customers/:id/transactions' } },
            response: [{ name: 'Done', code: 200, body: JSON.stringify({ success: true, data: list }) }],
          },
        ],
      }),
    );
    expect(result.rows['transaction.creditWords']).toEqual(['credit', 'deposit', 'inflow']);
    expect(result.comments).toContain(
      'transaction.creditWords: # unsure, as transaction.debitWords: the direction of a type of a sample (/item/0)',
    );
    expect(JSON.stringify(result) + printImport(result)).not.toMatch(/planted/);
  });
});
