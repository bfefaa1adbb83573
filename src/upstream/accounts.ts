import type { OneTimeAccount, OneTimeAccountInput, VirtualAccount, VirtualAccountInput } from '../domain/records.ts';
import type { Contract } from '../contract/contract.ts';
import { createExtraDecoders } from './decoding/extra-fields.ts';
import { createDecoders, recordDecoder, type Decoder } from './decoding/field-decoders.ts';
import { createParentCheck } from './decoding/identification.ts';
import { createMoneyDecoders } from './decoding/wire-money.ts';
import { createList, isServed } from './paging/list.ts';
import { createRecordWrite } from './record-operations.ts';

/** The operations on customers' virtual and one-time accounts. Paths are the contract's defaults. */
export function createAccountOperations(contract: Contract) {
  const decodeVirtualAccount = createVirtualAccountDecoder(contract);
  const decodeOneTimeAccount = createOneTimeAccountDecoder(contract);
  const findMismatch = createParentCheck(contract, 'account.customerId');
  const isListed = isServed(contract, 'listCustomerVirtualAccounts') || contract['customer.virtualAccounts'].length > 0;
  const canBeListed = isListed && contract['customer.identifiedBy'] !== 'undecided';

  /** `GET /customers/{id}/virtual-accounts` */
  const listCustomerVirtualAccounts = createList(
    contract,
    'listCustomerVirtualAccounts',
    decodeVirtualAccount,
    null,
    findMismatch,
  );

  /** `POST /customers/{id}/virtual-accounts` */
  const createCustomerVirtualAccount = createRecordWrite(contract, 'createCustomerVirtualAccount', {
    decode: decodeVirtualAccount,
    lookups: canBeListed ? [{ field: 'customer.virtualAccounts', by: ['customerId'] }] : [],
    creates: true,
    identifiers: ({ customerId }: VirtualAccountInput) => ({ id: customerId }),
    findMismatch,
  });

  /** `POST /customers/{id}/one-time-accounts` */
  const createCustomerOneTimeAccount = createRecordWrite(contract, 'createCustomerOneTimeAccount', {
    decode: decodeOneTimeAccount,
    lookups: [],
    creates: true,
    identifiers: ({ customerId }: OneTimeAccountInput) => ({ id: customerId }),
    findMismatch,
  });

  return { listCustomerVirtualAccounts, createCustomerVirtualAccount, createCustomerOneTimeAccount };
}

/** Decodes a virtual account, which may also be embedded in its customer's record. */
export function createVirtualAccountDecoder(contract: Contract): Decoder<VirtualAccount> {
  const extras = createExtraDecoders(contract, 'VirtualAccount');
  return recordDecoder<VirtualAccount>('account.id', accountFields(contract), extras);
}

function createOneTimeAccountDecoder(contract: Contract): Decoder<OneTimeAccount> {
  const { dateTime } = createDecoders(contract);
  const { optionalMoney } = createMoneyDecoders(contract);
  const fields = {
    ...accountFields(contract),
    amount: optionalMoney({
      major: 'account.amount',
      minor: 'account.amountMinor',
      currency: 'account.currency',
      unit: 'account.unit',
    }),
    expiresAt: dateTime('account.expiresAt'),
  };
  return recordDecoder<OneTimeAccount>('account.id', fields, createExtraDecoders(contract, 'OneTimeAccount'));
}

function accountFields(contract: Contract) {
  const { identifier, text, digits, status, dateTime } = createDecoders(contract);
  return {
    id: identifier('account.id'),
    accountNumber: digits('account.accountNumber', contract['accountNumber.digits']),
    accountName: text('account.accountName'),
    bankName: text('account.bankName'),
    bankCode: digits('account.bankCode', contract['bankCode.digits']),
    status: status('account.status'),
    createdAt: dateTime('account.createdAt'),
  };
}
