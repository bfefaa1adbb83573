import type { Contract } from '../contract/contract.ts';
import type {
  Customer,
  CustomerTransaction,
  OneTimeAccount,
  SettlementBank,
  SettlementBankInput,
  CustomerInput,
  OneTimeAccountInput,
  VirtualAccount,
  VirtualAccountInput,
} from '../contract/records.ts';
import { createBalanceRead, createCustomerDecoder, customerLookups, ownCalls } from './customers.ts';
import { createRecordDecoder } from './decoding/record-decoder.ts';
import { createList, isServed } from './paging/list.ts';
import { createEntityRead, createRecordWrite } from './record-operations.ts';

export type Operations = ReturnType<typeof createOperations>;

type Addressed<Input> = Input & { readonly id: string };

/** All thirteen operations of the service, compiled from the contract once at start. Paths are the contract's defaults. */
export function createOperations(contract: Contract) {
  const decodeBank = createRecordDecoder<SettlementBank>(contract, 'SettlementBank');
  const decodeCustomer = createCustomerDecoder(contract);
  const decodeTransaction = createRecordDecoder<CustomerTransaction>(contract, 'CustomerTransaction');
  const decodeVirtual = createRecordDecoder<VirtualAccount>(contract, 'VirtualAccount');
  const decodeOneTime = createRecordDecoder<OneTimeAccount>(contract, 'OneTimeAccount');
  const banksListed = isServed(contract, 'listSettlementBanks');
  const accountsListed =
    (isServed(contract, 'listCustomerVirtualAccounts') || contract['customer.virtualAccounts'].length > 0) &&
    contract['customer.identifiedBy'] !== 'undecided';

  /** `GET /settlement-banks/{id}` */
  const getSettlementBank = createEntityRead(contract, 'getSettlementBank', decodeBank);
  /** `GET /customers/{id}` */
  const getCustomer = createEntityRead(contract, 'getCustomer', decodeCustomer, ownCalls(contract));

  return {
    getSettlementBank,
    /** `GET /settlement-banks/` */
    listSettlementBanks: createList(contract, 'listSettlementBanks', decodeBank),
    /** `POST /settlement-banks/` */
    storeSettlementBank: createRecordWrite<SettlementBankInput, SettlementBank>(
      contract,
      'storeSettlementBank',
      decodeBank,
      banksListed ? [{ field: 'settlementBanks', by: ['accountNumber', 'bankCode'] }] : [],
    ),
    /** `PATCH /settlement-banks/{id}` */
    updateSettlementBank: createRecordWrite<Addressed<SettlementBankInput>, SettlementBank>(
      contract,
      'updateSettlementBank',
      decodeBank,
      [{ field: 'settlementBank', by: ['id'] }],
      getSettlementBank,
    ),
    getCustomer,
    /** `GET /customers/` */
    listCustomers: createList(contract, 'listCustomers', decodeCustomer),
    /** `POST /customers/` */
    createCustomer: createRecordWrite<CustomerInput, Customer>(
      contract,
      'createCustomer',
      decodeCustomer,
      customerLookups(contract),
    ),
    /** `PATCH /customers/{id}` */
    updateCustomer: createRecordWrite<Addressed<CustomerInput>, Customer>(
      contract,
      'updateCustomer',
      decodeCustomer,
      [{ field: 'customer', by: ['id'] }],
      getCustomer,
    ),
    /** `GET /customers/{id}/balance` */
    getCustomerBalance: createBalanceRead(contract),
    /** `GET /customers/{id}/transactions` */
    listCustomerTransactions: createList(contract, 'listCustomerTransactions', decodeTransaction),
    /** `GET /customers/{id}/virtual-accounts` */
    listCustomerVirtualAccounts: createList(contract, 'listCustomerVirtualAccounts', decodeVirtual),
    /** `POST /customers/{id}/virtual-accounts` */
    createCustomerVirtualAccount: createRecordWrite<VirtualAccountInput, VirtualAccount>(
      contract,
      'createCustomerVirtualAccount',
      decodeVirtual,
      accountsListed ? [{ field: 'customer.virtualAccounts', by: ['customerId'] }] : [],
    ),
    /** `POST /customers/{id}/one-time-accounts` */
    createCustomerOneTimeAccount: createRecordWrite<OneTimeAccountInput, OneTimeAccount>(
      contract,
      'createCustomerOneTimeAccount',
      decodeOneTime,
      [],
    ),
  };
}
