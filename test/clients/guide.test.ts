import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { record } from '../proofs/evidence.ts';
import { copyClone, root, withoutInstall } from '../proofs/install.ts';
import { freeUrl } from '../support/ports.ts';
import { startCommand } from '../support/process.ts';
import { control } from './bank-gateway.ts';
import { hasChromium, visit } from './chromium.ts';

const run = promisify(execFile);
const shell = (script: string, cwd: string) =>
  run('bash', ['-euc', script], { cwd, env: { ...process.env, NODE_ENV: '' } });

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

/** The shell scripts of a page. */
async function readScripts(name: string): Promise<readonly string[]> {
  const page = await readFile(join(root, `docs/${name}.md`), 'utf8');
  return [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text);
}

let folder = '';
let stopGateway = () => {};
let urls = { gateway: '', bank: '' };

/** The clone beside which the applications are made, with the kit's tarball in it, and its gateway. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settlement-graph-guide-'));
  const clone = join(folder, 'settlement-graph');
  await copyClone(clone);
  const [inClone = ''] = await readScripts('frontends');
  expect(inClone).toBe('npm ci\nnpm run pack:client\nnpm start\n');
  const atEnd = (stop: () => void) => void (stopGateway = stop);
  const gateway = startCommand('bash', ['-euc', withoutInstall(inClone)], { cwd: clone, atEnd });
  const [, url = '', bank = ''] = await gateway.printed(/GraphQL\s+(http:\S+)\/graphql[^]*Bank\s+(http:\S+)/);
  urls = { gateway: url, bank };
}, 200_000);

afterAll(async () => {
  stopGateway();
  await rm(folder, { recursive: true, force: true });
});

describe.runIf(hasChromium())('from an empty folder to a list', () => {
  it.each([
    ['frontends', 2],
    ['urql', 0],
    ['tanstack-query', 0],
  ])('by docs/%s.md alone', { timeout: 400_000 }, async (guide, first) => {
    const startedAt = Date.now();
    const [, create = ''] = await readScripts('frontends');
    const [generate = '', testing = 'true'] = (await readScripts(guide)).slice(first);
    const place = await mkdtemp(join(folder, `${guide}-`));
    onTestFinished(() => rm(place, { recursive: true, force: true }));
    const besideClone = (script: string) => script.replaceAll('../settlement-graph', `${folder}/settlement-graph`);
    await shell(besideClone(create), place);
    const app = join(place, 'my-app');
    const proxy = await readFile(join(app, 'vite.config.ts'), 'utf8');
    await writeFile(join(app, 'vite.config.ts'), proxy.replace('http://127.0.0.1:4000', urls.gateway));
    expect(generate).toContain('npm run dev\n');
    await shell(besideClone(generate).replace('npm run dev\n', ''), app);

    const { page: screen, complaints } = await visit();
    const says = (text: string) => screen.waitForFunction((text) => document.body.innerText.includes(text), {}, text);
    const press = (name: string) => screen.locator(`::-p-aria(${name}[role="button"])`).click();
    const started = await serve(app);
    await screen.goto(started.url);
    await says('20 of 64 customers');
    await says('Chidi Testcase: NGN 146,363.63'.replace(' 146', '\u00A0146'));
    record(
      `docs/${guide}.md, run as it stands`,
      `${Math.round((Date.now() - startedAt) / 1000)} s from an empty folder to the list`,
    );
    // A page that fails keeps those before it, with their total.
    await control(urls.bank, 'faults', { operation: 'listCustomers', status: 503, count: 30 });
    await press('Show more');
    await says('The payments service is not answering');
    await says('20 of 64 customers');
    await control(urls.bank, 'reset', {});
    await press('Try again');
    await says('40 of 64 customers');
    expect(complaints).toEqual([]);
    await started.stop();
    await screen.goto((await serve(app, { PRIVATE_KEY: 'not-a-key' })).url);
    await says('Your organisation is not signed in to the payments service.');
    await says('Reference ');
    await shell(besideClone(testing), app);
  });
});
