import { demoMerchants } from '../bank/merchants.ts';
import type { Config } from '../config/config.ts';
import { prefixedField } from '../graphql/type-prefix.ts';

/** The document that Apollo Sandbox opens with; its fields have data in the embedded bank. */
export function createFirstDocument(typePrefix: string): string {
  return `query FirstLook {
  ${prefixedField('customers', typePrefix)}(first: 3) {
    totalCount
    nodes {
      id
      firstName
      lastName
      balance { value { amount currency } }
      transactions(first: 2) {
        nodes { narration direction amount { amount } }
      }
    }
  }
  ${prefixedField('settlementBanks', typePrefix)}(first: 2) {
    nodes { name accountNumber }
  }
}
`;
}

/** The text for a developer's terminal after the start; `bankUrl` is undefined where another service is used. */
export function createWelcome(url: string, bankUrl: string | undefined, config: Config): string {
  const addresses = `\n  GraphQL   ${url}/graphql\n  Sandbox   ${url}/\n  Explorer  ${url}/explorer\n`;
  if (bankUrl === undefined) return `${addresses}\n`;
  const credentials = demoMerchants.map(
    ({ name, bearer, privateKey }) =>
      `\n  ${name}\n    ${config.bearerHeaderIn}: Bearer ${bearer}\n    ${config.privateKeyHeaderIn}: ${privateKey}\n`,
  );
  const customers = prefixedField('customers', config.typePrefix);
  const query = `{ ${customers}(first: 3) { totalCount nodes { id firstName balance { value { amount currency } } } } }`;
  const curl = [
    `curl -s ${url}/graphql`,
    `-H 'content-type: application/json'`,
    `-H '${config.privateKeyHeaderIn}: ${demoMerchants[0].privateKey}'`,
    `-d '${JSON.stringify({ query })}'`,
  ].join(' ');
  return `${addresses}  Bank      ${bankUrl} (embedded, demo data)\n${credentials.join('')}\n  Try it:\n\n${curl}\n\n`;
}
