import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import { closedUrl } from '../support/ports.ts';
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

/** The example as `npm start` starts it, over the real gateway and its embedded bank. */
async function startExample(): Promise<Application> {
  const [url, bff, gatewayUrl, bankUrl] = [await closedUrl(), await closedUrl(), await closedUrl(), await closedUrl()];
  const portOf = (address: string) => new URL(address).port;
  const environment = {
    PORT: portOf(url),
    BFF_PORT: portOf(bff),
    GATEWAY_PORT: portOf(gatewayUrl),
    BANK_PORT: portOf(bankUrl),
    IDEMPOTENCY_STORE: 'sqlite::memory:',
  };
  const command = startCommand('npm', ['start'], { cwd: example, environment });
  await command.printed(/Page {2}http/);
  return { url, gatewayUrl, bankUrl };
}

const count = (page: Page, selector: string) => page.$$eval(selector, (found) => found.length);
const bodyText = (page: Page) => page.$eval('body', (body) => body.innerText);
const press = (page: Page, name: string) => page.locator(`::-p-aria(${name}[role="button"])`).click();
const follow = (page: Page, name: string) => page.locator(`::-p-aria(${name}[role="link"])`).click();

/** Waits until the page says so. */
async function says(page: Page, text: string): Promise<void> {
  await page.waitForFunction((text) => document.body.innerText.includes(text), {}, text);
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
  await page.goto(url);
  await press(page, 'Demo Merchant');
  await says(page, 'Sign out');
  await page.evaluate((path) => void (window.location.hash = path), path);
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
    await look('customers');

    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await says(page, '40 of 64 customers');
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await says(page, '60 of 64 customers');
    expect(await count(page, 'ul[aria-label="Customers"] > li')).toBe(60);
    expect(await countCalls(bankUrl, 'listCustomers')).toBe(3);

    await page.locator('#search').fill('customer-0064');
    await says(page, '1 of 1 customers');
    await look('search');
    await page.locator('#search').fill('customer-0001');
    await follow(page, 'Chidi Testcase customer-0001@example.com demo-customer-0001');
    await says(page, 'NGN 146363.63');
    await says(page, '10 of 130');
    await says(page, '9000000001');
    await press(page, 'Show more transactions');
    await says(page, '20 of 130');
    await look('customer');
    await control(bankUrl, 'deposits', { accountNumber: '9000000001', amount: '0.37' });
    await press(page, 'Refresh balance');
    await says(page, 'NGN 146364.00');
    // And when it is shown again, it is asked for again.
    await follow(page, '← Customers');
    await says(page, '60 of 64 customers');
    await control(bankUrl, 'deposits', { accountNumber: '9000000001', amount: '1.00' });
    await page.evaluate(() => void (window.location.hash = '#/customers/cus_0001'));
    await says(page, 'NGN 146365.00');

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

  it('shows each part of a customer alone when another fails, and lets it be repeated', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/');
    await says(page, '20 of 64 customers');
    // A read is tried three times.
    await control(bankUrl, 'faults', { operation: 'getCustomerBalance', status: 503, count: 3 });
    await page.evaluate(() => void (window.location.hash = '#/customers/cus_0002'));
    await says(page, 'The payments service is not answering at the moment.');
    await says(page, 'Support reference');
    await says(page, 'Transfer');
    await photograph(page, 'balance-failed');
    expect(await barriers(page)).toEqual([]);
    await press(page, 'Try again');
    await page.waitForSelector('.balance .money');
    expect(await bodyText(page)).not.toContain('not answering');
  });

  it('puts refusals at their inputs, and registers once they are corrected', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/new');
    await fill(page, { ...person, nin: '123', phone: '0800' });
    await press(page, 'Register customer');
    await says(page, 'Nothing was registered');
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

  it('lets a registration that never arrived be sent anew once it was looked up', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/new');
    await fill(page, person);
    await control(bankUrl, 'faults', { operation: 'createCustomer', cut: 'before' });
    await press(page, 'Register customer');
    await says(page, 'We do not know yet whether this customer was registered');
    await press(page, 'Look it up');
    await says(page, 'There is no customer with this reference so far.');
    await photograph(page, 'missing');
    await press(page, 'Back to the form');
    await press(page, 'Register customer');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada Browser');
    expect(await countCalls(bankUrl, 'createCustomer')).toBe(2);
  });

  it('registers once when the answer is lost on its way and the same is sent again', async () => {
    const { url, bankUrl } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/new');
    await fill(page, person);
    const sent = await loseFirstAnswer(page, (body) => body.includes('idempotencyKey'));
    await press(page, 'Register customer');
    await says(page, 'The connection was interrupted before an answer came');
    await photograph(page, 'interrupted');
    expect(await barriers(page)).toEqual([]);
    await press(page, 'Send once more');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada Browser');
    const keys = sent.map((body) => /"idempotencyKey":"([\da-f-]{36})"/.exec(body)?.[1]);
    expect(keys).toEqual([expect.any(String), keys[0]]);
    expect(await countCalls(bankUrl, 'createCustomer')).toBe(1);
  });

  it('asks for a sign-in when the session has ended, and keeps two merchants apart', async () => {
    const { url } = await startExample();
    const { page } = await visit();
    await open(page, url, '#/');
    await says(page, '20 of 64 customers');
    await page.deleteCookie(...(await page.cookies(`${url}/api/session`)));
    await page.evaluate(() => void (window.location.hash = '#/customers/cus_0003'));
    await says(page, 'Sign in');
    await press(page, 'Second Demo Merchant');
    await says(page, 'There is no such customer');
    await follow(page, 'Customers');
    await says(page, '12 of 12 customers');
    expect(await bodyText(page)).not.toContain('demo-customer-0001');
  });

  it('is usable by the keyboard alone', async () => {
    const { url } = await startExample();
    const { page } = await visit();
    await page.goto(url);
    await says(page, 'Sign in');
    const key = async (...keys: readonly ('Tab' | 'Enter')[]) => {
      for (const each of keys) await page.keyboard.press(each);
    };
    await key('Tab', 'Enter');
    await says(page, '20 of 64 customers');
    await page.evaluate(() => document.getElementById('search')?.focus());
    await key('Tab');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline).toBe('solid');
    await key('Enter');
    await says(page, 'NGN 146363.63');
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
