/** An operation that a fault meets, and what it answers when all is well. */
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

interface WireRecord {
  readonly data: string;
  readonly member: string;
  readonly fields: string;
  readonly answer: unknown;
  /** Money that cannot be read takes what cannot be without it along: a whole transaction, but not a whole account. */
  readonly spoiled: unknown;
}

const ofText = (wireName: string, name: string, value: string): WireRecord => ({
  data: `{"id":"r1","${wireName}":"${value}"}`,
  member: `"${wireName}":"${value}"`,
  fields: `id ${name}`,
  answer: { id: 'r1', [name]: value },
  spoiled: { id: 'r1', [name]: null },
});
const customer = ofText('first_name', 'firstName', 'Ada');
const settlementBank = ofText('name', 'name', 'Main');
const account = ofText('bank_name', 'bankName', 'Example');
const ofAmount = (spoiled: unknown): WireRecord => ({
  data: '{"id":"r1","amount":"5.00"}',
  member: '"amount":"5.00"',
  fields: 'id amount { amount }',
  answer: { id: 'r1', amount: { amount: '5.00' } },
  spoiled,
});
const balance: WireRecord = {
  data: '{"balance":"5.00"}',
  member: '"balance":"5.00"',
  fields: 'value { amount }',
  answer: { value: { amount: '5.00' } },
  spoiled: null,
};
const pageOf = ({ data, fields, answer, spoiled, ...rest }: WireRecord): WireRecord => ({
  ...rest,
  data: `{"current_page":1,"data":[${data}],"last_page":1,"per_page":20,"total":1}`,
  fields: `nodes { ${fields} } totalCount`,
  answer: { nodes: [answer], totalCount: 1 },
  spoiled: { nodes: [spoiled], totalCount: 1 },
});

function probe(operation: string, kind: Probe['kind'], target: string, { data, fields, ...record }: WireRecord) {
  const common = { operation, kind, target, json: `{"success":true,"message":"OK","data":${data}}`, ...record };
  return (field: string, slot: readonly string[]): Probe => ({ ...common, field: `${field} { ${fields} }`, slot });
}

const read = (operation: string, target: string, field: string, record: WireRecord): Probe =>
  probe(operation, 'read', `GET ${target}`, record)(`faulty: ${field}`, ['faulty']);

/** A read below a customer, who is healthy. */
function nested(operation: string, name: string, path: string, record: WireRecord): Probe {
  const below = probe(
    operation,
    'read',
    `GET /customers/healthy/${path}`,
    record,
  )(`faulty: ${name}`, ['owner', 'faulty']);
  return { ...below, field: `owner: customer(id: "healthy") { ${below.field} }` };
}

function write(operation: string, target: string, field: string, payload: string, record: WireRecord): Probe {
  const outcome = (value: unknown) => ({ record: value, userErrors: [] });
  const { answer, spoiled } = record;
  const own = probe(operation, 'write', target, { ...record, answer: outcome(answer), spoiled: outcome(spoiled) });
  const { field: selection, ...rest } = own(`record: ${payload}`, ['faulty']);
  return { ...rest, field: `faulty: ${field} { ${selection} userErrors { code } }` };
}

const oneTimeAccount = ofAmount({ id: 'r1', amount: null });
export const probes: readonly Probe[] = [
  read('getSettlementBank', '/settlement-banks/r1', 'settlementBank(id: "r1")', settlementBank),
  read('listSettlementBanks', '/settlement-banks/', 'settlementBanks', pageOf(settlementBank)),
  read('getCustomer', '/customers/r1', 'customer(id: "r1")', customer),
  read('listCustomers', '/customers/', 'customers', pageOf(customer)),
  nested('getCustomerBalance', 'balance', 'balance', balance),
  nested('listCustomerTransactions', 'transactions', 'transactions', pageOf(ofAmount(null))),
  nested('listCustomerVirtualAccounts', 'virtualAccounts', 'virtual-accounts', pageOf(account)),
  write(
    'storeSettlementBank',
    'POST /settlement-banks/',
    'createSettlementBank(input: { name: "Main" })',
    'settlementBank',
    settlementBank,
  ),
  write(
    'updateSettlementBank',
    'PATCH /settlement-banks/r1',
    'updateSettlementBank(input: { id: "r1", name: "Main" })',
    'settlementBank',
    settlementBank,
  ),
  write('createCustomer', 'POST /customers/', 'createCustomer(input: { firstName: "Ada" })', 'customer', customer),
  write(
    'updateCustomer',
    'PATCH /customers/r1',
    'updateCustomer(input: { id: "r1", firstName: "Ada" })',
    'customer',
    customer,
  ),
  write(
    'createCustomerVirtualAccount',
    'POST /customers/r1/virtual-accounts',
    'createVirtualAccount(input: { customerId: "r1" })',
    'virtualAccount',
    account,
  ),
  write(
    'createCustomerOneTimeAccount',
    'POST /customers/r1/one-time-accounts',
    'createOneTimeAccount(input: { customerId: "r1", amount: "5.00" })',
    'oneTimeAccount',
    oneTimeAccount,
  ),
];
