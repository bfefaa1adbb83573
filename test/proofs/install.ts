import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../..');

const run = promisify(execFile);

/** Compiles the product into dist/, unless nothing has changed since that was done. */
export async function build(): Promise<void> {
  const built = join(root, 'dist/contract.schema.json'); // the build writes it last
  const names = [
    '.ci/build-explorer.ts',
    'package.json',
    'package-lock.json',
    'tsconfig.build.json',
    'tsconfig.client.json',
  ];
  if (existsSync(built) && ['src', ...names].every((name) => newestUnder(join(root, name)) < statSync(built).mtimeMs))
    return;
  await run('npm', ['run', 'build'], { cwd: root });
}

/** Copies what is versioned, as it stands now, to a new folder, and links the packages: a clone that can be built while others use dist/. */
export async function copyClone(folder: string): Promise<void> {
  const isUnversioned = (path: string): boolean =>
    basename(path) === 'node_modules' || ['dist', '.git', 'data'].some((name) => path === join(root, name));
  await cp(root, folder, { recursive: true, filter: (path) => !isUnversioned(path) });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** A script of the docs for a fresh clone, without `npm ci`: this checkout was installed by it. */
export function withoutInstall(script: string): string {
  return script.replace(/^npm ci(?: && |\n)/gm, '');
}

/** Installs the packages of a folder below the root, unless its lock file has not changed since the last time. */
export async function install(folder: string): Promise<void> {
  const installed = join(root, folder, 'node_modules/.package-lock.json');
  const lock = join(root, folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  await run('npm', ['ci', '--no-fund', '--no-audit'], { cwd: join(root, folder) });
}

/** When a file, or the newest one in a folder, was changed last. */
function newestUnder(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}
