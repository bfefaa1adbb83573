/** The members of every interface and union, for caches; there are none yet. */
export const possibleTypes = {} as const;

/** The fields that are connections, by type, each with the arguments that choose its list. */
export const connectionFields = {
  "Customer": {
    "transactions": [
      "createdBefore",
      "createdFrom",
      "direction",
      "reference",
      "search",
      "status",
      "type"
    ],
    "virtualAccounts": []
  },
  "Query": {
    "customers": [
      "search"
    ],
    "settlementBanks": [
      "search"
    ]
  }
} as const;

/** The root fields that are one record. */
export const recordFields = [
  "customer",
  "settlementBank"
] as const;

/** The types without an identifier: caches keep their values inside the record that they came with. */
export const unkeyedTypes = [
  "Balance",
  "BankingUserError",
  "CreateCustomerPayload",
  "CreateOneTimeAccountPayload",
  "CreateSettlementBankPayload",
  "CreateVirtualAccountPayload",
  "CustomerConnection",
  "CustomerEdge",
  "CustomerTransactionConnection",
  "CustomerTransactionEdge",
  "Money",
  "PageInfo",
  "SettlementBankConnection",
  "SettlementBankEdge",
  "UpdateCustomerPayload",
  "UpdateSettlementBankPayload",
  "VirtualAccountConnection",
  "VirtualAccountEdge"
] as const;

/** What each scalar of the schema is in TypeScript, for `scalars` of a codegen configuration. */
export const scalars = {
  "CurrencyCode": "string",
  "Date": "string",
  "DateTime": "string",
  "Decimal": "string"
} as const;
