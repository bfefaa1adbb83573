import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freeUrl } from '../support/ports.ts';
import { startCommand } from '../support/process.ts';
import { record } from '../proofs/evidence.ts';
import { control, countCalls } from './bank-gateway.ts';
import { hasChromium, loseFirstAnswer, standInForScripts, visit } from './chromium.ts';

const example = join(import.meta.dirname, '../../examples/frontend');
const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const person = {
  firstName: 'Ada',
  lastName: 'Browser',
  dateOfBirth: '1990-01-31',
  email: 'ada@example.com',
  phone: '+2340000000000',
  nin: '00000000000',
} as const;

interface Application {
  readonly url: string;
  readonly gatewayUrl: string;
  readonly bankUrl: string;
}

let application: Application;

/** The example as `npm start` starts it, once for all tests, over the real gateway and its embedded bank. */
beforeAll(async () => {
  const [url, bff, gatewayUrl, bankUrl] = [await freeUrl(), await freeUrl(), await freeUrl(), await freeUrl()];
  const portOf = (address: string) => new URL(address).port;
  const environment = {
    PORT: portOf(url),
    BFF_PORT: portOf(bff),
    GATEWAY_PORT: portOf(gatewayUrl),
    BANK_PORT: portOf(bankUrl),
    IDEMPOTENCY_STORE: 'sqlite::memory:',
  };
  const atEnd = (stop: () => void) => void (stopExample = stop);
  await startCommand('npm', ['start'], { cwd: example, environment, atEnd }).printed(/Page {2}http/);
  application = { url, gatewayUrl, bankUrl };
}, 60_000);

let stopExample = () => {};
afterAll(() => stopExample());

/** The example, with the embedded bank's demo data as they were, no fault and an empty journal. */
async function startExample(): Promise<Application> {
  const { status } = await fetch(`${application.bankUrl}/_bank/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(status).toBe(204);
  return application;
}

const count = (page: Page, selector: string) => page.$$eval(selector, (found) => found.length);
const bodyText = (page: Page) => page.$eval('body', (body) => body.innerText);
const press = (page: Page, name: string) => page.locator(`::-p-aria(${name}[role="button"])`).click();

/** Scrolls to the end again and again, as a person does: rows that have just arrived move it. */
async function scrollUntil(page: Page, ...texts: readonly string[]): Promise<void> {
  const scrolled = (...wanted: readonly string[]): boolean => {
    const isThere = wanted.some((text) => document.body.innerText.includes(text));
    if (!isThere) window.scrollTo(0, document.body.scrollHeight);
    return isThere;
  };
  await page.waitForFunction(scrolled, { polling: 200 }, ...texts);
}

/** Waits until the page says so. */
async function says(page: Page, text: string): Promise<void> {
  // The space before an amount is one that does not break.
  await page.waitForFunction((text) => document.body.innerText.replaceAll('\u00A0', ' ').includes(text), {}, text);
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`#${name}`).fill(value);
}

/** What an accessibility checker finds wrong, contrast included. */
async function barriers(page: Page): Promise<readonly string[]> {
  // As a debugger would: the page's own policy lets no foreign script in.
  await page.evaluate(await axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; help: string }[] }> };
    }; // just loaded
    const { violations } = await axe.run();
    return violations.map(({ id, help }) => `${id}: ${help}`);
  });
}

