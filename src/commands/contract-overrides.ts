import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { embeddedContract } from '../bank/contract.ts';
import type { Config } from '../config/config.ts';
import type { OverridesFile } from '../contract/overrides-file.ts';

/**
 * Reads the contract overrides: those of the file, and the money decisions of the environment or, for the embedded bank,
 * its rows. `onIgnored` is called with the given rows that the embedded bank decides otherwise. Rejects with one Error for
 * all faults of the file and all decisions that differ between file and environment.
 */
export async function readOverrides(
  config: Config,
  onIgnored: (rows: readonly string[]) => void = () => {},
): Promise<Readonly<Record<string, unknown>>> {
  const { contractFile: file, moneyUnit, currency, upstream } = config;
  const { overrides, faults } = await readFile(file);
  const decisions: Readonly<Record<string, string>> = {
    ...(moneyUnit === undefined ? {} : { 'money.unit': moneyUnit }),
    ...(currency === undefined ? {} : { 'money.currency': currency }),
  };
  const conflicts = Object.entries(decisions)
    .filter(([id, value]) => Object.hasOwn(overrides, id) && overrides[id] !== value)
    .map(([id]) => `${file}: rows.${id}: differs from the environment's decision; allowed: one of the two`);
  const all = [...faults, ...conflicts];
  if (all.length > 0) throw new Error(`The contract's overrides are not valid.\n${all.join('\n')}`);
  const rows: Readonly<Record<string, unknown>> = { ...overrides, ...decisions };
  if (upstream !== 'embedded') return rows;
  const ignored = findIgnored(rows);
  if (ignored.length > 0) onIgnored(ignored);
  return { ...rows, ...embeddedContract };
}

/** The given rows that the embedded bank decides otherwise. */
export function findIgnored(rows: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(embeddedContract).flatMap(([id, value]) =>
    Object.hasOwn(rows, id) && !isDeepStrictEqual(rows[id], value) ? id : [],
  );
}

/**
 * The overrides that `contract`, `contract try` and `contract test` use, and their name. The embedded bank's apply only
 * if no variable describes a service; UPSTREAM_URL is not needed.
 */
export async function rowsInForce(
  config: Config,
): Promise<{ readonly overrides: Readonly<Record<string, unknown>>; readonly source: string }> {
  const { contractFile, moneyUnit, currency, upstream } = config;
  const isOfService = upstream !== 'embedded' || contractFile !== undefined || (moneyUnit ?? currency) !== undefined;
  if (!isOfService)
    return {
      overrides: await readOverrides(config),
      source: "the embedded bank's contract (UPSTREAM_CONTRACT names a service's)",
    };
  const service = { ...config, upstream: new URL('http://127.0.0.1') };
  return { overrides: await readOverrides(service), source: contractFile ?? 'the default contract' };
}

/** The overrides of a file alone, none without one. Rejects with one Error for all its faults. */
export async function readOverridesFile(file: string | undefined): Promise<OverridesFile['overrides']> {
  const { overrides, faults } = await readFile(file);
  if (faults.length > 0) throw new Error(`The contract's overrides are not valid.\n${faults.join('\n')}`);
  return overrides;
}

async function readFile(file: string | undefined): Promise<OverridesFile> {
  if (file === undefined) return { overrides: {}, faults: [] };
  // Loaded only here: the YAML parser would stay in memory.
  const { parseOverrides } = await import('../contract/overrides-file.ts');
  return parseOverrides(readFileSync(file, 'utf8'), file);
}
