/** `file-server FOLDER PORT DELAY`: the service in Node, where nginx is absent or cannot wait as long as wanted. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileOf } from './files.ts';

const [folder = '', port = '0', delay = '0'] = process.argv.slice(2);
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

createServer({ keepAliveTimeout: 3_600_000 }, ({ url: target = '/' }, outgoing) => {
  requests += 1;
  // In the form of nginx' stub_status.
  if (target === '/calls') outgoing.end(` ${requests} ${requests} ${requests}\n`);
  else if (delayMs === 0) answer(target, outgoing);
  else setTimeout(answer, delayMs, target, outgoing);
}).listen(Number(port), '127.0.0.1');
