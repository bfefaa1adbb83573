/**
 * What the embedded bank decides for itself where the published interface is silent: overrides of contract rows by id,
 * put in force whenever the gateway talks to the embedded bank. Its amounts are major units of the naira, and its
 * lists can be searched and filtered.
 */
export const embeddedContract = {
  'money.unit': 'major',
  'money.currency': 'NGN',
  'listCustomers.search': 'search',
  'listSettlementBanks.search': 'search',
  'listCustomerTransactions.type': 'type',
} as const;
