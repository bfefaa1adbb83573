import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCommand, type RunningCommand } from '../support/process.ts';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;
const node = join(root, 'node_modules/.bin/node');

/** A copy of the program, as a repository of its own where `git` has made one. */
async function copyProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-schema-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const part of ['src', 'schema.graphql', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'tag.gpgSign=false'];
  await run('git', ['-C', folder, ...identity, ...args]);
}

async function release(folder: string, tag: string): Promise<void> {
  await git(folder, 'add', 'schema.graphql');
  await git(folder, 'commit', '--no-gpg-sign', '--allow-empty', '-m', tag);
  await git(folder, 'tag', tag);
}

async function changeSchema(folder: string, text: string, replacement: string): Promise<void> {
  const file = join(folder, 'schema.graphql');
  await writeFile(file, (await readFile(file, 'utf8')).replace(text, replacement));
}

function check(folder: string, environment: Readonly<Record<string, string>> = {}): RunningCommand {
  return startCommand(node, ['src/cli.ts', 'schema', 'check'], { cwd: folder, environment });
}

describe('settlement-graph schema check', () => {
  it('passes and says so in one line where no release is tagged', async () => {
    const folder = await copyProgram();
    await git(folder, 'init', '--quiet');
    await git(folder, 'commit', '--no-gpg-sign', '--allow-empty', '-m', 'Start');
    await git(folder, 'tag', 'not-a-release');
    const checked = check(folder);
    expect(await checked.exited).toBe(0);
    expect(checked.output()).toBe('Not compared: no release is tagged here yet (v1.2.3).\n');
  });

  it('passes where nothing has changed since the release, and lists what is dangerous', async () => {
    const folder = await copyProgram();
    await git(folder, 'init', '--quiet');
    await release(folder, 'v1.0.0');
    const unchanged = check(folder);
    expect(await unchanged.exited).toBe(0);
    expect(unchanged.output()).toBe('Since v1.0.0: 0 breaking, 0 dangerous.\n');

    await changeSchema(folder, '  REJECTED\n', '  REJECTED\n  LATER\n');
    const changed = check(folder);
    expect(await changed.exited).toBe(0);
    expect(changed.output()).toBe(
      'dangerous  LATER was added to enum type BankingUserErrorCode.\nSince v1.0.0: 0 breaking, 1 dangerous.\n',
    );
  });

  it('fails on a breaking change since the newest release, whatever older ones and candidates had', async () => {
    const folder = await copyProgram();
    await git(folder, 'init', '--quiet');
    await release(folder, 'v0.9.0');
    await release(folder, 'v1.9.0');
    await changeSchema(folder, '  email: String\n', '  email: String\n  title: String\n');
    await release(folder, 'v1.10.0');
    await changeSchema(folder, '  title: String\n', '');
    await release(folder, 'v1.11.0-rc.1');
    const checked = check(folder);
    expect(await checked.exited).toBe(1);
    expect(checked.output()).toBe('breaking   Customer.title was removed.\nSince v1.10.0: 1 breaking, 0 dangerous.\n');
  });

  it('passes and says why where there is no git, no clone, or a clone of something else', async () => {
    const folder = await copyProgram();
    const outside = check(folder);
    const without = check(folder, { PATH: '/nowhere' });
    expect([await outside.exited, await without.exited]).toEqual([0, 0]);
    expect(outside.output()).toBe(
      'Not compared: this is no clone of settlement-graph, and only a clone has its release tags.\n',
    );
    expect(without.output()).toBe('Not compared: git is not installed, and the last release is known by its tag.\n');

    const project = await mkdtemp(join(tmpdir(), 'settlement-graph-project-'));
    onTestFinished(() => rm(project, { recursive: true, force: true }));
    await git(project, 'init', '--quiet');
    await git(project, 'commit', '--no-gpg-sign', '--allow-empty', '-m', 'Start');
    await git(project, 'tag', 'v3.0.0');
    await cp(folder, join(project, 'installed'), { recursive: true });
    const installed = check(join(project, 'installed'));
    expect(await installed.exited).toBe(0);
    expect(installed.output()).toBe(outside.output());
  });
});
