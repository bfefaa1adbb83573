import { existsSync } from 'node:fs';
import { launch, type Browser, type HTTPResponse, type Page } from 'puppeteer-core';
import { afterAll, onTestFinished } from 'vitest';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** False where there is no Chromium, which is said once; in CI there must be one. */
export function hasChromium(): boolean {
  if (process.env['CI'] === 'true' || existsSync(executablePath)) return true;
  console.warn(`SKIPPED: the browser proofs, since ${executablePath} is not there (name another one in CHROMIUM).`);
  return false;
}

export interface Visit {
  readonly page: Page;
  /** Everything that the browser received and holds: answers with their headers, scripts, the page, its storage. */
  readonly received: () => Promise<readonly string[]>;
  /** Addresses outside this machine that the page asked for. */
  readonly foreign: readonly string[];
  /** What the page's scripts threw or complained of. */
  readonly complaints: readonly string[];
}

let running: Promise<Browser> | undefined;
afterAll(async () => (await running)?.close());

/** A new page of a headless Chromium that reaches this machine only, with nothing kept; it ends with the test. */
export async function visit(): Promise<Visit> {
  running ??= launch({
    executablePath,
    // CI is root, where Chromium has no sandbox of its own.
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  const context = await (await running).createBrowserContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.setViewport({ width: 1000, height: 800 });
  const answers: Promise<string>[] = [];
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('response', (response) => void answers.push(textOf(response)));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return {
    page,
    foreign,
    complaints,
    received: async () => [...(await Promise.all(answers)), JSON.stringify(await page.cookies()), await holdings(page)],
  };
}

/** Lets the first matching request do its work and loses its answer; gives the bodies of all that matched, as they come. */
export async function loseFirstAnswer(page: Page, isMeant: (body: string) => boolean): Promise<readonly string[]> {
  const bodies: string[] = [];
  const session = await page.createCDPSession();
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/graphql', requestStage: 'Response' }] });
  session.on('Fetch.requestPaused', ({ requestId, request: { postData = '' } }) => {
    const isFirst = isMeant(postData) && bodies.push(postData) === 1;
    const sent = isFirst
      ? session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      : session.send('Fetch.continueRequest', { requestId });
    sent.catch(() => {}); // the page may have been closed meanwhile
  });
  return bodies;
}

/** Answers every script of other machines by this one, and nothing else of theirs. */
export async function standInForScripts(page: Page, script: string): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (new URL(request.url()).hostname === '127.0.0.1') void request.continue();
    else if (request.resourceType() === 'script')
      void request.respond({ contentType: 'text/javascript', body: script });
    else void request.abort();
  });
}

async function textOf(response: HTTPResponse): Promise<string> {
  const body = await response.text().catch(() => ''); // a redirect has none
  return `${response.url()}\n${JSON.stringify(response.headers())}\n${body}`;
}

/** The page as it stands, with both storages, its databases and caches by name, and what its scripts made global. */
function holdings(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const caches = await window.caches.keys();
    const globals = Object.entries(window).filter(([, value]) => typeof value === 'string');
    return [
      document.documentElement.outerHTML,
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
      JSON.stringify({ databases, caches, globals, cookie: document.cookie }),
    ].join('\n');
  });
}
