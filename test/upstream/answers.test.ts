import { existsSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testCommand } from '../../src/commands/contract-answers.ts';
import { readCommandLine } from '../../src/commands/usage.ts';
import { readConfig } from '../../src/config/config.ts';
import { capture } from '../support/stdout.ts';

interface Report {
  readonly cases: readonly { readonly name: string; readonly passed: boolean; readonly differences: unknown }[];
}

const folder = new URL('../answers/', import.meta.url).pathname;
const files = globSync('**/*.yaml', { cwd: folder }).filter((file) => !file.endsWith('.contract.yaml'));

/** `settlement-graph contract test FILE`, under the contract file beside it if there is one. */
async function report(file: string): Promise<Report> {
  const contract = folder + file.replace('.yaml', '.contract.yaml');
  const environment = {
    UPSTREAM_MONEY_UNIT: 'major',
    UPSTREAM_CURRENCY: 'NGN',
    ...(existsSync(contract) ? { UPSTREAM_CONTRACT: contract } : {}),
  };
  const [, out] = await capture(() =>
    testCommand(readCommandLine(['contract', 'test', folder + file, '--json']), () => readConfig(environment)),
  );
  return JSON.parse(out) as Report;
}

describe.each(files)('the answers of %s', (file) => {
  it('are read as they say', async () => {
    const { cases } = await report(file);
    expect(cases.filter(({ passed }) => !passed)).toEqual([]);
    expect(cases.length).toBeGreaterThan(0);
  });
});
