import { readFile, writeFile } from 'node:fs/promises';
import { printSubgraphSchema } from '@apollo/subgraph';
import { printSchema } from 'graphql';
import { compareSchemas } from './schema-changes.ts';
import { createContract } from '../contract/contract.ts';
import { readSchemaFile } from '../contract/graph-names.ts';
import { createClientSchema, createSchema } from '../graphql/schema.ts';
import { printReport } from './command-line.ts';
import { readConfiguredRows } from './contract-overrides.ts';
import { version } from '../runtime/version.ts';
import type { CommandLine } from './usage.ts';

/** A copy of the last release's schema; its first line names the release. A tag would be missing in a shallow clone. */
const releasedFile = new URL('schema.released.graphql', import.meta.url);

/** `settlement-graph schema [client | check | release]`; returns the exit code. */
export async function schemaCommand(
  { form }: CommandLine,
  readSettings: () => { readonly typePrefix: string; readonly contractFile: string | undefined },
): Promise<number> {
  if (form === 'schema check') return check();
  if (form === 'schema release') return release();
  const { typePrefix, contractFile } = readSettings();
  const contract = createContract(await readConfiguredRows({ contractFile }));
  const text =
    form === 'schema client'
      ? printSchema(createClientSchema(typePrefix, contract))
      : printSubgraphSchema(createSchema(typePrefix, contract));
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Exit code 0: no breaking change since the last release; 1: breaking changes; 2: no release to compare with. */
async function check(): Promise<number> {
  const released = await readFile(releasedFile, 'utf8').catch(() => undefined);
  if (released === undefined) {
    console.error(
      'Not compared: there is no src/commands/schema.released.graphql here, which a checkout of settlement-graph has.',
    );
    return 2;
  }
  const { breaking, dangerous } = compareSchemas(released, readSchemaFile());
  const lines = [
    ...breaking.map((change) => `breaking   ${change}`),
    ...dangerous.map((change) => `dangerous  ${change}`),
    `Since ${versionOf(released)}: ${breaking.length} breaking, ${dangerous.length} dangerous.`,
  ];
  printReport(`${lines.join('\n')}\n`);
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
  printReport(`The schema of ${version} is now what later ones are compared with.\n`);
  return 0;
}

function versionOf(released: string): string {
  const [version = 'the last release'] = /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(released) ?? [];
  return version;
}
