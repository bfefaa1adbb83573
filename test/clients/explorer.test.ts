import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { describe, expect, it, vi } from 'vitest';
import { startGateway } from '../../src/testing/index.ts';
import { record } from '../proofs/evidence.ts';
import { writeTemporary } from '../support/manifest.ts';
import { freeUrl } from '../support/ports.ts';
import { startCommand } from '../support/process.ts';
import { control } from './bank-gateway.ts';
import { hasChromium, visit } from './chromium.ts';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Monaco {
  readonly editor: {
    getModels: () => readonly { readonly uri: { readonly path: string }; setValue: (text: string) => void }[];
  };
}

/** The gateway with its embedded bank, as `npm start` starts them, and a page of a browser without network. */
async function startExplorer(settings: Readonly<Record<string, string>> = {}) {
  const [url, bankUrl] = [await freeUrl(), await freeUrl()];
  const portOf = (address: string) => new URL(address).port;
  const environment = {
    PORT: portOf(url),
    BANK_PORT: portOf(bankUrl),
    ADMIN_PORT: '0',
    IDEMPOTENCY_STORE: 'sqlite::memory:',
    ...settings,
  };
  const command = startCommand('npm', ['start'], { environment });
  await command.printed(/Bank {6}http/);
  const { page, complaints } = await visit();
  let read = 0;
  const journal = async () => {
    const { requests } = (await (await fetch(`${bankUrl}/_bank/requests`)).json()) as {
      readonly requests: readonly { readonly operation: string }[];
    };
    const fresh = requests.slice(read);
    read = requests.length;
    return fresh.map(({ operation }) => operation);
  };
  return { url, bankUrl, page, complaints, journal };
}

/** Runs in the page, where GraphiQL leaves its editors. */
function writeEditor(file: string, text: string): void {
  const { editor } = (window as unknown as { __MONACO: Monaco }).__MONACO;
  const model = editor.getModels().find(({ uri }) => uri.path.endsWith(file));
  model?.setValue(text);
}

/** Writes an operation into the editor, runs it once its estimate stands beside Run, and returns what is shown of its calls. */
async function run(page: Page, estimated: number, text?: string) {
  await page.waitForSelector('.graphiql-query-editor .view-line');
  if (text !== undefined) {
    await page.evaluate(writeEditor, 'operation.graphql', text);
  }
  const cost = (text: string) => document.querySelector('#cost')?.textContent === text;
  await page.waitForFunction(cost, {}, `${estimated} of 200 calls`);
  const requestId = () => page.evaluate(() => document.querySelector('.answer-line code')?.textContent ?? '');
  const before = await requestId();
  await page.click('.graphiql-execute-button');
  await vi.waitUntil(async () => !['', before].includes(await requestId()), { timeout: 10_000 });
  const rows = await page.$$eval('.call:not(:has(.call))', (found) =>
    found.map((row) => ({
      state: row.className.replace('call ', ''),
      operation: (row.parentElement?.closest('.call') ?? row).querySelector('.name')?.textContent.split(' ')[0] ?? '',
      numbers: row.querySelector('.numbers')?.textContent ?? '',
      command: row.querySelector('code')?.textContent ?? '',
      from: Number(row.querySelector('.wire')?.getAttribute('x')),
      wireMs: Number(row.querySelector('.wire')?.getAttribute('width')),
    })),
  );
  const sentence = await page.$eval('[aria-label="Calls"] [role="status"]', ({ textContent }) => textContent);
  return { rows, sentence, operations: rows.map(({ operation }) => operation) };
}

/**
 * What GraphiQL writes itself: a tab holds two buttons, an entry of the history has another name than its text, tips stand
 * outside the page's parts, and a list of hits hides the page's heading.
 */
const rules = [
  { id: 'nested-interactive', selector: ':not(.graphiql-tab)' },
  { id: 'label-content-name-mismatch', selector: ':not(.graphiql-history-item-label)' },
  { id: 'region', selector: 'body :not([data-radix-popper-content-wrapper], [data-radix-popper-content-wrapper] *)' },
];
const states = ['done', 'retried', 'throttled', 'refused', 'failed', 'unknown', 'not-sent', 'replayed'];
const panels = ['Show Documentation Explorer', 'Show History', 'Open settings dialog', 'Open short keys dialog'];

/** What an accessibility checker finds wrong in the page. */
async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(await axe);
  const check = () =>
    page.evaluate(async (rules) => {
      const { axe } = window as unknown as {
        axe: { configure: (rules: object) => void; run: () => Promise<{ violations: { id: string }[] }> };
      }; // just loaded
      axe.configure({ rules });
      return (await axe.run()).violations.map(({ id }) => id);
    }, rules);
  // The editors draw their lines in steps, and the checker itself throws over an element that goes meanwhile.
  for (let crashes = 0; ; crashes += 1) {
    await page.waitForFunction(
      async () => {
        const { innerHTML } = document.body;
        await new Promise((resolve) => setTimeout(resolve, 300));
        return innerHTML === document.body.innerHTML;
      },
      { polling: 100 },
    );
    const found = await check().catch((error: unknown) => error);
    if (Array.isArray(found)) return found;
    if (crashes === 5) throw found;
  }
}

