/** The document that Sandbox starts with, and the query that the terminal prints: it answers on the embedded bank. */
export const firstDocument = `query FirstLook {
  customers(first: 3) {
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
  settlementBanks(first: 2) {
    nodes {
      name
      accountNumber
    }
  }
}
`;

export interface WelcomeOptions {
  readonly url: string;
  /** The embedded bank's address; undefined where the gateway points at a service. */
  readonly bankUrl: string | undefined;
  readonly headers: { readonly bearerHeaderIn: string; readonly privateKeyHeaderIn: string };
  readonly merchants: readonly { readonly name: string; readonly bearer: string; readonly privateKey: string }[];
}

/** What a developer needs on the terminal after a start. */
export function welcome({ url, bankUrl, headers, merchants }: WelcomeOptions): string {
  const addresses = `\n  GraphQL   ${url}/graphql\n  Sandbox   ${url}/\n`;
  if (bankUrl === undefined) return `${addresses}\n`;
  const credentials = merchants.map(
    ({ name, bearer, privateKey }) =>
      `\n  ${name}\n    ${headers.bearerHeaderIn}: Bearer ${bearer}\n    ${headers.privateKeyHeaderIn}: ${privateKey}\n`,
  );
  const query = '{ customers(first: 3) { totalCount nodes { id firstName balance { value { amount currency } } } } }';
  const curl = [
    `curl -s ${url}/graphql`,
    `-H 'content-type: application/json'`,
    `-H '${headers.privateKeyHeaderIn}: ${merchants[0]?.privateKey}'`,
    `-d '${JSON.stringify({ query })}'`,
  ].join(' ');
  return `${addresses}  Bank      ${bankUrl} (embedded, demo data)\n${credentials.join('')}\n  Try it:\n\n${curl}\n\n`;
}
