import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyClone, root } from '../support/install.ts';
import { startCommand } from '../support/process.ts';

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
    await copyClone(clone);

    for (const script of scripts) {
      const gateway = startCommand('bash', ['-euc', script], { cwd: clone });
      await gateway.printed(/"msg":"listening"/);
      gateway.signal('SIGKILL');
    }
  },
);
