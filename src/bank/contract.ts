/**
 * Contract overrides that describe the embedded bank where the published interface is silent, by row id. They apply
 * whenever the gateway uses the embedded bank.
 */
export const embeddedContract = {
  'money.unit': 'major',
  'money.currency': 'NGN',
  'listCustomers.search': 'search',
  'listSettlementBanks.search': 'search',
  'listCustomerTransactions.type': 'type',
} as const;
