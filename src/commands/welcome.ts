import { prefixedField } from '../graphql/type-prefix.ts';

/** The document that Sandbox starts with, and the query that the terminal prints: it answers on the embedded bank. */
export function firstDocument(typePrefix: string): string {
  return `query FirstLook {
  ${prefixedField('customers', typePrefix)}(first: 3) {
    totalCount
    nodes {
      id
      firstName
      lastName
      balance {
        value {
          amount
          currency
        }
      }
      transactions(first: 2) {
        nodes {
          narration
          direction
          amount {
            amount
          }
        }
      }
    }
  }
  ${prefixedField('settlementBanks', typePrefix)}(first: 2) {
    nodes {
      name
      accountNumber
    }
  }
}
`;
}

export interface WelcomeOptions {
  readonly url: string;
  /** The embedded bank's address; undefined where the gateway points at a service. */
  readonly bankUrl: string | undefined;
  readonly config: {
    readonly bearerHeaderIn: string;
    readonly privateKeyHeaderIn: string;
    readonly typePrefix: string;
  };
  readonly merchants: readonly { readonly name: string; readonly bearer: string; readonly privateKey: string }[];
}

/** What a developer needs on the terminal after a start. */
export function welcome({ url, bankUrl, config, merchants }: WelcomeOptions): string {
  const addresses = `\n  GraphQL   ${url}/graphql\n  Sandbox   ${url}/\n`;
  if (bankUrl === undefined) return `${addresses}\n`;
  const credentials = merchants.map(
    ({ name, bearer, privateKey }) =>
      `\n  ${name}\n    ${config.bearerHeaderIn}: Bearer ${bearer}\n    ${config.privateKeyHeaderIn}: ${privateKey}\n`,
  );
  const customers = prefixedField('customers', config.typePrefix);
  const query = `{ ${customers}(first: 3) { totalCount nodes { id firstName balance { value { amount currency } } } } }`;
  const curl = [
    `curl -s ${url}/graphql`,
    `-H 'content-type: application/json'`,
    `-H '${config.privateKeyHeaderIn}: ${merchants[0]?.privateKey}'`,
    `-d '${JSON.stringify({ query })}'`,
  ].join(' ');
  return `${addresses}  Bank      ${bankUrl} (embedded, demo data)\n${credentials.join('')}\n  Try it:\n\n${curl}\n\n`;
}
