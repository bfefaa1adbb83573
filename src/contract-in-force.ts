import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import { parseOverrides } from './upstream/contract-file.ts';
import { createContract, type Contract } from './upstream/contract.ts';

/**
 * The defaults, under what the embedded bank decides for itself, under the file of overrides and the environment.
 * Throws one Error with every fault of the file, and where file and environment decide about money differently.
 */
export function contractInForce(config: Config, embeddedRows: Readonly<Record<string, unknown>>): Contract {
  const { overrides, faults } = readOverrides(config.contractFile);
  const decided = decisions(config);
  const disagreements = Object.entries(decided)
    .filter(([id, value]) => Object.hasOwn(overrides, id) && overrides[id] !== value)
    .map(
      ([id]) => `${config.contractFile}: rows.${id}: differs from the environment's decision; allowed: one of the two`,
    );
  const all = [...faults, ...disagreements];
  if (all.length > 0) throw new Error(`The contract's overrides are not valid.\n${all.join('\n')}`);
  if (config.upstream === 'embedded') return createContract({ ...overrides, ...embeddedRows });
  return createContract({ ...overrides, ...decided });
}

function readOverrides(file: string | undefined): ReturnType<typeof parseOverrides> {
  if (file === undefined) return { overrides: {}, faults: [] };
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
