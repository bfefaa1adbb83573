import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { startCommand } from '../../support/process.ts';

const root = new URL('../../..', import.meta.url).pathname;
const released = 'src/commands/schema.released.graphql';

it('schema check lists what is dangerous, fails on what breaks, and passes once that was released under a version of its own', async () => {
  const folder = await temporaryFolder();
  for (const part of ['src', 'schema.graphql', 'package.json'])
    await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const schema = await readFile(join(root, 'schema.graphql'), 'utf8');
  const change = async (file: string, text: string | RegExp, replacement: string) => {
    const path = join(folder, file);
    await writeFile(path, (await readFile(path, 'utf8')).replace(text, replacement));
  };
  const run = async (command: string) => {
    const environment = { PATH: '/nowhere' }; // neither git nor tags
    const done = startCommand(join(root, 'node_modules/.bin/node'), ['src/cli.ts', 'schema', command], {
      cwd: folder,
      environment,
    });
    return [await done.exited, done.output()];
  };
  await writeFile(join(folder, released), `# 1.10.0\n${schema}`);
  await change('schema.graphql', '  REJECTED\n', '  REJECTED\n  LATER\n');
  const dangerous = 'dangerous  LATER was added to enum type BankingUserErrorCode.\n';
  expect(await run('check')).toEqual([0, `${dangerous}Since 1.10.0: 0 breaking, 1 dangerous.\n`]);
  await change(released, '  status: String\n', '  status: String\n  title: String\n');
  const breaking = 'breaking   Customer.title was removed.\n';
  const both = [1, `${breaking}${dangerous}Since 1.10.0: 1 breaking, 1 dangerous.\n`];
  expect(await run('check')).toEqual(both);
  await change('package.json', /"version": ".*?"/, '"version": "1.10.0"');
  expect(await run('release')).toEqual([
    1,
    expect.stringMatching(/^Nothing was written: 1\.10\.0 is released already/),
  ]);
  expect(await run('check')).toEqual(both);
  await change('package.json', /"version": ".*?"/, '"version": "2.0.0-rc.1"');
  expect((await run('release'))[0]).toBe(0);
  expect(await run('check')).toEqual([0, 'Since 2.0.0-rc.1: 0 breaking, 0 dangerous.\n']);
  await rm(join(folder, released));
  expect(await run('check')).toEqual([2, expect.stringMatching(/^Not compared: /)]);
});
