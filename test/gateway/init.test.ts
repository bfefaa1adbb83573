import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { initCommand } from '../../src/commands/init.ts';
import { readConfig } from '../../src/config/config.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ask, cli, commands, createFolder, run, serve } from '../support/import-walk.ts';
import { capture } from '../support/stdout.ts';

/** What Docker Compose would start, as this machine can: the image's command and environment, its files where they are. */
function readCompose(folder: string) {
  const { services } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'));
  const { gateway, ...others } = services;
  const image =
    readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? '';
  const [, command = '[]'] = /^CMD (.*)$/m.exec(image) ?? [];
  const variables = [...image.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
  const mounts = (gateway.volumes as readonly string[]).map((volume) => volume.split(':'));
  return { gateway, others, command: JSON.parse(command) as readonly string[], variables, mounts };
}

it('goes from a file to an answered query by the commands of docs/import.md, and by its compose file', async () => {
  const folder = await createFolder();
  const [importing = '', writing = '', serving = ''] = commands;
  expect(await run(importing, folder)).toMatchObject({ code: 0, errors: '' });
  expect(await run(writing, folder)).toMatchObject({ code: 0, errors: '' });
  expect(await ask(await serve(serving, folder))).toMatchObject({
    data: { customers: { nodes: [{ balance: { value: { currency: 'NGN' } } }, { firstName: expect.any(String) }] } },
  });
  const { gateway, others, command, variables, mounts } = readCompose(folder);
  const keys = ['image', 'env_file', 'environment', 'volumes', 'ports', 'read_only'];
  expect([Object.keys(gateway).toSorted(), others]).toEqual([keys.toSorted(), {}]);
  expect(gateway.ports).toEqual([`127.0.0.1:4000:${readConfig({}).port}`]);
  expect(mounts).toEqual([['./contract.yaml', gateway.environment.UPSTREAM_CONTRACT, 'ro']]);
  const environment = Object.fromEntries(
    [...variables, ...readFileSync(join(folder, gateway.env_file), 'utf8').trim().split('\n')].map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name, value.join('=')];
    }),
  );
  const [[source = '', target] = []] = mounts;
  expect(gateway.environment).toEqual({ UPSTREAM_CONTRACT: target });
  const url = await serve(
    `exec "${process.execPath}" ${command.slice(1).join(' ').replace('dist/cli.js', cli)}`,
    folder,
    { ...environment, UPSTREAM_CONTRACT: resolve(folder, source), HOST: '127.0.0.1' },
  );
  expect(await ask(url)).toMatchObject({ data: { customers: { nodes: [{ id: expect.any(String) }, {}] } } });
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
}, 60_000);

it('writes what a check finds where there is no file', async () => {
  const { url, close } = await startDialectOne();
  onTestFinished(close);
  const folder = await temporaryFolder();
  const init = `exec "${process.execPath}" "${cli}" init --yes --url ${url} --unit minor --currency NGN`;
  const credentials = { CHECK_BEARER: 'demo-token', CHECK_PRIVATE_KEY: 'demo-key' };
  expect(await run(init, folder, '', credentials)).toMatchObject({
    code: 1,
    output: expect.stringContaining('contradicted'),
  });
  const { rows } = parse(readFileSync(join(folder, 'contract.yaml'), 'utf8'));
  expect(rows).toMatchObject({
    'money.unit': 'minor',
    'money.currency': 'NGN',
    'customer.firstName': expect.any(Array),
  });
  const again = await run(`${init} --force`, await temporaryFolder());
  expect(again).toMatchObject({ code: 0, errors: '' });
}, 60_000);

it('refuses what cannot be, repeats no secret and writes nothing', async () => {
  const folder = await createFolder();
  for (const [options, fault] of [
    ['--unit cents --currency NGN', 'money.unit: allowed'],
    ['--unit major --currency ABC', 'money.currency: allowed'],
    ['--unit major', 'init needs --currency'],
    ['--unit major --currency NGN --url http://user:secret@127.0.0.1', '--url: allowed'],
  ] as const) {
    const args = ['--file', join(folder, 'payments.json'), '--yes', ...options.split(' ')];
    const [refusal] = await capture(() =>
      initCommand(args, () => readConfig({})).catch((error: Error) => error.message),
    );
    expect(refusal).toContain(fault);
    expect(refusal).not.toContain('secret');
  }
  expect(existsSync('contract.yaml')).toBe(false);
});
