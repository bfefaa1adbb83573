import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { plainHeader, plainUrl, toEnvironmentFile } from '../../src/commands/init.ts';
import { readConfig } from '../../src/config/config.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ask, cli, commands, createFolder, run, serve } from './vendor/import-walk.ts';

const init = `exec "${process.execPath}" "${cli}" init --yes --force`;

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
  const [importing = '', mapping = '', writing = '', serving = ''] = commands;
  for (const command of [importing, mapping]) expect(await run(command, folder)).toMatchObject({ code: 0, errors: '' });
  expect(await run(writing, folder)).toMatchObject({ code: 0, errors: '' });
  expect(await ask(await serve(serving, folder))).toMatchObject({
    data: { customers: { nodes: [{ balance: { value: { currency: 'NGN' } } }, { firstName: expect.any(String) }] } },
  });
  const { gateway, others, command, variables, mounts } = readCompose(folder);
  const keys = ['image', 'env_file', 'environment', 'volumes', 'ports', 'read_only', 'stop_grace_period'];
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
  const asking = `exec "${process.execPath}" "${cli}" init`;
  const credentials = { CHECK_BEARER: 'demo-token', CHECK_PRIVATE_KEY: 'demo-key' };
  const first = await run(asking, folder, 'payments.json\n\n\nmajor\nNGN\n', credentials);
  expect(first.code).toBe(0);
  expect(first.output).toMatch(/ confirmed, 0 contradicted, /);
  const written = ['contract.yaml', '.env.example', 'compose.yaml'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  expect(written.join('\n') + first.output).not.toMatch(/demo-(?:token|key)/);
  const again = await run(`${asking} --file payments.json --unit minor --currency NGN --yes`, folder);
  expect(again).toMatchObject({ code: 2, output: '', errors: expect.stringMatching(/--force/) });
  expect(readFileSync(join(folder, 'contract.yaml'), 'utf8')).toBe(written[0]);
}, 60_000);

it('writes what a check finds where there is no file', async () => {
  const { url, close } = await startDialectTwo();
  onTestFinished(close);
  const folder = await temporaryFolder();
  const options = `--url ${url} --unit minor --currency NGN`;
  const credentials = { CHECK_BEARER: 'demo-token', CHECK_PRIVATE_KEY: 'demo-key' };
  expect(await run(`${init} ${options}`, folder, '', credentials)).toMatchObject({
    code: 1,
    output: expect.stringContaining('contradicted'),
  });
  const { rows } = parse(readFileSync(join(folder, 'contract.yaml'), 'utf8'));
  expect(rows).toMatchObject({
    'money.unit': 'minor',
    'money.currency': 'NGN',
    'envelope.success': ['/code'],
  });
  const again = await run(`${init} ${options}`, await temporaryFolder());
  expect(again).toMatchObject({ code: 0, errors: '' });
}, 60_000);

it('asks again after an answer that is not allowed, until it is', async () => {
  const folder = await createFolder();
  const answers = [
    ['missing.json', 'payments.json'],
    ['https://a;date', ''],
    ['Content-Type', 'X_PRIVATE_KEY'],
    ['', 'null', 'major'],
    ['ABC', 'NGN'],
  ];
  const { code, output, errors } = await run(
    `exec "${process.execPath}" "${cli}" init`,
    folder,
    `${answers.flat().join('\n')}\n`,
  );
  expect([code, errors]).toEqual([0, '']);
  expect(output.match(/cannot be read|init needs --unit|--\w+: allowed: [\w ]{10}/g)).toEqual([
    'cannot be read',
    '--url: allowed: an http or',
    '--header: allowed: a header n',
    'init needs --unit',
    '--unit: allowed: major or m',
    '--currency: allowed: an ISO 421',
  ]);
  expect(readFileSync(join(folder, '.env.example'), 'utf8')).toMatch(/^PRIVATE_KEY_HEADER=X_PRIVATE_KEY$/m);
}, 60_000);

