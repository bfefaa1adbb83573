/** One of the six writes, with what the service may answer to it. */
export interface WriteCase {
  readonly field: string;
  /** The contract's name of it. */
  readonly operation: string;
  readonly document: string;
  readonly method: string;
  /** The payload's field that holds the record. */
  readonly record: string;
  /** Where an unknown outcome is looked up; absent where there is no way. */
  readonly lookup?: unknown;
  /** A record that proves the write: an id, and one more value that belongs to it. */
  readonly proven: { readonly id: string };
}

type WriteParts = Omit<WriteCase, 'document' | 'operation'> & { readonly input: string; readonly operation?: string };

const write = ({ input, ...parts }: WriteParts): WriteCase => ({
  operation: parts.field,
  ...parts,
  document: `mutation {
    ${parts.field}(input: ${input}) { ${parts.record} { id } userErrors { code field message } }
  }`,
});

const account = {
  method: 'POST',
  proven: { id: 'a1', account_number: '0123456789' },
};

export const create = write({
  field: 'createCustomer',
  input: '{ reference: "ref-1" }',
  record: 'customer',
  method: 'POST',
  lookup: { field: 'customers', by: ['reference'] },
  proven: { id: 'c1', reference: 'ref-1' } as { readonly id: string },
});

export const update = write({
  field: 'updateCustomer',
  input: '{ id: "c1", firstName: "Ada" }',
  record: 'customer',
  method: 'PATCH',
  lookup: { field: 'customer', by: ['id'] },
  proven: { id: 'c1', first_name: 'Ada' } as { readonly id: string },
});

const writes: readonly WriteCase[] = [
  create,
  update,
  write({
    field: 'createSettlementBank',
    operation: 'storeSettlementBank',
    input: '{ name: "Main" }',
    record: 'settlementBank',
    method: 'POST',
    lookup: { field: 'settlementBanks', by: ['accountNumber', 'bankCode'] },
    proven: { id: 'b1', name: 'Main' } as { readonly id: string },
  }),
  write({
    field: 'updateSettlementBank',
    input: '{ id: "b1", name: "Main" }',
    record: 'settlementBank',
    method: 'PATCH',
    lookup: { field: 'settlementBank', by: ['id'] },
    proven: { id: 'b1', name: 'Main' } as { readonly id: string },
  }),
  write({
    field: 'createVirtualAccount',
    operation: 'createCustomerVirtualAccount',
    input: '{ customerId: "c1" }',
    record: 'virtualAccount',
    lookup: { field: 'customer.virtualAccounts', by: ['customerId'] },
    ...account,
  }),
  write({
    field: 'createOneTimeAccount',
    operation: 'createCustomerOneTimeAccount',
    input: '{ customerId: "c1", amount: "5.00" }',
    record: 'oneTimeAccount',
    ...account,
  }),
];

/**
 * Each row with one of the writes, in turn, ready for `it.each`: its name, the write's field, the write, the rest of the
 * row. All writes go the same way, so that a row needs one, and a table meets all.
 */
export const inTurn = <Rest extends readonly unknown[]>(
  rows: readonly (readonly [name: string, ...Rest])[],
  cases: readonly WriteCase[] = writes,
) =>
  rows.map(([name, ...rest], index) => {
    const one = cases[index % cases.length] ?? create;
    return [name, one.field, one, ...rest] as const;
  });

/** The write of that field. Throws where there is none. */
export function writeOf(field: string): WriteCase {
  const one = writes.find((each) => each.field === field);
  if (one === undefined) throw new Error(`There is no write ${field}.`);
  return one;
}
