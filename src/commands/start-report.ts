import { demoMerchants } from '../bank/merchants.ts';
import type { Config } from '../config/config.ts';
import { describeContract, type Contract } from '../contract/contract.ts';
import { prefixedField } from '../graphql/type-prefix.ts';
import { version } from '../runtime/version.ts';

/**
 * The fields of the `listening` line: version, mode, the variables of the protections in force, the SHA-256 of the
 * contract's file as it was read, the store of idempotency keys. Holds no secret.
 */
export function describeStart(config: Config, contractSha256: string | undefined) {
  const protections = {
    ROUTER_SECRET: config.routerSecret !== undefined,
    TRUSTED_DOCUMENTS: config.trustedDocumentsFile !== undefined,
    TRUSTED_DOCUMENTS_ONLY: config.trustedDocumentsOnly,
    FINGERPRINT_SECRET: config.fingerprintSecret !== undefined,
    'INTROSPECTION=0': !config.introspection,
  };
  return {
    version,
    mode: config.isProduction ? 'production' : 'development',
    protections: Object.entries(protections).flatMap(([name, isInForce]) => (isInForce ? name : [])),
    contractSha256,
    store: describeStore(config.idempotencyStore),
  };
}

/** The undecided rows: fields that need one answer CONTRACT_UNDECIDED. */
export function findUndecided(contract: Contract): readonly string[] {
  return describeContract(contract).flatMap(({ id, state }) => (state === 'undecided' ? id : []));
}

function describeStore(store: Config['idempotencyStore']): string {
  if (store === undefined) return 'none';
  if (store.kind === 'sqlite') return `sqlite:${store.path}`;
  const { protocol, host, pathname } = new URL(store.url);
  return `${protocol}//${host}${pathname}${store.acceptsLoss ? '?durability=accept' : ''}`;
}

/** Names the variable whose port or address cannot be listened on; undefined for any other error. */
export function describeListenFault(error: unknown, config: Config): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  const address = 'hostname' in error ? error.hostname : 'address' in error && error.address;
  if (/^(?:EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/.test(String(error.code)) && address === config.host) {
    return `HOST: is no address of this machine (${String(error.code)}); set one that is, such as 127.0.0.1 or 0.0.0.0.`;
  }
  return 'port' in error ? describePortFault(error.code, error.port, config) : undefined;
}

function describePortFault(code: unknown, port: unknown, config: Config): string | undefined {
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined;
  const variables = { PORT: config.port, ADMIN_PORT: config.adminPort, BANK_PORT: config.bankPort };
  const names = Object.entries(variables).flatMap(([name, value]) => (value === port ? name : []));
  const reason =
    code === 'EACCES'
      ? 'may not be used by this user'
      : 'is taken by another program, perhaps a gateway that still runs';
  return `${names.join(' or ')}: port ${String(port)} ${reason} (${code}, ${String(port)}); set another one.`;
}

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
