import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { temporaryFolder } from '../support/folder.ts';
import { documentService, toPostman } from '../support/vendor-file.ts';

const cli = new URL('../../src/cli.ts', import.meta.url).pathname;
const page = readFileSync(new URL('../../docs/import.md', import.meta.url), 'utf8');
const commands = [...page.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command = '']) =>
  command.replace('npx settlement-graph', `exec "${process.execPath}" "${cli}"`),
);
const [, query = ''] = /```graphql\n(.*?)\n```/s.exec(page) ?? [];

/** A folder with a Postman file of a running bank. */
async function createFolder(): Promise<string> {
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
    env: { PATH: process.env['PATH'], PORT: '0', ADMIN_PORT: '0', ...environment },
  });
}

async function run(command: string, folder: string, input = '', environment = {}) {
  const child = start(command, folder, environment);
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { output, errors, code: code as number };
}

it('goes from a file to an answered query by the commands of docs/import.md', async () => {
  const folder = await createFolder();
  const [importing = '', writing = '', serving = ''] = commands;
  expect(await run(importing, folder)).toMatchObject({ code: 0, errors: '' });
  expect(await run(writing, folder)).toMatchObject({ code: 0, errors: '' });
  const gateway = start(serving, folder);
  onTestFinished(async () => {
    gateway.kill('SIGINT');
    await once(gateway, 'close');
  });
  gateway.stderr.resume();
  const url = await new Promise<string>((resolve) => {
    let output = '';
    gateway.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /"url":"(http:[^"]+)"/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', svcprivatekey: 'demo-key' },
    body: JSON.stringify({ query }),
  });
  expect(await response.json()).toMatchObject({
    data: { customers: { nodes: [{ balance: { value: { currency: 'NGN' } } }, { firstName: expect.any(String) }] } },
  });
}, 60_000);

it('asks in a terminal, checks with the credentials of the environment, writes no secret and never over a file', async () => {
  const folder = await createFolder();
  const init = `exec "${process.execPath}" "${cli}" init`;
  const credentials = { CHECK_BEARER: 'demo-token', CHECK_PRIVATE_KEY: 'demo-key' };
  const first = await run(init, folder, 'payments.json\n\n\nmajor\nNGN\n', credentials);
  expect(first.code).toBe(0);
  expect(first.output).toMatch(/ confirmed, 0 contradicted, /);
  const written = ['contract.yaml', '.env.example', 'compose.yaml'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  expect(written.join('\n') + first.output).not.toMatch(/demo-(?:token|key)/);
  const again = await run(`${init} --file payments.json --unit minor --currency NGN --yes`, folder);
  expect(again).toMatchObject({ code: 1, output: '', errors: expect.stringMatching(/--force/) });
  expect(readFileSync(join(folder, 'contract.yaml'), 'utf8')).toBe(written[0]);
});

it.each([
  ['--unit cents --currency NGN', /money\.unit: allowed/],
  ['--unit major --currency ABC', /money\.currency: allowed/],
  ['--unit major', /init needs --currency/],
  ['--unit major --currency NGN --url http://user:secret@127.0.0.1', /--url: allowed/],
])('refuses %s and writes nothing', async (options, fault) => {
  const folder = await createFolder();
  const { code, errors } = await run(
    `exec "${process.execPath}" "${cli}" init --file payments.json --yes ${options}`,
    folder,
  );
  expect([code, errors]).toEqual([1, expect.stringMatching(fault)]);
  expect(errors).not.toMatch(/secret@/);
  expect(existsSync(join(folder, 'contract.yaml'))).toBe(false);
});
