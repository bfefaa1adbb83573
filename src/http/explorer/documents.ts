import { prefixedField } from '../../graphql/type-prefix.ts';

const person =
  'firstName: "Ada", lastName: "Example", nin: "00000000000", dateOfBirth: "1990-01-31", phone: "+2340000000000", email: "ada@example.com", type: "wallet", collectionWalletId: "wal_0001"';
const payload = '{ customer { id reference } userErrors { code field message } }';

/**
 * The documents that the explorer opens with, a tab each. Their data is the embedded bank's; the last four show the four
 * outcomes of a write.
 */
export function createDocuments(typePrefix: string): readonly string[] {
  const field = (name: string): string => prefixedField(name, typePrefix);
  const create = (name: string, reference: string, hint: string): string => `# ${hint}
mutation ${name} {
  ${field('createCustomer')}(input: { ${person}, reference: "${reference}" })
    ${payload}
}
`;
  return [
    `query OneCustomer {
  ${field('customer')}(id: "cus_0001") {
    firstName
    balance { value { amount currency } }
    transactions(first: 5) { nodes { narration direction amount { amount } } }
    virtualAccounts(first: 5) { nodes { accountNumber bankName } }
  }
}
`,
    `mutation OpenAccount {
  ${field('createVirtualAccount')}(input: { customerId: "cus_0001", idempotencyKey: "account-1" }) {
    virtualAccount { id accountNumber }
    userErrors { code field message }
  }
}
`,
    create(
      'Done',
      'explorer-1',
      'Done: the answer proves the record. A second time it is refused, since the reference is taken.',
    ),
    create(
      'Refused',
      'demo-customer-0001',
      'Refused: the reference belongs to another customer, and userErrors says so.',
    ),
    create(
      'NotSent',
      'explorer-2',
      'Not sent: take the header of the private key away first, and nothing leaves the gateway.',
    ),
    create(
      'Unknown',
      'explorer-3',
      'Unknown: press "Next write: done, answer lost" on the page of the bank first. Look it up before you repeat it.',
    ),
  ];
}
