import type { SettlementBank, SettlementBankInput } from '../domain/records.ts';
import type { Contract } from '../contract/contract.ts';
import { createExtraDecoders } from './decoding/extra-fields.ts';
import { createDecoders, recordDecoder } from './decoding/field-decoders.ts';
import { createIdentityCheck } from './decoding/identification.ts';
import { searchFilter } from './paging/filter.ts';
import { createList, isServed } from './paging/list.ts';
import { createEntityRead, createRecordWrite } from './record-operations.ts';

/** The four operations on settlement banks. Paths are the contract's defaults. */
export function createSettlementBankOperations(contract: Contract) {
  const { identifier, text, digits, dateTime } = createDecoders(contract);
  const extras = createExtraDecoders(contract, 'SettlementBank');
  const fields = {
    id: identifier('settlementBank.id'),
    name: text('settlementBank.name'),
    accountNumber: digits('settlementBank.accountNumber', contract['accountNumber.digits']),
    accountName: text('settlementBank.accountName'),
    bankCode: digits('settlementBank.bankCode', contract['bankCode.digits']),
    bankSlug: text('settlementBank.bankSlug'),
    createdAt: dateTime('settlementBank.createdAt'),
    updatedAt: dateTime('settlementBank.updatedAt'),
  };
  const decode = recordDecoder<SettlementBank>('settlementBank.id', fields, extras);
  const findMismatch = createIdentityCheck(contract, 'settlementBank.identifiedBy');

  /** `GET /settlement-banks/{id}` */
  const getSettlementBank = createEntityRead(contract, 'getSettlementBank', decode, findMismatch);

  /** `GET /settlement-banks/` */
  const listSettlementBanks = createList(
    contract,
    'listSettlementBanks',
    decode,
    searchFilter(contract, 'listSettlementBanks'),
  );

  /** `POST /settlement-banks/` */
  const storeSettlementBank = createRecordWrite<SettlementBankInput, SettlementBank, 'storeSettlementBank'>(
    contract,
    'storeSettlementBank',
    {
      decode,
      creates: true,
      identifiers: () => ({}),
      lookups: isServed(contract, 'listSettlementBanks')
        ? [{ field: 'settlementBanks', by: ['accountNumber', 'bankCode'] }]
        : [],
    },
  );

  /** `PATCH /settlement-banks/{id}` */
  const updateSettlementBank = createRecordWrite(contract, 'updateSettlementBank', {
    decode,
    lookups: [{ field: 'settlementBank', by: ['id'] }],
    creates: false,
    identifiers: ({ id }: SettlementBankInput & { readonly id: string }) => ({ id }),
    readBack: getSettlementBank,
    findMismatch,
  });

  return { getSettlementBank, listSettlementBanks, storeSettlementBank, updateSettlementBank };
}
