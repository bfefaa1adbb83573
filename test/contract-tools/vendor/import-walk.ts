import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { startBank } from '../../../src/bank/bank.ts';
import { embeddedContract } from '../../../src/bank/contract.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { documentService, toPostman } from './vendor-file.ts';

export const cli = new URL('../../../src/cli.ts', import.meta.url).pathname;
const page = readFileSync(new URL('../../../docs/import.md', import.meta.url), 'utf8');
/** The commands of docs/import.md, of these sources. */
export const commands = [...page.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command = '']) =>
  command.replace('npx settlement-graph', `exec "${process.execPath}" "${cli}"`),
);
const [, query = ''] = /```graphql\n(.*?)\n```/s.exec(page) ?? [];

/** A folder with a Postman file of a running bank. */
export async function createFolder(): Promise<string> {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  const folder = await temporaryFolder();
  const documented = await documentService(bank.url, embeddedContract);
  writeFileSync(join(folder, 'payments.json'), JSON.stringify(toPostman(documented, bank.url)));
  return folder;
}

function start(command: string, folder: string, environment: Readonly<Record<string, string>> = {}) {
  return spawn('sh', ['-c', command], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      ADMIN_PORT: '0',
      ...environment,
    },
  });
}

export async function run(command: string, folder: string, input = '', environment = {}) {
  const child = start(command, folder, environment);
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { output, errors, code: code as number };
}

/** Starts a gateway until the test ends; resolves with its URL. */
export async function serve(command: string, folder: string, environment = {}): Promise<string> {
  const gateway = start(command, folder, environment);
  onTestFinished(async () => {
    gateway.kill('SIGINT');
    await once(gateway, 'close');
  });
  gateway.stderr.resume();
  return new Promise<string>((resolve) => {
    let output = '';
    gateway.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /"url":"(http:[^"]+)"/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
}

/** The answer to the query of docs/import.md. */
export async function ask(url: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', svcprivatekey: 'demo-key' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}