it.each([
  ['--unit cents --currency NGN', /--unit: allowed: major or minor/],
  ['--unit major', /init needs --currency/],
  ['--unit major --currency NGN --url http://user:secret@127.0.0.1', /--url: allowed/],
  ['--unit major --currency NGN --header Authorization', /PRIVATE_KEY_HEADER_IN: must differ/],
  ['--unit major --currency NGN --file missing.json', /missing\.json: cannot be read/],
])(
  'refuses %s and writes nothing',
  async (options, fault) => {
    const folder = await createSmallFolder('https://payments.example.com');
    const { code, errors } = await run(`${init} --file api.json ${options}`, folder);
    expect([code, errors]).toEqual([2, expect.stringMatching(fault)]);
    expect(errors).not.toMatch(/secret@/);
    expect(readdirSync(folder)).toEqual(['api.json']);
  },
  60_000,
);

it('takes no server of a file that a shell would run', async () => {
  const folder = await createSmallFolder('https://x;touch pwned;y.example/v1');
  const { code, errors } = await run(`${init} --file api.json --unit major --currency NGN`, folder);
  expect([code, errors]).toEqual([2, 'init needs --url.\n']);
  expect(readdirSync(folder)).toEqual(['api.json']);
}, 60_000);

it.each([
  'https://x;date;y.example/v1',
  'https://x$(date).example',
  "https://a'b.example",
  'https://x&date.example',
  'https://x.example/a$(date)',
  'https://x.example/a;date',
  "https://x.example/a'b",
  'https://x.example/?a=b',
  'https://user:secret@x.example',
  'file:///etc/passwd',
  'embedded',
])('refuses the address %s', (url) => {
  expect(plainUrl.safeParse(url).success).toBe(false);
});

it.each(['Content-Type', 'X`date`', 'X$HOME', "X'Y", 'X|Y', 'X&Y', 'X#Y', 'X Y', ''])(
  'refuses the header %s',
  (name) => {
    expect(plainHeader.safeParse(name).success).toBe(false);
  },
);

it('writes values that every reader of .env.example takes as they are', async () => {
  const folder = await temporaryFolder();
  const [url, header] = [plainUrl.parse('https://[::1]:8443/a~b/%20c/'), plainHeader.parse('X_PRIVATE.KEY-1')];
  const file = toEnvironmentFile(url, header);
  writeFileSync(join(folder, '.env.example'), file);
  const shown = await run('. ./.env.example; printf "%s %s" "$UPSTREAM_URL" "$PRIVATE_KEY_HEADER"', folder);
  expect(shown).toEqual({ code: 0, errors: '', output: 'https://[::1]:8443/a~b/%20c X_PRIVATE.KEY-1' });
  expect(file).toMatch(/^(?:[A-Z_]+=[\w./:~%[\]-]+\n){3}$/);
});

/** A folder with an OpenAPI file of one list. */
async function createSmallFolder(server: string): Promise<string> {
  const folder = await temporaryFolder();
  const file = { openapi: '3.0.0', servers: [{ url: server }], paths: { '/customers': { get: {} } } };
  writeFileSync(join(folder, 'api.json'), JSON.stringify(file));
  return folder;
}

it('asks which endpoint an operation is that has candidates, until the answer is one', async () => {
  const folder = await temporaryFolder();
  const paths = {
    '/clients': { get: { summary: 'List clients' } },
    '/customers': { get: { summary: 'List customers' } },
  };
  const file = { openapi: '3.0.0', servers: [{ url: 'https://payments.example.com' }], paths };
  writeFileSync(join(folder, 'api.json'), JSON.stringify(file));
  const answers = 'api.json\nGET /nowhere\n2\n\n\nmajor\nNGN\n';
  const { output } = await run(`exec "${process.execPath}" "${cli}" init`, folder, answers);
  expect(output).toMatch(/Which is listCustomers\?\n {2}1 {2}GET \/clients\n {2}2 {2}GET \/customers\n/);
  expect(output).toMatch(/found no such endpoint in the file/);
  expect(readFileSync(join(folder, 'contract.yaml'), 'utf8')).toMatch(/listCustomers\.path: \/customers\n/);
}, 60_000);
