import { hash } from 'node:crypto';
import type { EmbeddedBank } from '../bank/bank.ts';
import { demoMerchants } from '../bank/merchants.ts';
import type { Config } from '../config/config.ts';
import { createContract, lacksMinorDigits } from '../contract/contract.ts';
import type { Logger } from '../runtime/log.ts';
import { startServer } from '../server.ts';
import { readOverrides } from './contract-overrides.ts';
import { createFirstDocument, findUndecided } from './start-report.ts';

/** Starts the gateway, and before it the embedded bank unless the configuration names a service. */
export async function startGateway(config: Config, log: Logger) {
  const warnOfIgnored = (rows: readonly string[]): void =>
    log.warn({ rows }, 'rows without effect: the embedded bank has its own');
  // The checksum of the bytes that were read: a contract that comes by a pipe cannot be read again.
  let contractSha256: string | undefined;
  const onRead = (bytes: Buffer): void => void (contractSha256 = hash('sha256', bytes, 'hex'));
  const contract = createContract(await readOverrides(config, warnOfIgnored, onRead));
  if (lacksMinorDigits(contract))
    log.warn({ rows: ['money.minorDigits'] }, `amounts in ${contract['money.currency']} are taken as whole units`);
  const { upstream, embedded } = await startUpstream(config);
  const demo = embedded && {
    document: createFirstDocument(config.typePrefix),
    headers: createDemoHeaders(config),
    merchants: demoMerchants.map((merchant) => ({ name: merchant.name, headers: createDemoHeaders(config, merchant) })),
    mountBank: embedded.mountControl,
  };
  const server = await startServer({ config, contract, upstream, log, demo }).catch(async (error: unknown) => {
    await embedded?.close();
    throw error;
  });
  return { server, embedded, contractSha256, undecided: findUndecided(contract) };
}

async function startUpstream(config: Config) {
  if (config.upstream !== 'embedded') return { upstream: config.upstream, embedded: undefined };
  const embedded = await startEmbeddedBank(config);
  return { upstream: new URL(embedded.url), embedded };
}

export async function startEmbeddedBank({ bankPort, bankDatabase, bankScenario }: Config): Promise<EmbeddedBank> {
  const { startBank } = await import('../bank/bank.ts');
  return startBank({ port: bankPort, database: bankDatabase, scenario: bankScenario });
}

/** The credentials of a demo merchant, the first unless told, in the headers in which clients send them. */
export function createDemoHeaders(
  { bearerHeaderIn, privateKeyHeaderIn }: Config,
  { bearer, privateKey }: (typeof demoMerchants)[number] = demoMerchants[0],
): Readonly<Record<string, string>> {
  return { [bearerHeaderIn]: `Bearer ${bearer}`, [privateKeyHeaderIn]: privateKey };
}
