import { uniqueMark } from './load.ts';
import type { Pair } from './pairs.ts';
import { bankFields, customerFields, everythingOf, type Query } from './questions.ts';
import type { Asked } from './rounds.ts';
import { ask, askedOf, type Gateway } from './services.ts';

/** One query at three sizes of the one thing that grows in it. */
export interface Series {
  readonly name: string;
  readonly sizes: readonly number[];
  /** Of each service that knows the query, what it is asked at each size. */
  readonly asked: Readonly<Record<string, readonly Asked[]>>;
}

export async function createSeries({ gateway, handWritten }: Pair): Promise<readonly Series[]> {
  const cursors = await readCursors(gateway);
  const page = (number: number) => banks(10, cursors[(number - 1) * 10 - 1] ?? null);
  const alone = (name: string, sizes: readonly number[], queryOf: (size: number) => Query): Series => ({
    name,
    sizes,
    asked: { [name]: sizes.map((size) => askedOf(gateway, queryOf(size))) },
  });
  const everything = [3, 16, 63].map(everythingOf);
  return [
    {
      name: 'calls',
      sizes: everything.map(({ calls }) => calls),
      asked: {
        calls: everything.map((question) => askedOf(gateway, question)),
        'calls, by hand': everything.map((question) => askedOf(handWritten, question)),
      },
    },
    alone('records of a list', [25, 50, 100], (first) => banks(first, null)),
    alone('page of a list', [2, 50, 100], page),
    alone('aliases', [1, 25, 50], aliases),
    alone('tokens', [500, 1000, 2000], (count) => tokens(count, '')),
    alone('tokens, new documents', [500, 1000, 2000], (count) => tokens(count, uniqueMark)),
  ];
}

function banks(first: number, after: string | null): Query {
  const document = `query Banks($first: Int!, $after: String) {
    settlementBanks(first: $first, after: $after) { nodes { ${bankFields} } totalCount pageInfo { hasNextPage } }
  }`;
  return { calls: 1, document, variables: { first, after } };
}

/** The balance of one customer under so many names: equal reads, which are one call. */
function aliases(count: number): Query {
  const balances = Array.from({ length: count }, (_, index) => `b${index}: balance { value { amount currency } }`);
  const document = `query Aliases($id: ID!) { customer(id: $id) { id ${balances.join(' ')} } }`;
  return { calls: 2, document, variables: { id: 'cus_0001' } };
}

/**
 * A document of exactly so many tokens, nearly all of them eleven fields that stand there again and again: validation
 * compares equal names in pairs, and of fewer fields there would be more pairs than graphql-js agrees to look at.
 */
function tokens(count: number, mark: string): Query {
  const around = 'query Tokens ( $ id : ID ! ) { customer ( id : $ id ) { } }'.split(' ').length;
  const names = `${customerFields} reference type dateOfBirth updatedAt`.split(' ');
  const fields = Array.from({ length: count - around }, (_, index) => names[index % names.length]);
  const document = `query Tokens${mark}($id: ID!) { customer(id: $id) { ${fields.join(' ')} } }`;
  return { calls: 1, document, variables: { id: 'cus_0001' } };
}

/** The cursors of all settlement banks, in their order. */
async function readCursors(gateway: Gateway): Promise<readonly string[]> {
  const cursors: string[] = [];
  const document = `query Cursors($after: String) {
    settlementBanks(first: 100, after: $after) { edges { cursor } }
  }`;
  while (cursors.length < 1000) {
    const query = { calls: 1, document, variables: { after: cursors.at(-1) ?? null } };
    const answer = await ask(gateway.targetOf(query));
    const { data } = (await answer.json()) as Cursors; // as asked for in the document
    cursors.push(...data.settlementBanks.edges.map(({ cursor }) => cursor));
  }
  return cursors;
}

interface Cursors {
  readonly data: { readonly settlementBanks: { readonly edges: readonly { readonly cursor: string }[] } };
}
