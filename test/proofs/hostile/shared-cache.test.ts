import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../../src/bank/bank.ts';
import { embeddedContract } from '../../../src/bank/contract.ts';
import { demoMerchants } from '../../../src/bank/merchants.ts';
import { startGateway } from '../../support/gateway.ts';
import { startUpstream } from '../../support/upstream/upstream.ts';
import { startNginx } from './proxies.ts';
import { isMissing, record } from '../evidence.ts';

/** A cache in front of a server that keeps everything it may: any status, any method, by address and body alone. */
const startCache = (upstream: string): Promise<string> =>
  startNginx(
    (host, folder) => `
  proxy_cache_path ${folder}/cache keys_zone=shared:1m;
  server {
    listen ${host};
    client_body_buffer_size 512k;
    location / {
      proxy_pass ${upstream};
      proxy_cache shared;
      proxy_cache_methods GET HEAD POST;
      proxy_cache_key "$request_method $request_uri $request_body";
      proxy_cache_valid any 10m;
      add_header x-cache $upstream_cache_status always;
    }
  }`,
  );

const document = '{ customers(first: 3) { nodes { id } } }';
const rounds = 25;

describe.skipIf(isMissing('nginx'))('a shared cache', () => {
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
    const ask = async (svcprivatekey: string, path: string, request: RequestInit) => {
      const headers = { svcprivatekey, 'content-type': 'application/json' };
      const response = await fetch(`${url}/graphql${path}`, { ...request, headers });
      const text = (await response.text()).replace(/"requestId":"[^"]+"/, '');
      return { cache: response.headers.get('x-cache'), text };
    };
    const post = (key: string) => ask(key, '', { method: 'POST', body: JSON.stringify({ query: document }) });
    const get = (key: string) => ask(key, `?query=${encodeURIComponent(document)}`, {});
    const callers = [...demoMerchants.map(({ privateKey }) => privateKey), 'nobody-knows-this-key'];
    const own = await Promise.all(callers.map(async (key) => (await post(key)).text));
    expect(new Set(own).size).toBe(3);
    let leaked = 0;
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all(callers.flatMap((key) => [post(key), get(key)]));
      const isLeak = ({ cache, text }: (typeof answers)[number], at: number) =>
        cache === 'HIT' || text !== own[Math.floor(at / 2)];
      leaked += answers.filter(isLeak).length;
    }
    record('a shared cache in front (nginx)', `${rounds * 6} answers to three callers, ${leaked} leaks`);
    expect(leaked).toBe(0);
  });
});
