import type { CredentialKind } from './merchants.ts';

interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path below `/api/v1`, with a trailing slash where the published interface has one. */
  readonly path: string;
  readonly credential: CredentialKind;
}

/** The thirteen operations; methods and paths that are not published follow the contract's default assumptions. */
export const operations = {
  storeSettlementBank: { method: 'POST', path: '/settlement-banks/', credential: 'bearer' },
  listSettlementBanks: { method: 'GET', path: '/settlement-banks/', credential: 'bearer' },
  getSettlementBank: { method: 'GET', path: '/settlement-banks/:id', credential: 'bearer' },
  updateSettlementBank: { method: 'PATCH', path: '/settlement-banks/:id', credential: 'bearer' },
  createCustomer: { method: 'POST', path: '/customers/', credential: 'privateKey' },
  listCustomers: { method: 'GET', path: '/customers/', credential: 'privateKey' },
  getCustomer: { method: 'GET', path: '/customers/:id', credential: 'privateKey' },
  updateCustomer: { method: 'PATCH', path: '/customers/:id', credential: 'privateKey' },
  getCustomerBalance: { method: 'GET', path: '/customers/:id/balance', credential: 'privateKey' },
  listCustomerTransactions: { method: 'GET', path: '/customers/:id/transactions', credential: 'privateKey' },
  listCustomerVirtualAccounts: { method: 'GET', path: '/customers/:id/virtual-accounts', credential: 'privateKey' },
  createCustomerVirtualAccount: { method: 'POST', path: '/customers/:id/virtual-accounts', credential: 'privateKey' },
  createCustomerOneTimeAccount: { method: 'POST', path: '/customers/:id/one-time-accounts', credential: 'privateKey' },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;

// The type of Object.keys is string[].
export const operationNames = Object.keys(operations) as readonly OperationName[];

export const writeNames = operationNames.filter((name) => operations[name].method !== 'GET');
