import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Compiles the product into dist/. */
export function build(): void {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Installs the packages of a folder below the root, unless its lock file has not changed since the last time. */
export function install(folder: string): void {
  const installed = join(root, folder, 'node_modules/.package-lock.json');
  const lock = join(root, folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  execFileSync('npm', ['ci', '--no-fund', '--no-audit'], {
    cwd: join(root, folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