async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

describe.runIf(hasChromium())('the explorer in Chromium without network', () => {
  it('is what / goes on to; its first query runs, and its bars are the bank’s journal', async () => {
    const { url, page, complaints, journal } = await startExplorer();
    await page.goto(`${url}/`);
    await page.waitForFunction(() => window.location.pathname === '/explorer');
    const { rows, operations } = await run(page, 8);
    const asked = await journal();
    expect(operations.toSorted()).toEqual(asked.toSorted());
    expect(operations.slice(0, 2).toSorted()).toEqual(asked.slice(0, 2).toSorted());
    const [list] = rows.filter(({ operation }) => operation === 'listCustomers');
    const below = rows.filter(({ operation }) => operation === 'getCustomerBalance');
    const { from: sentAt = Number.NaN, wireMs = Number.NaN } = list ?? {};
    expect(Math.min(...below.map(({ from }) => from))).toBeGreaterThanOrEqual(sentAt + wireMs);
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'explorer');
    expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain('demo-key');
    expect(complaints.filter((complaint) => !complaint.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0),
    );
    expect(loaded).toBeLessThan(2_000_000);
    record('The explorer', `${(loaded / 1e6).toFixed(1)} MB loaded, all from the gateway; axe finds nothing`);
  });

  it.each(['stylesheet', 'script'])('is what / goes on to where Sandbox’s %s is never answered', async (silent) => {
    const { url, page } = await startExplorer();
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(url);
      if (isOurs || request.resourceType() !== silent) void request.continue();
    });
    const before = Date.now();
    page.goto(`${url}/`).catch(() => {}); // the first page never loads
    await vi.waitUntil(() => page.url() === `${url}/explorer`, { timeout: 30_000 });
    record(`/ without Sandbox’s ${silent}`, `${((Date.now() - before) / 1_000).toFixed(1)} s until the explorer`);
  });

  it('opens nothing of the embedded bank before another service at the same address', async () => {
    const PORT = new URL(await freeUrl()).port;
    const { page } = await visit();
    const tabsAt = async (upstreamUrl?: string) => {
      await using gateway = await startGateway({ environment: { PORT }, upstreamUrl });
      await page.goto(`${gateway.url}/explorer`);
      await page.waitForSelector('.graphiql-query-editor .view-line');
      await page.waitForFunction(() => localStorage.length > 0);
      expect(await barriers(page)).toEqual([]);
      return page.$$eval('.graphiql-tab-button', (buttons) => buttons.map(({ textContent }) => textContent));
    };
    expect(await tabsAt()).toContain('OpenAccount');
    expect(await tabsAt(await freeUrl())).toEqual(['<untitled>']);
  });

  it('shows 51 calls, a shared call, a retried call and a write that was cut', async () => {
    const { url, bankUrl, page, journal } = await startExplorer();
    await page.goto(`${url}/explorer`);
    const many = await run(page, 51, '{ customers(first: 50) { nodes { balance { value { amount } } } } }');
    expect(many.operations).toHaveLength(51);
    expect(many.operations.toSorted()).toEqual((await journal()).toSorted());

    const balance = 'balance { value { amount } }';
    const shared = await run(
      page,
      4,
      `{ a: customer(id: "cus_0001") { email ${balance} } b: customer(id: "cus_0001") { ${balance} } }`,
    );
    expect(shared.rows).toMatchObject([
      { numbers: expect.stringContaining('uses 2') as unknown },
      { numbers: expect.stringContaining('uses 2') as unknown },
    ]);
    expect(await journal()).toHaveLength(2);

    await control(bankUrl, 'faults', { operation: 'getCustomer', status: 503 });
    const retried = await run(page, 1, '{ customer(id: "cus_0002") { email } }');
    expect(retried.rows).toMatchObject([{ state: 'retried', numbers: expect.stringContaining('tries 2') as unknown }]);
    expect(retried.sentence).toMatch(/^1 call in one wave, [\d.]+ ms; 1 retried$/);
    expect(await journal()).toHaveLength(2);
    const found = [...(await barriers(page))];

    await control(bankUrl, 'faults', { operation: 'getCustomer', status: 429 });
    const throttled = await run(page, 1, '{ customer(id: "cus_0003") { email } }');
    expect(throttled.rows).toMatchObject([
      { state: 'throttled', numbers: expect.stringContaining('status 429') as unknown },
    ]);
    const styles = await page.evaluate(
      (states) =>
        states.map((name) => {
          const row = document.querySelector<HTMLElement>('.call');
          if (row !== null) row.className = `call ${name}`;
          const { color } = getComputedStyle(row?.querySelector('strong') ?? document.body);
          return [color, getComputedStyle(row?.querySelector('strong') ?? document.body, '::before').content];
        }),
      states.slice(0, 6),
    );
    expect(new Set(styles.flat()).size).toBe(12);

    await control(bankUrl, 'faults', { operation: 'updateCustomer', cut: 'after' });
    const cut = await run(
      page,
      2,
      'mutation { updateCustomer(input: { id: "cus_0002", email: "b@example.com" }) { customer { id } } }',
    );
    expect(cut.rows).toMatchObject([{ state: 'unknown' }]);
    expect(cut.sentence).toMatch(/1 unknown$/);
    const [{ command } = { command: '' }] = cut.rows;
    const pasted = spawnSync('sh', ['-c', `${command} --write-out ' %{http_code}'`], {
      env: { ...process.env, SVCPRIVATEKEY: 'demo-key' },
      encoding: 'utf8',
    });
    expect(pasted.stdout).toMatch(/"b@example.com".* 200$/);
    await photograph(page, 'explorer-unknown');
    found.push(...(await barriers(page)));
    expect(found).toEqual([]);
  });

  it('forgets the headers of its history when storing them is switched off', async () => {
    const { url, page } = await startExplorer();
    await page.goto(`${url}/explorer`);
    const stored = () => page.evaluate(() => localStorage.getItem('embedded bank:graphiql:queries') ?? '');
    const storeHeaders = async (choice: 'On' | 'Off') => {
      await page.locator('::-p-aria(Open settings dialog)').click();
      await page.locator(`::-p-aria(${choice})`).click();
      await page.keyboard.press('Escape');
      await page.waitForSelector('.graphiql-dialog', { hidden: true });
    };
    await run(page, 8);
    await page.locator('::-p-text(Headers)').click();
    await page.evaluate(writeEditor, 'request-headers.json', '{ "svcprivatekey": "demo-key-2" }');
    await storeHeaders('On');
    const { rows } = await run(page, 1, '{ customer(id: "cus_0001") { email } }');
    expect(rows).toMatchObject([{ numbers: expect.stringContaining('status 404') as unknown }]);
    expect(await stored()).toContain('demo-key');
    await page.reload();
    await page.locator('::-p-aria(Open settings dialog)').click();
    await page.waitForSelector('#enable-persist-headers.active');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.graphiql-dialog', { hidden: true });
    await storeHeaders('Off');
    expect(await stored()).toContain('cus_0001');
    expect(await stored()).not.toContain('demo-key');
  });
});

