/** One of the thirteen operations, asked beside a healthy field. */
export interface Probe {
  readonly operation: string;
  readonly kind: 'read' | 'write';
  /** The GraphQL document's fields; what the operation answers stands under the alias `faulty`. */
  readonly field: string;
  /** Where `faulty` stands in the answer. */
  readonly slot: readonly string[];
  /** The method and the path on the wire, without a query. */
  readonly target: string;
  /** The right answer on the wire, and its member that faults inside JSON spoil. */
  readonly json: string;
  readonly member: string;
  /** What `faulty` is when all is well, and when that one member cannot be read. */
  readonly answer: unknown;
  readonly spoiled: unknown;
}

type ProbeParts = Omit<Probe, 'kind' | 'slot' | 'json'> & { readonly data: string };

const read = (parts: ProbeParts, slot: readonly string[] = ['faulty']): Probe => ({
  kind: 'read',
  slot,
  json: wrapped(parts.data),
  ...parts,
});

/** A read below a customer, who is healthy. */
const nested = (parts: ProbeParts): Probe =>
  read({ ...parts, field: `owner: customer(id: "healthy") { ${parts.field} }` }, ['owner', 'faulty']);

const write = ({ record, ...parts }: Omit<ProbeParts, 'answer' | 'spoiled'> & { readonly record: WrittenRecord }) => ({
  ...parts,
  kind: 'write' as const,
  slot: ['faulty'],
  json: wrapped(parts.data),
  answer: { record: record.answer, userErrors: [] },
  spoiled: { record: record.spoiled, userErrors: [] },
});

interface WrittenRecord {
  readonly answer: unknown;
  readonly spoiled: unknown;
}

const wrapped = (data: string): string => `{"success":true,"message":"OK","data":${data}}`;

const customer = '{"id":"r1","first_name":"Ada"}';
const customerRecord = { answer: { id: 'r1', firstName: 'Ada' }, spoiled: { id: 'r1', firstName: null } };
const settlementBank = '{"id":"r1","name":"Main"}';
const settlementBankRecord = { answer: { id: 'r1', name: 'Main' }, spoiled: { id: 'r1', name: null } };
const account = '{"id":"r1","bank_name":"Example"}';
const accountRecord = { answer: { id: 'r1', bankName: 'Example' }, spoiled: { id: 'r1', bankName: null } };
const firstName = '"first_name":"Ada"';
const name = '"name":"Main"';
const amount = '"amount":"5.00"';
const bankName = '"bank_name":"Example"';

const page = (record: string): string => `{"current_page":1,"data":[${record}],"last_page":1,"per_page":20,"total":1}`;
const nodes = ({ answer, spoiled }: WrittenRecord) => ({
  answer: { nodes: [answer], totalCount: 1 },
  spoiled: { nodes: [spoiled], totalCount: 1 },
});

/** Money that cannot be read takes what cannot be without it along: a whole transaction, but not a whole account. */
const transactionRecord = { answer: { id: 'r1', amount: { amount: '5.00' } }, spoiled: null };
const oneTimeRecord = { answer: { id: 'r1', amount: { amount: '5.00' } }, spoiled: { id: 'r1', amount: null } };

export const probes: readonly Probe[] = [
  read({
    operation: 'getSettlementBank',
    field: 'faulty: settlementBank(id: "r1") { id name }',
    target: 'GET /settlement-banks/r1',
    data: settlementBank,
    member: name,
    ...settlementBankRecord,
  }),
  read({
    operation: 'listSettlementBanks',
    field: 'faulty: settlementBanks { nodes { id name } totalCount }',
    target: 'GET /settlement-banks/',
    data: page(settlementBank),
    member: name,
    ...nodes(settlementBankRecord),
  }),
  read({
    operation: 'getCustomer',
    field: 'faulty: customer(id: "r1") { id firstName }',
    target: 'GET /customers/r1',
    data: customer,
    member: firstName,
    ...customerRecord,
  }),
  read({
    operation: 'listCustomers',
    field: 'faulty: customers { nodes { id firstName } totalCount }',
    target: 'GET /customers/',
    data: page(customer),
    member: firstName,
    ...nodes(customerRecord),
  }),
  nested({
    operation: 'getCustomerBalance',
    field: 'faulty: balance { value { amount } }',
    target: 'GET /customers/healthy/balance',
    data: '{"balance":"5.00"}',
    member: '"balance":"5.00"',
    answer: { value: { amount: '5.00' } },
    spoiled: null,
  }),
  nested({
    operation: 'listCustomerTransactions',
    field: 'faulty: transactions { nodes { id amount { amount } } totalCount }',
    target: 'GET /customers/healthy/transactions',
    data: page(`{"id":"r1",${amount}}`),
    member: amount,
    ...nodes(transactionRecord),
  }),
  nested({
    operation: 'listCustomerVirtualAccounts',
    field: 'faulty: virtualAccounts { nodes { id bankName } totalCount }',
    target: 'GET /customers/healthy/virtual-accounts',
    data: page(account),
    member: bankName,
    ...nodes(accountRecord),
  }),
  write({
    operation: 'storeSettlementBank',
    field:
      'faulty: createSettlementBank(input: { name: "Main" }) { record: settlementBank { id name } userErrors { code } }',
    target: 'POST /settlement-banks/',
    data: settlementBank,
    member: name,
    record: settlementBankRecord,
  }),
  write({
    operation: 'updateSettlementBank',
    field:
      'faulty: updateSettlementBank(input: { id: "r1", name: "Main" }) { record: settlementBank { id name } userErrors { code } }',
    target: 'PATCH /settlement-banks/r1',
    data: settlementBank,
    member: name,
    record: settlementBankRecord,
  }),
  write({
    operation: 'createCustomer',
    field:
      'faulty: createCustomer(input: { firstName: "Ada" }) { record: customer { id firstName } userErrors { code } }',
    target: 'POST /customers/',
    data: customer,
    member: firstName,
    record: customerRecord,
  }),
  write({
    operation: 'updateCustomer',
    field:
      'faulty: updateCustomer(input: { id: "r1", firstName: "Ada" }) { record: customer { id firstName } userErrors { code } }',
    target: 'PATCH /customers/r1',
    data: customer,
    member: firstName,
    record: customerRecord,
  }),
  write({
    operation: 'createCustomerVirtualAccount',
    field:
      'faulty: createVirtualAccount(input: { customerId: "r1" }) { record: virtualAccount { id bankName } userErrors { code } }',
    target: 'POST /customers/r1/virtual-accounts',
    data: account,
    member: bankName,
    record: accountRecord,
  }),
  write({
    operation: 'createCustomerOneTimeAccount',
    field:
      'faulty: createOneTimeAccount(input: { customerId: "r1", amount: "5.00" }) { record: oneTimeAccount { id amount { amount } } userErrors { code } }',
    target: 'POST /customers/r1/one-time-accounts',
    data: `{"id":"r1",${amount}}`,
    member: amount,
    record: oneTimeRecord,
  }),
];
