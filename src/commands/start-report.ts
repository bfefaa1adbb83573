import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { describeContract, type Contract } from '../contract/contract.ts';
import { version } from '../runtime/version.ts';

/**
 * The fields of the `listening` line: version, mode, the variables of the protections in force, the SHA-256 of the
 * contract's file as `sha256sum` prints it, the store of idempotency keys. Holds no secret.
 */
export function describeStart(config: Config) {
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
    contractSha256:
      config.contractFile === undefined
        ? undefined
        : createHash('sha256').update(readFileSync(config.contractFile)).digest('hex'),
    store: describeStore(config.idempotencyStore),
  };
}

/** The rows that nobody has decided: fields that need one answer CONTRACT_UNDECIDED. */
export function findUndecided(contract: Contract): readonly string[] {
  return describeContract(contract).flatMap(({ id, state }) => (state === 'undecided' ? id : []));
}

function describeStore(store: Config['idempotencyStore']): string {
  if (store === undefined) return 'none';
  if (store.kind === 'sqlite') return `sqlite:${store.path}`;
  const { protocol, host, pathname } = new URL(store.url);
  return `${protocol}//${host}${pathname}${store.acceptsLoss ? '?durability=accept' : ''}`;
}

/** Names the variable whose port cannot be listened on; undefined for any other error. */
export function describePortFault(error: unknown, { port, adminPort, bankPort }: Config): string | undefined {
  if (!(error instanceof Error) || !('code' in error && 'port' in error)) return undefined;
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return undefined;
  const variables = { PORT: port, ADMIN_PORT: adminPort, BANK_PORT: bankPort };
  const names = Object.entries(variables).flatMap(([name, value]) => (value === error.port ? name : []));
  const reason =
    error.code === 'EACCES'
      ? 'may not be used by this user'
      : 'is taken by another program, perhaps a gateway that still runs';
  return `${names.join(' or ')}: port ${String(error.port)} ${reason} (${error.code}, ${String(error.port)}); set another one.`;
}
