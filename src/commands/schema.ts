import { readFile } from 'node:fs/promises';
import { printSubgraphSchema } from '@apollo/subgraph';
import { compareSchemas } from './schema-changes.ts';
import { createContract } from '../contract/contract.ts';
import { readSchemaFile } from '../contract/graph-names.ts';
import { createSchema } from '../graphql/schema.ts';
import { readOverridesFile } from './contract-overrides.ts';

/** A copy of the last release's schema; its first line names the release. A tag would be missing in a shallow clone. */
const releasedFile = new URL('schema.released.graphql', import.meta.url);

/** `settlement-graph schema [check]`; returns the exit code. */
export async function schemaCommand(
  args: readonly string[],
  readSettings: () => { readonly typePrefix: string; readonly contractFile: string | undefined },
): Promise<number> {
  if (args.length === 0) {
    const { typePrefix, contractFile } = readSettings();
    const contract = createContract(await readOverridesFile(contractFile));
    print(printSubgraphSchema(createSchema(typePrefix, contract)));
    return 0;
  }
  if (args.join(' ') === 'check') return check();
  console.error(`There is no schema ${args.join(' ')}; there is schema check.`);
  return 2;
}

/** Exit code 0: no breaking change since the last release, or no release to compare with; 1: breaking changes. */
async function check(): Promise<number> {
  const released = await readFile(releasedFile, 'utf8').catch(() => undefined);
  if (released === undefined) {
    print(
      'Not compared: there is no src/commands/schema.released.graphql here, which a checkout of settlement-graph has.',
    );
    return 0;
  }
  const { breaking, dangerous } = compareSchemas(released, readSchemaFile());
  for (const change of breaking) print(`breaking   ${change}`);
  for (const change of dangerous) print(`dangerous  ${change}`);
  const [release] = /\d+\.\d+\.\d+/.exec(released) ?? ['the last release'];
  print(`Since ${release}: ${breaking.length} breaking, ${dangerous.length} dangerous.`);
  return breaking.length === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
