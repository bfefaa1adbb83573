/**
 * Contract overrides that describe the embedded bank where the published interface is silent, by row id. They apply
 * whenever the gateway uses the embedded bank. What it requires (validate.ts) is refused before a call.
 */
export const embeddedContract = {
  'money.unit': 'major',
  'money.currency': 'NGN',
  'listCustomers.search': 'search',
  'listSettlementBanks.search': 'search',
  'listCustomerTransactions.direction': 'direction',
  'listCustomerTransactions.status': 'status',
  'listCustomerTransactions.type': 'type',
  'listCustomerTransactions.reference': 'reference',
  'listCustomerTransactions.search': 'search',
  'listCustomerTransactions.createdFrom': 'from',
  'listCustomerTransactions.createdBefore': 'before',
  'listCustomerTransactions.order': 'newestFirst',
  'storeSettlementBank.required': ['name', 'accountNumber', 'accountName', 'bankCode', 'bankSlug'],
  'createCustomer.required': [
    'firstName',
    'lastName',
    'nin',
    'dateOfBirth',
    'phone',
    'email',
    'reference',
    'type',
    'collectionWalletId',
  ],
} as const;
