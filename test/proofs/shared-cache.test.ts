import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { demoMerchants } from '../../src/bank/merchants.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { startGateway } from '../support/gateway.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freeUrl } from '../support/ports.ts';
import { startCommand } from '../support/process.ts';
import { startUpstream } from '../support/upstream.ts';
import { record } from './evidence.ts';

const environment = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

function isInstalled(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore', env: environment });
    return true;
  } catch {
    return false;
  }
}

// Where everything is to be proved, a missing nginx is a failure.
const isSkipped = !isInstalled() && process.env['CI'] !== 'true';
if (isSkipped) console.warn('SKIPPED: the shared cache proof needs nginx (Debian: apt-get install nginx).');

/** A cache that keeps everything it may: any status, any method, by address and body alone. */
const configuration = (folder: string, port: string, upstream: string) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=shared:1m;
  server {
    listen 127.0.0.1:${port};
    client_body_buffer_size 512k;
    location / {
      proxy_pass ${upstream};
      proxy_cache shared;
      proxy_cache_methods GET HEAD POST;
      proxy_cache_key "$request_method $request_uri $request_body";
      proxy_cache_valid any 10m;
      add_header x-cache $upstream_cache_status always;
    }
  }
}
`;

/** Puts the cache in front of a server; its URL. */
async function startCache(upstream: string): Promise<string> {
  const folder = await temporaryFolder();
  const url = await freeUrl();
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, new URL(url).port, upstream));
  startCommand('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    environment: { PATH: environment.PATH },
  });
  await expect
    .poll(
      () =>
        fetch(url).then(
          ({ status }) => status > 0,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
  return url;
}

const document = '{ customers(first: 3) { nodes { id } } }';
const search = `?query=${encodeURIComponent(document)}`;
const rounds = 25;
const withoutRequestId = (text: string) => text.replace(/"requestId":"[^"]+"/, '');

describe.skipIf(isSkipped)('a shared cache', () => {
  it('keeps what does not forbid it, so it could leak', async () => {
    const upstream = await startUpstream(({ headers }) => ({ text: `for ${headers['authorization']?.[0]}` }));
    onTestFinished(upstream.close);
    const url = await startCache(upstream.url);
    const ask = async (authorization: string) =>
      (await fetch(`${url}/graphql`, { method: 'POST', body: document, headers: { authorization } })).text();
    expect([await ask('first'), await ask('second')]).toEqual(['for first', 'for first']);
  });

  it('in front of the gateway never answers one caller with what another one read', async () => {
    const bank = await startBank({ port: 0, database: ':memory:' });
    onTestFinished(bank.close);
    const gateway = await startGateway({ upstream: bank.url, contract: embeddedContract });
    const url = await startCache(gateway.url);
    const ask = async (key: string, path: string, request: RequestInit) => {
      const headers = { svcprivatekey: key, 'content-type': 'application/json' };
      const response = await fetch(`${url}/graphql${path}`, { ...request, headers });
      return { cache: response.headers.get('x-cache'), text: withoutRequestId(await response.text()) };
    };
    const post = (key: string) => ask(key, '', { method: 'POST', body: JSON.stringify({ query: document }) });
    const get = (key: string) => ask(key, search, {});
    const [first = '', second = ''] = demoMerchants.map(({ privateKey }) => privateKey);
    const callers = [first, second, 'nobody-knows-this-key'];
    const own = await Promise.all(callers.map(async (key) => (await post(key)).text));
    expect(new Set(own).size).toBe(3);

    let asked = 0;
    let leaked = 0;
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all(callers.flatMap((key) => [post(key), get(key)]));
      asked += answers.length;
      leaked += answers.filter(
        ({ cache, text }, index) => cache === 'HIT' || text !== own[Math.floor(index / 2)],
      ).length;
    }
    record('a shared cache in front (nginx)', `${asked} answers to three callers, ${leaked} leaks`);
    expect([asked, leaked]).toEqual([rounds * 6, 0]);
  });
});
