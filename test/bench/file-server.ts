/**
 * `file-server FOLDER PORT DELAY [TLS_PORT KEY CERTIFICATE]`: the service in Node, where nginx is absent or cannot wait as
 * long as wanted; on a second port over TLS.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { fileOf } from './files.ts';

const [folder = '', port = '0', delay = '0', securePort, key = '', certificate = ''] = process.argv.slice(2);
const delayMs = Number(delay);

const answers = new Map<string, Buffer>();
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile()) answers.set(file.slice(folder.length), readFileSync(file));
}

let requests = 0;

function answer(target: string, outgoing: ServerResponse): void {
  const body = answers.get(fileOf(target));
  outgoing.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
  outgoing.end(body);
}

function listen(incoming: IncomingMessage, outgoing: ServerResponse): void {
  requests += 1;
  const target = incoming.url ?? '/';
  // In the form of nginx' stub_status.
  if (target === '/calls') outgoing.end(` ${requests} ${requests} ${requests}\n`);
  else if (delayMs === 0) answer(target, outgoing);
  else setTimeout(answer, delayMs, target, outgoing);
}

const keepAliveTimeout = 3_600_000;
createServer({ keepAliveTimeout }, listen).listen(Number(port), '127.0.0.1');
if (securePort !== undefined) {
  const secure = { keepAliveTimeout, key: readFileSync(key), cert: readFileSync(certificate) };
  createSecureServer(secure, listen).listen(Number(securePort), '127.0.0.1');
}
