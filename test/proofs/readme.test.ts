import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../support/install.ts';
import { startCommand } from '../support/process.ts';

/** Packages anywhere, and what stands in the root folder without being versioned. */
const isUnversioned = (path: string): boolean =>
  basename(path) === 'node_modules' || ['dist', '.git', 'data'].some((name) => path === join(root, name));

it(
  'starts by the production lines of README, from a fresh clone and from the tarball',
  { timeout: 400_000 },
  async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const [, section = ''] = /^## In production\n(.*?)^## /ms.exec(readme) ?? [];
    const scripts = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, script = '']) => script);
    expect(scripts).toHaveLength(2);
    const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-readme-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const clone = join(folder, 'clone');
    await cp(root, clone, { recursive: true, filter: (path) => !isUnversioned(path) });

    for (const script of scripts) {
      const gateway = startCommand('bash', ['-euc', script], { cwd: clone });
      await gateway.printed(/"msg":"listening"/);
      gateway.signal('SIGKILL');
    }
  },
);
