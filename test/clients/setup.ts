import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Builds what frontends import, and installs the packages of the example and of these tests where that was not done. */
export default function setup(): void {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const folder of ['examples/frontend', 'test/clients']) install(join(root, folder));
}

function install(folder: string): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  execFileSync('npm', ['ci', '--no-fund', '--no-audit'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
