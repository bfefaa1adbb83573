export interface Query {
  /** Calls of the service for one answer. */
  readonly calls: number;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What the gateway and the hand-written service are both asked: the same answer, by the same calls of the service. */
export interface Question extends Query {
  readonly name: string;
  /** The hand-written service's address for it. */
  readonly target: string;
}

export const customerFields = 'id firstName lastName email phone status createdAt';
export const bankFields = 'id name accountNumber accountName bankCode bankSlug createdAt updatedAt';
const money = '{ amount currency }';

export const one: Question = {
  name: 'one customer + balance',
  calls: 2,
  document: `query One($id: ID!) {
    customer(id: $id) { ${customerFields} balance { value ${money} } }
  }`,
  variables: { id: 'cus_0001' },
  target: '/one?id=cus_0001',
};

export const many: Question = {
  name: '50 customers + balance',
  calls: 51,
  document: `query Many($first: Int!) {
    customers(first: $first) {
      nodes { ${customerFields} balance { value ${money} } }
      totalCount pageInfo { hasNextPage }
    }
  }`,
  variables: { first: 50 },
  target: '/many?first=50',
};

export const banks: Question = {
  name: '100 settlement banks',
  calls: 1,
  document: `query Banks($first: Int!) {
    settlementBanks(first: $first) {
      nodes { ${bankFields} }
      totalCount pageInfo { hasNextPage }
    }
  }`,
  variables: { first: 100 },
  target: '/banks?first=100',
};

/** That many customers, each with its balance, ten transactions and its accounts: three calls each, and one. */
export function everythingOf(first: number): Question {
  return {
    name: `${first} × balance, transactions, accounts`,
    calls: 1 + 3 * first,
    document: `query Everything($first: Int!) {
      customers(first: $first) {
        nodes {
          id firstName lastName
          balance { value ${money} }
          transactions(first: 10) { nodes { id narration type direction amount ${money} createdAt } totalCount }
          virtualAccounts(first: 5) { nodes { id accountNumber accountName bankName status } }
        }
        totalCount pageInfo { hasNextPage }
      }
    }`,
    variables: { first },
    target: `/everything?first=${first}`,
  };
}

/** What an application shows of one customer: four calls, of which none needs the answer of another. */
export const screen: Question = {
  name: 'one customer with balance, transactions, accounts',
  calls: 4,
  document: `query Screen($id: ID!) {
    customer(id: $id) {
      id firstName lastName
      balance { value ${money} }
      transactions(first: 10) { nodes { id narration type direction amount ${money} createdAt } totalCount }
      virtualAccounts(first: 5) { nodes { id accountNumber accountName bankName status } }
    }
  }`,
  variables: { id: 'cus_0001' },
  target: '/screen?id=cus_0001',
};

export const questions: readonly Question[] = [one, many, everythingOf(50), banks];

/** As many calls as one operation may need, but for ten. */
export const heaviest: Question = everythingOf(63);
