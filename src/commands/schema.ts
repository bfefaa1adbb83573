import { readFile, writeFile } from 'node:fs/promises';
import { printSubgraphSchema } from '@apollo/subgraph';
import { printSchema } from 'graphql';
import { compareSchemas } from './schema-changes.ts';
import { createContract } from '../contract/contract.ts';
import { readSchemaFile } from '../contract/graph-names.ts';
import { createClientSchema, createSchema } from '../graphql/schema.ts';
import { readConfiguredRows } from './contract-overrides.ts';
import { version } from '../runtime/version.ts';

/** A copy of the last release's schema; its first line names the release. A tag would be missing in a shallow clone. */
const releasedFile = new URL('schema.released.graphql', import.meta.url);

/** `settlement-graph schema [client | check | release]`; returns the exit code. */
export async function schemaCommand(
  args: readonly string[],
  readSettings: () => { readonly typePrefix: string; readonly contractFile: string | undefined },
): Promise<number> {
  const form = args.join(' ');
  if (form === '' || form === 'client') {
    const settings = readSettings();
    const contract = createContract(await readConfiguredRows(settings));
    print(
      form === 'client'
        ? printSchema(createClientSchema(settings.typePrefix, contract))
        : printSubgraphSchema(createSchema(settings.typePrefix, contract)),
    );
    return 0;
  }
  if (form === 'check') return check();
  if (form === 'release') return release();
  console.error(`found schema ${form}; allowed: schema, schema client, schema check or schema release.`);
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
  print(`Since ${versionOf(released)}: ${breaking.length} breaking, ${dangerous.length} dangerous.`);
  return breaking.length === 0 ? 0 : 1;
}

/** Replaces the copy by this schema, under package.json's version, which must be another than the copy's. */
async function release(): Promise<number> {
  const released = await readFile(releasedFile, 'utf8').catch(() => undefined);
  if (released === undefined || versionOf(released) === version) {
    console.error(
      released === undefined
        ? 'Nothing was written: a release is made in a checkout, where src/commands/schema.released.graphql is.'
        : `Nothing was written: ${version} is released already. Raise the version first: npm version --no-git-tag-version minor`,
    );
    return 1;
  }
  const head = `# The schema of ${version}, written by \`npm run schema -- release\`: what \`npm run schema -- check\` compares with.`;
  await writeFile(releasedFile, `${head}\n${readSchemaFile()}`);
  print(`The schema of ${version} is now what later ones are compared with.`);
  return 0;
}

function versionOf(released: string): string {
  const [version = 'the last release'] = /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(released) ?? [];
  return version;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
