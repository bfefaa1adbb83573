import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { startGateway } from '../../src/testing/index.ts';
import { record } from '../proofs/evidence.ts';
import { writeTemporary } from '../support/manifest.ts';
import { freeUrl } from '../support/ports.ts';
import { startCommand } from '../support/process.ts';
import { control } from './bank-gateway.ts';
import { hasChromium, visit } from './chromium.ts';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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

/** Writes an operation into the editor, runs it once its estimate stands beside Run, and returns what is shown of its calls. */
async function run(page: Page, estimated: number, text?: string) {
  await page.waitForSelector('.graphiql-query-editor .CodeMirror');
  if (text !== undefined) {
    await page.$eval(
      '.graphiql-query-editor .CodeMirror',
      (editor, text) =>
        (editor as unknown as { CodeMirror: { setValue: (text: string) => void } }).CodeMirror.setValue(text), // as CodeMirror 5 marks its element
      text,
    );
  }
  const cost = (text: string) => document.querySelector('#cost')?.textContent === text;
  await page.waitForFunction(cost, {}, `${estimated} of 200 calls`);
  await page.$eval('#calls-summary', (summary) => (summary.textContent = ''));
  await page.click('.graphiql-execute-button');
  await page.waitForFunction(
    () =>
      document.querySelector('#calls-summary')?.textContent !== '' &&
      document.querySelector('.graphiql-spinner') === null &&
      document.querySelector('.result-window .CodeMirror-line')?.textContent === '{',
  );
  const rows = await page.$$eval('#calls tbody tr', (found) =>
    found.map((row) => ({
      state: row.className,
      operation: row.querySelector('th')?.firstChild?.textContent ?? '',
      cells: [...row.querySelectorAll('td')].map((cell) => cell.textContent),
      from: Number.parseFloat(row.querySelector<HTMLElement>('.wire')?.style.left ?? ''),
      to: Number.parseFloat(row.querySelector<HTMLElement>('.decode')?.style.left ?? ''),
    })),
  );
  return { rows, operations: rows.map(({ operation }) => operation) };
}

/** What an accessibility checker finds wrong in a part of the page. */
async function barriers(page: Page, part = 'html'): Promise<readonly string[]> {
  await page.evaluate(await axe);
  const check = () =>
    page.evaluate(async (part) => {
      const { axe } = window as unknown as {
        axe: { run: (part: string) => Promise<{ violations: { id: string }[] }> };
      }; // just loaded
      return (await axe.run(part)).violations.map(({ id }) => id);
    }, part);
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
    expect(Math.min(...below.map(({ from }) => from))).toBeGreaterThanOrEqual(list?.to ?? 100);
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'explorer');
    expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain('demo-key');
    expect(complaints.filter((complaint) => !complaint.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    record('The explorer', `${(loaded / 2 ** 20).toFixed(1)} MiB loaded, all from the gateway; axe finds nothing`);
  });

  it.each(['stylesheet', 'script'])('is what / goes on to where Sandbox’s %s is never answered', async (silent) => {
    const { url, page } = await startExplorer();
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(url);
      if (isOurs || request.resourceType() !== silent) void request.continue();
    });
    page.goto(`${url}/`).catch(() => {}); // the first page never loads
    await page.waitForFunction(() => window.location.pathname === '/explorer', { timeout: 5_000 });
  });

  it('opens nothing of the embedded bank before another service at the same address', async () => {
    const PORT = new URL(await freeUrl()).port;
    const { page } = await visit();
    const tabsAt = async (upstreamUrl?: string) => {
      await using gateway = await startGateway({ environment: { PORT }, upstreamUrl });
      await page.goto(`${gateway.url}/explorer`);
      await page.waitForSelector('.graphiql-query-editor .CodeMirror');
      await page.waitForFunction(() => localStorage.length > 0);
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
    expect(shared.rows.map(({ cells }) => cells.some((cell) => cell?.startsWith('2 fields, 1 call')))).toEqual([
      true,
      true,
    ]);
    expect(await journal()).toHaveLength(2);

    await control(bankUrl, 'faults', { operation: 'getCustomer', status: 503 });
    const retried = await run(page, 1, '{ customer(id: "cus_0002") { email } }');
    expect(retried.rows).toMatchObject([
      { state: 'retried', cells: expect.arrayContaining([expect.stringContaining('2 tries')]) as unknown },
    ]);
    expect(await journal()).toHaveLength(2);
    const found = [...(await barriers(page, '#calls'))];

    await control(bankUrl, 'faults', { operation: 'getCustomer', status: 429 });
    const throttled = await run(page, 1, '{ customer(id: "cus_0003") { email } }');
    expect(throttled.rows).toMatchObject([
      { state: 'throttled', cells: expect.arrayContaining([expect.stringContaining('429, throttled')]) as unknown },
    ]);
    const colours = await page.evaluate(() =>
      ['fine', 'retried', 'throttled', 'failed'].map((name) => {
        const row = document.querySelector<HTMLElement>('#calls tbody tr');
        if (row !== null) row.className = name;
        return getComputedStyle(row ?? document.body).getPropertyValue('--colour');
      }),
    );
    expect(new Set(colours).size).toBe(4);

    await control(bankUrl, 'faults', { operation: 'updateCustomer', cut: 'after' });
    const cut = await run(
      page,
      2,
      'mutation { updateCustomer(input: { id: "cus_0002", email: "b@example.com" }) { customer { id } } }',
    );
    expect(cut.rows).toMatchObject([
      { state: 'failed', cells: expect.arrayContaining([expect.stringContaining('unknown')]) as unknown },
    ]);
    await photograph(page, 'explorer-unknown');
    found.push(...(await barriers(page, '#calls')));
    expect(found).toEqual([]);
  });

  it('forgets the headers of its history when storing them is switched off', async () => {
    const { url, page } = await startExplorer();
    await page.goto(`${url}/explorer`);
    const stored = () => page.evaluate(() => localStorage.getItem('embedded bank graphiql:queries') ?? '');
    const storeHeaders = async (choice: 'On' | 'Off') => {
      await page.locator('::-p-aria(Open settings dialog)').click();
      await page.locator(`::-p-aria(${choice})`).click();
      await page.keyboard.press('Escape');
      await page.waitForSelector('.graphiql-dialog', { hidden: true });
    };
    await run(page, 8);
    await storeHeaders('On');
    await run(page, 1, '{ customer(id: "cus_0001") { email } }');
    expect(await stored()).toContain('demo-key');
    await storeHeaders('Off');
    expect(await stored()).toContain('cus_0001');
    expect(await stored()).not.toContain('demo-key');
  });
});

describe.runIf(hasChromium())('the embedded bank’s page', () => {
  it('keeps the keyboard’s focus over deposits and calls, and says when the bank is gone', async () => {
    const bank = await startBank({ port: 0, database: ':memory:' });
    const { page, complaints } = await visit();
    await page.goto(bank.url);
    await page.locator('::-p-aria(Deposit 100 to 9000000002)').wait();
    await page.focus('::-p-aria(Deposit 100 to 9000000002)');
    const shows = (text: string) => page.waitForFunction((text) => document.body.innerText.includes(text), {}, text);
    for (const balance of ['146463.63', '146563.63']) {
      await page.keyboard.press('Enter');
      await shows(balance);
    }
    await fetch(`${bank.url}/api/v1/planted`);
    await shows('/api/v1/planted');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Deposit 100 to 9000000002');
    expect(complaints).toEqual([]);
    await bank.close();
    await shows('The embedded bank does not answer.');
  });
});