describe.runIf(hasChromium())('the pane of the embedded bank', () => {
  it('deposits any amount by keyboard, keeps the focus, and shows what is armed and asked', async () => {
    const { page, bankUrl, complaints } = await startExplorer();
    await page.goto(`${bankUrl}/`);
    await page.locator('::-p-aria(Amount)').fill('0.37');
    await page.waitForSelector('::-p-aria(9000000001)');
    await page.focus('::-p-aria(9000000001)');
    const shows = (text: string) => page.waitForFunction((text) => document.body.innerText.includes(text), {}, text);
    for (const balance of ['146364.00 NGN', '146364.37 NGN']) {
      await page.keyboard.press('Enter');
      await shows(balance);
    }
    await fetch(`${bankUrl}/api/v1/planted`);
    await shows('/api/v1/planted');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('9000000001');
    await page.locator('::-p-aria(Down: 503)').click();
    await page.waitForSelector('[role="switch"][aria-checked="true"]');
    const down = await run(page, 1, '{ customer(id: "cus_0001") { email } }');
    expect(down.rows).toMatchObject([{ state: 'failed' }]);
    await page.locator('::-p-aria(Down: 503)').click();
    await page.waitForSelector('[role="switch"][aria-checked="true"]', { hidden: true });
    await page.select('::-p-aria(Merchant)', 'Second Demo Merchant');
    const foreign = await run(page, 1, '{ customer(id: "cus_0001") { firstName } }');
    expect(foreign.rows).toMatchObject([{ numbers: expect.stringContaining('status 404') as unknown }]);
    await page.locator('::-p-aria(New tab)').click();
    const inNewTab = await run(page, 1, '{ customer(id: "cus_0001") { firstName } }');
    expect(inNewTab.rows).toMatchObject([{ numbers: expect.stringContaining('status 404') as unknown }]);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each([390, 768, 1280])(
    'has no bar and no barrier at %i pixels, in GraphiQL’s panels and dialogs too, and the answer in sight after Run',
    { timeout: 180_000 },
    async (width) => {
      const { url, page } = await startExplorer();
      await page.setViewport({ width, height: 844 });
      for (const value of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
        await page.goto('about:blank');
        await page.goto(`${url}/explorer#bank`);
        await run(page, 8);
        expect(
          await page.evaluate(
            () => (document.querySelector('.result-window')?.getBoundingClientRect().top ?? 844) < 700,
          ),
        ).toBe(true);
        await page.$$eval(
          '.call',
          (rows, states) =>
            rows.forEach((row, at) => Object.assign(row, { open: true, className: `call ${states[at]}` })),
          states,
        );
        for (const panel of ['bank', ...panels]) {
          if (panel !== 'bank') await page.locator(`::-p-aria(${panel})`).click();
          await photograph(page, `explorer-${width}-${value}-${panel}`);
          expect([panel, await barriers(page)]).toEqual([panel, []]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
          await page.keyboard.press('Escape');
        }
      }
    },
  );
});
