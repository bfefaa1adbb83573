import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { OverridesFile } from '../contract/overrides-file.ts';

/**
 * What stands over the contract's defaults: the file of overrides, and the decisions of the environment or, for the
 * embedded bank, its own.
 * Rejects with one Error of every fault of the file, and where file and environment decide about money differently.
 */
export async function overridesInForce(
  config: Config,
  embeddedRows: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { overrides, faults } = await readOverrides(config.contractFile);
  const decided = decisions(config);
  const disagreements = Object.entries(decided)
    .filter(([id, value]) => Object.hasOwn(overrides, id) && overrides[id] !== value)
    .map(
      ([id]) => `${config.contractFile}: rows.${id}: differs from the environment's decision; allowed: one of the two`,
    );
  const all = [...faults, ...disagreements];
  if (all.length > 0) throw new Error(`The contract's overrides are not valid.\n${all.join('\n')}`);
  return config.upstream === 'embedded' ? { ...overrides, ...embeddedRows } : { ...overrides, ...decided };
}

async function readOverrides(file: string | undefined): Promise<OverridesFile> {
  if (file === undefined) return { overrides: {}, faults: [] };
  // Reads YAML: much code that would stay in memory.
  const { parseOverrides } = await import('../contract/overrides-file.ts');
  try {
    return parseOverrides(readFileSync(file, 'utf8'), file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return { overrides: {}, faults: [`${file}: cannot be read (${code}); allowed: a YAML or JSON file`] };
  }
}

function decisions({ moneyUnit, currency }: Config): Readonly<Record<string, string>> {
  return {
    ...(moneyUnit === undefined ? {} : { 'money.unit': moneyUnit }),
    ...(currency === undefined ? {} : { 'money.currency': currency }),
  };
}
