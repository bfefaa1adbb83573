import { createServer, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startNginx, startProxy as startProgram } from './proxies.ts';
import { query, startGateway } from '../../support/gateway.ts';
import { listenOnLoopback } from '../../support/ports.ts';
import { pageOf, startUpstream, success, type ScriptedUpstream } from '../../support/upstream/upstream.ts';
import { isMissing, record } from '../evidence.ts';

/** One operation for each way to a path. */
const operations: readonly (readonly [name: string, document: string, path: RegExp])[] = [
  ['customer', 'query ($id: ID!) { it: customer(id: $id) { id } }', /^\/api\/v1\/customers\/[^/]+$/],
  [
    'updateSettlementBank',
    'mutation ($id: ID!) { it: updateSettlementBank(input: { id: $id, name: "N" }) { settlementBank { id } } }',
    /^\/api\/v1\/settlement-banks\/[^/]+$/,
  ],
  [
    'createVirtualAccount',
    'mutation ($id: ID!) { it: createVirtualAccount(input: { customerId: $id }) { virtualAccount { id } } }',
    /^\/api\/v1\/customers\/[^/]+\/virtual-accounts$/,
  ],
  [
    'the transactions of an entity',
    'query ($id: ID!) { it: _entities(representations: [{ __typename: "Customer", id: $id }]) { ... on Customer { transactions { totalCount } } } }',
    /^\/api\/v1\/customers\/[^/]+\/transactions$/,
  ],
];

const separators = ['/', '\\', '%2f', '%2F', '%5c', '%252f', ';/', '?', '#', '%3f', '%23', '%00', '%0d%0a'];
const dots = ['..', '.', '%2e%2e', '.%2e', '%252e%252e', '..;'];
/** Climbs out of the path by each spelling, at each place of an identifier; and characters that are no danger. */
const hostile = [
  ...dots,
  ...dots.flatMap((dot) =>
    separators.flatMap((by) => [`${dot}${by}wallets${by}w1`, `c1${by}${dot}${by}${dot}${by}wallets`]),
  ),
  ...separators.flatMap((by) => [`c1${by}balance`, `${by}wallets`, `c1${by}`]),
];
const harmless = ['c1', 'ada+test@example.com', 'a b', '...', '..a', '{id}', '$&', 'é', 'a:b', "o'neil", 'a,b=c&d'];

/** haproxy that decodes the path and strips `..` from it. */
const startDecodingHaproxy = (upstream: string): Promise<string> =>
  startProgram(
    'haproxy',
    (file) => ['-f', file, '-db'],
    (host) => `global
  expose-experimental-directives
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
listen proxy
  bind ${host}
  http-request set-path %[path,url_dec]
  http-request normalize-uri path-strip-dotdot
  server service ${new URL(upstream).host}
`,
  );

/** A proxy written in Node that decodes the path and lets WHATWG's URL resolve it. */
async function startNodeProxy(upstream: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const [path = '', query = ''] = (incoming.url ?? '').split('?');
    const target = new URL(decodeURIComponent(path) + (query === '' ? '' : `?${query}`), upstream);
    const onward = request(target, { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return url;
}

/** nginx with a path in `proxy_pass`, as it is often set up to put a service below another path. */
const startDecodingNginx = (upstream: string): Promise<string> =>
  startNginx((host) => `server { listen ${host}; location / { proxy_pass ${upstream}/; } }`);

/** Proxies that decode a request's path and resolve its dots before they pass the request on. */
const proxies: readonly (readonly [name: string, start: (upstream: string) => Promise<string>, isSkipped: boolean])[] =
  [
    ['nginx with a path in proxy_pass', startDecodingNginx, isMissing('nginx')],
    ['haproxy that decodes', startDecodingHaproxy, isMissing('haproxy')],
    ['a Node proxy that decodes', startNodeProxy, false],
  ];

async function startService(): Promise<ScriptedUpstream> {
  const service = await startUpstream(({ path }) =>
    path.includes('page=') ? pageOf([], path) : success({ id: 'c1', account_number: '1' }),
  );
  onTestFinished(service.close);
  return service;
}

const pathOf = (target: string): string => decodeURIComponent(target.split('?')[0] ?? '');

describe.each(proxies)('behind %s', (name, startProxy, isSkipped) => {
  it.skipIf(isSkipped)('an escaped climb reaches another resource, where nothing refuses it', async () => {
    const service = await startService();
    const url = await startProxy(service.url);
    const before = service.requests.length;
    await new Promise<void>((resolve, reject) => {
      const path = '/api/v1/customers/..%2Fwallets%2Fw1';
      request(url, { path }, (answer) => answer.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
    expect(service.requests.slice(before).map(({ path }) => pathOf(path))).toEqual(['/api/v1/wallets/w1']);
  });

  it.skipIf(isSkipped)('no identifier leaves the path of its operation', { timeout: 120_000 }, async () => {
    const service = await startService();
    const gateway = await startGateway({ upstream: await startProxy(service.url) });
    let sent = 0;
    const outside: string[] = [];
    for (const [operation, document, path] of operations) {
      for (const id of [...hostile, ...harmless]) {
        const before = service.requests.length;
        await query(gateway, document, { variables: { id } });
        const seen = service.requests.slice(before).map((request) => pathOf(request.path));
        sent += seen.length;
        outside.push(...seen.filter((target) => !path.test(target)).map((target) => `${operation} ${id}: ${target}`));
      }
    }
    const count = operations.length * (hostile.length + harmless.length);
    record(`identifiers behind ${name}`, `${count} requests, ${sent} calls, ${outside.length} outside their path`);
    expect(outside).toEqual([]);
    // haproxy passes a decoded blank or accent on as it is, which no server accepts as a request.
    expect(sent).toBeGreaterThanOrEqual(operations.length * (harmless.length - 2));
  });
});
