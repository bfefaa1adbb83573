import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { embeddedContract } from '../bank/contract.ts';
import type { Config } from '../config/config.ts';

type Overrides = Readonly<Record<string, unknown>>;

/**
 * Reads the contract overrides: the configured rows and, over them, those of the embedded bank where it is used.
 * `onIgnored` is called with the configured rows whose values differ from the bank's, `onRead` with the file's bytes.
 * Rejects as `readConfiguredRows` does.
 */
export async function readOverrides(
  config: Config,
  onIgnored: (rows: readonly string[]) => void = () => {},
  onRead?: (bytes: Buffer) => void,
): Promise<Overrides> {
  const rows = await readConfiguredRows(config, onRead);
  if (config.upstream !== 'embedded') return rows;
  const ignored = findIgnored(rows);
  if (ignored.length > 0) onIgnored(ignored);
  return { ...rows, ...embeddedContract };
}

/** The configured rows whose values differ from the embedded bank's own. */
export function findIgnored(rows: Overrides): readonly string[] {
  return Object.entries(embeddedContract).flatMap(([id, value]) =>
    Object.hasOwn(rows, id) && !isDeepStrictEqual(rows[id], value) ? id : [],
  );
}

/**
 * The overrides that `contract`, `contract try` and `contract test` use, and their name. The embedded bank's apply only
 * if no variable describes a service; UPSTREAM_URL is not needed.
 */
export async function rowsInForce(config: Config): Promise<{ readonly overrides: Overrides; readonly source: string }> {
  const { contractFile, moneyUnit, currency, upstream } = config;
  const isOfService = upstream !== 'embedded' || contractFile !== undefined || (moneyUnit ?? currency) !== undefined;
  return isOfService
    ? { overrides: await readConfiguredRows(config), source: contractFile ?? 'the default contract' }
    : { overrides: embeddedContract, source: "the embedded bank's contract (UPSTREAM_CONTRACT names a service's)" };
}

/**
 * The overrides in the contract's file, and the money decisions of the environment. Rejects with one Error for all faults
 * of the file and all decisions that differ between the two.
 */
export async function readConfiguredRows(
  { contractFile: file, moneyUnit, currency }: Pick<Config, 'contractFile'> & Partial<Config>,
  onRead?: (bytes: Buffer) => void,
): Promise<Overrides> {
  const decisions: Overrides = {
    ...(moneyUnit === undefined ? {} : { 'money.unit': moneyUnit }),
    ...(currency === undefined ? {} : { 'money.currency': currency }),
  };
  if (file === undefined) return decisions;
  // Loaded only here: the YAML parser would stay in memory.
  const { parseOverrides } = await import('../contract/overrides-file.ts');
  const bytes = readFileSync(file);
  onRead?.(bytes);
  const { overrides, faults } = parseOverrides(String(bytes), file);
  const conflicts = Object.entries(decisions)
    .filter(([id, value]) => Object.hasOwn(overrides, id) && overrides[id] !== value)
    .map(([id]) => `${file}: rows.${id}: differs from the environment's decision; allowed: one of the two`);
  const all = [...faults, ...conflicts];
  if (all.length > 0) throw new Error(`The contract's overrides are not valid.\n${all.join('\n')}`);
  return { ...overrides, ...decisions };
}
