import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { record } from '../proofs/evidence.ts';
import { copyClone, root, withoutInstall } from '../proofs/install.ts';
import { freeUrl } from '../support/ports.ts';
import { startCommand } from '../support/process.ts';
import { hasChromium, visit } from './chromium.ts';

const run = promisify(execFile);

/** The page's own server, which `npm run dev` starts, on a free port. */
async function serve(app: string, environment: Readonly<Record<string, string>> = {}) {
  const url = await freeUrl();
  const options = ['--host', '127.0.0.1', '--port', new URL(url).port, '--strictPort'];
  // Vite itself, since npm passes no signal on. It refuses a second server of the same folder.
  const command = startCommand('node_modules/.bin/vite', options, { cwd: app, environment });
  await command.printed(/ready in/);
  const stop = async (): Promise<void> => {
    command.signal('SIGTERM');
    await command.exited;
  };
  return { url, stop };
}

it.runIf(hasChromium())(
  'goes from an empty folder to a list by docs/frontends.md alone',
  { timeout: 400_000 },
  async () => {
    const startedAt = Date.now();
    const page = await readFile(join(root, 'docs/frontends.md'), 'utf8');
    const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-guide-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [inClone = '', install = '', generate = '', testing = ''] = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(
      ([, text = '']) => text,
    );
    expect(inClone).toBe('npm ci\nnpm pack\nnpm start\n');
    const clone = join(folder, 'settlement-graph');
    await copyClone(clone);
    const gateway = startCommand('bash', ['-euc', withoutInstall(inClone)], { cwd: clone });
    const [, gatewayUrl = ''] = await gateway.printed(/GraphQL\s+(http:\S+)\/graphql/);

    const shell = (script: string, cwd: string) =>
      run('bash', ['-euc', script], { cwd, env: { ...process.env, NODE_ENV: '' } });
    await shell(install, folder);
    const app = join(folder, 'my-app');
    const files = [...page.matchAll(/^`([\w./]+)`[^\n]*\n\n```tsx?\n(.*?)```/gms)];
    for (const [, name = '', text = ''] of files) {
      await mkdir(dirname(join(app, name)), { recursive: true });
      await writeFile(join(app, name), text.replace('http://127.0.0.1:4000', gatewayUrl));
    }
    expect(files.length).toBe(9);
    expect(generate).toContain('npm run dev\n');
    await shell(generate.replace('npm run dev\n', ''), app);

    const { page: screen, complaints } = await visit();
    const says = (text: string) => screen.waitForFunction((text) => document.body.innerText.includes(text), {}, text);
    const first = await serve(app);
    await screen.goto(first.url);
    await says('20 of 64 customers');
    await says('Chidi Testcase: NGN 146,363.63'.replace(' 146', '\u00A0146'));
    record(
      'The page for frontends, run as it stands',
      `${Math.round((Date.now() - startedAt) / 1000)} s from an empty folder to the list`,
    );
    await screen.locator('::-p-aria(Show more[role="button"])').click();
    await says('40 of 64 customers');
    expect(complaints).toEqual([]);
    await first.stop();
    await screen.goto((await serve(app, { PRIVATE_KEY: 'not-a-key' })).url);
    await says('Your organisation is not signed in to the payments service.');
    await says('Reference ');
    await shell(testing, app);
  },
);
