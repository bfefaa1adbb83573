import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { printSubgraphSchema } from '@apollo/subgraph';
import { compareSchemas } from './schema-changes.ts';
import { createSchema, readSchemaFile } from '../graphql/schema.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const releaseTag = /^v\d+\.\d+\.\d+$/;

/** `settlement-graph schema [check]`; returns the exit code. */
export async function schemaCommand(args: readonly string[], readTypePrefix: () => string): Promise<number> {
  if (args.length === 0) {
    print(printSubgraphSchema(createSchema(readTypePrefix())));
    return 0;
  }
  if (args.join(' ') === 'check') return check();
  console.error(`There is no schema ${args.join(' ')}; there is schema check.`);
  return 2;
}

/** Exit code 0: no breaking change since the last release, or no release to compare with; 1: breaking changes. */
async function check(): Promise<number> {
  const base = await findLastRelease();
  if ('missing' in base) {
    print(`Not compared: ${base.missing}`);
    return 0;
  }
  const { breaking, dangerous } = compareSchemas(await git('show', `${base.tag}:schema.graphql`), readSchemaFile());
  for (const change of breaking) print(`breaking   ${change}`);
  for (const change of dangerous) print(`dangerous  ${change}`);
  print(`Since ${base.tag}: ${breaking.length} breaking, ${dangerous.length} dangerous.`);
  return breaking.length === 0 ? 0 : 1;
}

const noCloneReason = 'this is no clone of settlement-graph, and only a clone has its release tags.';

/** The newest release tag that HEAD descends from. */
async function findLastRelease(): Promise<{ readonly tag: string } | { readonly missing: string }> {
  try {
    // An installed package may lie inside the repository of another project.
    if ((await git('rev-parse', '--show-prefix')) !== '') return { missing: noCloneReason };
    const tags = await git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname');
    const tag = tags.split('\n').find((name) => releaseTag.test(name));
    return tag === undefined ? { missing: 'no release is tagged here yet (v1.2.3).' } : { tag };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { missing: isMissing ? 'git is not installed, and the last release is known by its tag.' : noCloneReason };
  }
}

async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', root, ...args], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.trimEnd();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
