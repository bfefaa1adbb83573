import { createServer, request } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { freeUrl, listenOnLoopback } from '../../support/ports.ts';
import { startCommand } from '../../support/process.ts';

/** The environment in which programs of /usr/sbin are found. */
const proxyPath = { PATH: `${process.env['PATH']}:/usr/sbin` };

/** A reverse proxy that decodes a request's path and resolves its dots before it passes the request on; its URL. */
export type StartProxy = (upstream: string) => Promise<string>;

/** nginx with a path in `proxy_pass`, as it is often set up to put a service below another path. */
export const startNginx: StartProxy = async (upstream) => {
  const url = await freeUrl();
  const folder = await temporaryFolder();
  const file = join(folder, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http {
  access_log off; ${paths.join(' ')}
  server { listen 127.0.0.1:${new URL(url).port}; location / { proxy_pass ${upstream}/; } }
}
`,
  );
  startCommand('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { environment: proxyPath });
  await untilAnswered(url);
  return url;
};

/** haproxy that decodes the path and strips `..` from it. */
export const startDecodingHaproxy: StartProxy = async (upstream) => {
  const url = await freeUrl();
  const file = join(await temporaryFolder(), 'haproxy.cfg');
  await writeFile(
    file,
    `global
  expose-experimental-directives
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
listen proxy
  bind ${new URL(url).host}
  http-request set-path %[path,url_dec]
  http-request normalize-uri path-strip-dotdot
  server service ${new URL(upstream).host}
`,
  );
  startCommand('haproxy', ['-f', file, '-db'], { environment: proxyPath });
  await untilAnswered(url);
  return url;
};

/** A proxy written in Node that decodes the path and lets WHATWG's URL resolve it. */
export const startNodeProxy: StartProxy = async (upstream) => {
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
};

async function untilAnswered(url: string): Promise<void> {
  const isUp = () => fetch(url).then(Boolean, () => false);
  await expect.poll(isUp).toBe(true);
}