/** Photographs for people to look at, where a folder for them is named. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function open(page: Page, url: string, path: string): Promise<void> {
  await page.goto(`${url}/${path}`);
  await press(page, 'Demo Merchant');
  await says(page, 'Sign out');
}

describe.runIf(hasChromium())('the example in Chromium', () => {
  it('lists, searches, scrolls and opens, and holds the private key nowhere', async () => {
    const { url, bankUrl } = await startExample();
    const { page, received, foreign, complaints } = await visit();
    const found: string[] = [];
    const look = async (name: string) => {
      await photograph(page, name);
      found.push(...(await barriers(page)).map((barrier) => `${name}: ${barrier}`));
    };
    await page.goto(url);
    await says(page, 'Sign in');
    await look('sign-in');
    await press(page, 'Demo Merchant');
    await says(page, '20 of 64 customers');
    await says(page, 'NGN 146,363.63');
    await look('customers');

    await scrollUntil(page, '40 of 64 customers', '60 of 64 customers');
    await scrollUntil(page, '60 of 64 customers', '64 of 64 customers');
    // Four calls are the whole list.
    expect(await count(page, 'ul[aria-label="Customers"] > li')).toBeGreaterThanOrEqual(60);
    expect([3, 4]).toContain(await countCalls(bankUrl, 'listCustomers'));

    await page.locator('#search').fill('customer-0064');
    await says(page, '1 of 1 customers');
    await look('search');
    await page.locator('#search').fill('customer-0001');
    await says(page, '1 of 1 customers');
    await page.locator('a[href="#/customers/cus_0001"]').click();
    await says(page, '130 of 130');
    await says(page, '9000000001');
    await look('customer');
    await control(bankUrl, 'deposits', { accountNumber: '9000000001', amount: '0.37' });
    await press(page, 'Refresh balance');
    await says(page, 'NGN 146,364.00');
    await page.goBack();
    await says(page, '1 of 1 customers');
    expect(await page.$eval('#search', (input) => (input as HTMLInputElement).value)).toBe('customer-0001');

    const texts = await received();
    const held = (text: string) => texts.filter((received) => received.includes(text)).length;
    record(
      'The private key in a browser',
      `${texts.length} answers, scripts and storages searched: ${held('demo-key')} with the key`,
    );
    expect(held('demo-key')).toBe(0);
    expect(held('SVCPRIVATEKEY')).toBe(0);
    // The same search finds what the browser does hold.
    expect(held('demo-customer-0001')).toBeGreaterThan(0);
    expect(held('HttpOnly') + held('"httpOnly":true')).toBeGreaterThan(0);
    expect(found).toEqual([]);
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows and downloads a statement of days and a direction, which the address keeps', async () => {
    const { url } = await startExample();
    const { page } = await visit();
    await page.emulateTimezone('UTC');
    await open(page, url, '#/customers/cus_0001?from=2025-01-14&to=2025-01-14&direction=CREDIT');
    await says(page, '13 of 13');
    await photograph(page, 'statement');
    expect(await barriers(page)).toEqual([]);
    await page.locator('select').fill('');
    await says(page, '24 of 24');
    expect(await page.evaluate(() => window.location.hash)).toBe('#/customers/cus_0001?from=2025-01-14&to=2025-01-14');
    const download = await page.$eval('a[download]', ({ href }) => decodeURIComponent(href));
    expect(download).toMatch(
      /^data:text\/csv;.*,date,narration,direction,amount,currency\r\n"2025-01-14T23:00:00.000Z",/,
    );
    expect(download.trimEnd().split('\r\n')).toHaveLength(25);
  });

  it('puts refusals at their inputs, and registers once they are corrected', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/new');
    await fill(page, { ...person, nin: '123', phone: '0800' });
    await press(page, 'Register customer');
    await says(page, 'Nothing was changed');
    await photograph(page, 'refused');
    const described = await page.$$eval('[aria-invalid="true"]', (inputs) =>
      inputs.map(({ id }) => `${id}: ${document.getElementById(`${id}-error`)?.textContent}`),
    );
    expect(described).toEqual(['phone: Must be a + and digits.', 'nin: Must be 11 digits.']);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('phone');
    expect(await barriers(page)).toEqual([]);
    expect(await countCalls(bankUrl, 'createCustomer')).toBe(0);

    await fill(page, person);
    await press(page, 'Register customer');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada Browser');
    await page.evaluate(() => void (window.location.hash = '#/'));
    await says(page, '20 of 65 customers');
    expect(await countCalls(bankUrl, 'createCustomer')).toBe(1);
  });

  it('says of a customer’s page only what is so, with its head in one line on a telephone', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await page.setViewport({ width: 390, height: 800 });
    await open(page, url, '#/customers/cus_0001');
    await fill(page, { amount: '5,000' });
    await press(page, 'Open for one deposit');
    await says(page, 'Must be an amount such as 5000.00');
    expect(await page.$eval('#amount', (input) => input.getAttribute('aria-describedby'))).toContain('amount-error');
    expect(await countCalls(bankUrl, 'createCustomerOneTimeAccount')).toBe(0);
    await photograph(page, 'amount-390');
    await control(bankUrl, 'faults', { operation: 'createCustomerOneTimeAccount', cut: 'after' });
    await fill(page, { amount: '500.00' });
    await press(page, 'Open for one deposit');
    await says(page, 'We do not know yet whether this account was opened');
    expect(await bodyText(page)).not.toMatch(/look it up/i);

    const opened = () => page.$eval('.guide code', (code) => code.textContent);
    await press(page, 'Open an account');
    await press(page, 'Deposit 2500.00');
    await says(page, 'The money has arrived.');
    const first = await opened();
    await press(page, 'Open an account');
    await page.waitForFunction((first) => document.querySelector('.guide code')?.textContent !== first, {}, first);
    expect(await bodyText(page)).not.toContain('The money has arrived.');
    expect(await barriers(page)).toEqual([]);

    await page.evaluate(() => void (window.location.hash = '#/customers/cus_0001/edit'));
    await fill(page, { lastName: 'Renamed' });
    await press(page, 'Save changes');
    await says(page, 'Saved');
    await photograph(page, 'saved-390');
    const [width, head] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.querySelector('.bar')?.clientHeight ?? 0,
    ]);
    expect(width).toBe(390);
    expect(head).toBeLessThan(64);
  });

  it('offers to look an unknown outcome up, also after a reload, and never sends it again by itself', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/new');
    await fill(page, person);
    await control(bankUrl, 'faults', { operation: 'createCustomer', cut: 'after' });
    await press(page, 'Register customer');
    await says(page, 'We do not know yet whether this customer was registered');
    await photograph(page, 'unknown');
    expect(await barriers(page)).toEqual([]);
    expect(await page.$eval('fieldset', ({ disabled }) => disabled)).toBe(true);
    await page.reload();
    await says(page, 'We do not know yet whether this customer was registered');
    await press(page, 'Look it up');
    await says(page, 'It was registered.');
    await photograph(page, 'found');
    await press(page, 'Open the customer');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada Browser');
    expect(await countCalls(bankUrl, 'createCustomer')).toBe(1);
  });

  it('registers once when the answer is lost on its way and the same is sent again', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/new');
    await fill(page, person);
    const sent = await loseFirstAnswer(page, (body) => body.includes('idempotencyKey'));
    await press(page, 'Register customer');
    await says(page, 'You can safely send the same once more');
    await photograph(page, 'interrupted');
    expect(await barriers(page)).toEqual([]);
    await press(page, 'Send once more');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada Browser');
    const keys = sent.map((body) => /"idempotencyKey":"([\da-f]{32})"/.exec(body)?.[1]);
    expect(keys).toEqual([expect.any(String), keys[0]]);
    expect(await countCalls(bankUrl, 'createCustomer')).toBe(1);
  });

  it('keeps the form when the session has ended, and two merchants apart', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/');
    await says(page, '20 of 64 customers');
    const endSession = () => page.evaluate(async () => void (await fetch('/api/session', { method: 'DELETE' })));
    await page.evaluate(() => void (window.location.hash = '#/new'));
    await fill(page, person);
    await endSession();
    await press(page, 'Register customer');
    await says(page, 'Your session has ended. Nothing was sent');
    await photograph(page, 'session-ended');
    expect(await barriers(page)).toEqual([]);
    expect(await countCalls(bankUrl, 'createCustomer')).toBe(0);
    await press(page, 'Demo Merchant');
    await says(page, 'Nothing was sent. Your session had ended.');
    await press(page, 'Register customer');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada Browser');
    await endSession();
    await page.evaluate(() => void (window.location.hash = '#/customers/cus_0003'));
    await says(page, 'Your session has ended.');
    await press(page, 'Second Demo Merchant');
    await says(page, 'There is no such customer');
    await page.evaluate(() => void (window.location.hash = '#/'));
    await says(page, '12 of 12 customers');
    expect(await bodyText(page)).not.toContain('demo-customer-0001');
    // Another tab signs in for the first merchant.
    const body = JSON.stringify({ merchant: 'Demo Merchant' });
    await page.evaluate(async (body) => {
      await fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }, body);
    await page.evaluate(() => void (window.location.hash = '#/customers/cus_0004'));
    await says(page, 'Your session has ended.');
  });

  it('finds Sandbox at the gateway’s own address, with a first document and the demo headers', async () => {
    const { gatewayUrl } = await startExample();
    const { page } = await visit();
    const standIn = 'window.EmbeddedSandbox = class { constructor(options) { window.shown = options; } };';
    await standInForScripts(page, standIn);
    await page.goto(`${gatewayUrl}/`);
    const shown = await page.evaluate(() => (window as unknown as { shown: Record<string, unknown> }).shown); // the stand-in's
    expect(shown['initialEndpoint']).toBe(`${gatewayUrl}/graphql`);
    expect(shown['initialState']).toMatchObject({
      document: expect.stringContaining('query FirstLook') as unknown,
      headers: { SVCPRIVATEKEY: 'demo-key', Authorization: 'Bearer demo-token' },
    });
  });
});
