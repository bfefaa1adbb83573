import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startCommand } from '../support/process.ts';

const root = new URL('../..', import.meta.url).pathname;
const released = 'src/commands/schema.released.graphql';

/** What a copy of the program says, and its exit code, when the text of one of its files is another. */
async function checkWith(
  change: (folder: string) => Promise<void>,
  ...commands: readonly string[]
): Promise<readonly [code: number | null, said: string]> {
  const folder = await temporaryFolder();
  for (const part of ['src', 'schema.graphql', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, released), `# 1.10.0\n${await readFile(join(root, 'schema.graphql'), 'utf8')}`);
  await change(folder);
  const environment = { PATH: '/nowhere' }; // neither git nor tags
  const node = join(root, 'node_modules/.bin/node');
  let code: number | null = 0;
  let said = '';
  for (const command of [...commands, 'check']) {
    const done = startCommand(node, ['src/cli.ts', 'schema', command], { cwd: folder, environment });
    code = await done.exited;
    said += done.output();
  }
  return [code, said];
}

const replace = (file: string, text: string | RegExp, replacement: string) => async (folder: string) => {
  const path = join(folder, file);
  await writeFile(path, (await readFile(path, 'utf8')).replace(text, replacement));
};

describe('settlement-graph schema check', () => {
  it.each([
    ['passes where nothing has changed', async () => {}, 0, ''],
    [
      'lists what is dangerous',
      replace('schema.graphql', '  REJECTED\n', '  REJECTED\n  LATER\n'),
      0,
      'dangerous  LATER was added to enum type BankingUserErrorCode.\n',
    ],
    [
      'fails on a breaking change',
      replace(released, '  status: String\n', '  status: String\n  title: String\n'),
      1,
      'breaking   Customer.title was removed.\n',
    ],
  ])('%s', async (_, change, code, changes) => {
    const [exitCode, said] = await checkWith(change);
    const [breaking, dangerous] = ['breaking', 'dangerous'].map((kind) => (changes.startsWith(kind) ? 1 : 0));
    expect([exitCode, said]).toEqual([code, `${changes}Since 1.10.0: ${breaking} breaking, ${dangerous} dangerous.\n`]);
  });

  it('passes and says why where the last release’s schema is missing, as in an installed package', async () => {
    const [code, said] = await checkWith((folder) => rm(join(folder, released)));
    expect([code, said.startsWith(`Not compared: there is no ${released}`)]).toEqual([0, true]);
  });

  const raise = replace('package.json', /"version": ".*?"/, '"version": "2.0.0-rc.1"');
  const breakIt = replace(released, '  status: String\n', '  status: String\n  title: String\n');

  it('passes after a breaking change was released, under a version of its own', async () => {
    const [code, said] = await checkWith(async (folder) => {
      await breakIt(folder);
      await raise(folder);
    }, 'release');
    expect([code, said]).toEqual([
      0,
      'The schema of 2.0.0-rc.1 is now what later ones are compared with.\nSince 2.0.0-rc.1: 0 breaking, 0 dangerous.\n',
    ]);
  });

  it('fails as before where a release was tried without raising the version, which writes nothing', async () => {
    const [code, said] = await checkWith(async (folder) => {
      await breakIt(folder);
      await raise(folder);
      await replace(released, '# 1.10.0', '# 2.0.0-rc.1')(folder);
    }, 'release');
    expect(code).toBe(1);
    expect(said).toMatch(
      /^Nothing was written: 2\.0\.0-rc\.1 is released already.*\nbreaking   Customer\.title was removed/,
    );
  });

  it('compares with the schema that is committed', async () => {
    const checked = startCommand('node', ['src/cli.ts', 'schema', 'check']);
    expect(await checked.exited).toBe(0);
    expect(checked.output()).toMatch(/^Since \d+\.\d+\.\d+: 0 breaking/m);
  });
});
