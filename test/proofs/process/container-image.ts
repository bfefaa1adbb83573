import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { startCommand, type RunningCommand } from '../../support/process.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const authorities = '/etc/ssl/certs/ca-certificates.crt';

export interface ContainerImage {
  /** What the image says of itself: user, environment, command, folder to start in. */
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Cmd: readonly string[];
    readonly WorkingDir: string;
  };
  /** Runs a command as the image's user on a read-only root file system, with the image's environment and these variables. */
  readonly run: (command: readonly string[], environment?: Readonly<Record<string, string>>) => RunningCommand;
}

/**
 * Builds the Dockerfile with Buildah, which as root needs no daemon; the image is removed when the test ends. The base
 * comes from a registry of images, so another one takes its place: this Node, npm, a shell and the C library.
 */
export async function buildImage(): Promise<ContainerImage> {
  const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-image-'));
  const buildah = async (...args: readonly string[]): Promise<string> => {
    const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
    const { stdout } = await execute('buildah', [...store, ...args], { maxBuffer: 1 << 26 });
    return stdout.trim();
  };
  onTestFinished(async () => {
    await buildah('rm', '--all');
    await buildah('rmi', '--all', '--force');
    await rm(folder, { recursive: true, force: true });
  });
  const scratch = await buildah('from', 'scratch');
  await buildah('copy', '--quiet', scratch, await createBase(join(folder, 'base')), '/');
  await buildah('config', '--env', 'PATH=/usr/local/bin:/bin', '--env', `NODE_EXTRA_CA_CERTS=${authorities}`, scratch);
  await buildah('commit', '--quiet', scratch, 'localhost/node');
  // npm opens more files at once than the 1,024 that a build is given; it finds its packages in this machine's cache.
  const { stdout: cache } = await execute('npm', ['config', 'get', 'cache']);
  await mkdir(cache.trim(), { recursive: true });
  const shared = ['--ulimit', 'nofile=16384:16384', '--volume', `${cache.trim()}:/root/.npm`];
  const chrooted = ['--isolation', 'chroot', '--network', 'host', '--pull-never', ...shared];
  await buildah('build', ...chrooted, '--build-arg', 'NODE_IMAGE=localhost/node', '--tag', 'localhost/image', root);
  const container = await buildah('from', '--pull-never', 'localhost/image');
  const { OCIv1 } = JSON.parse(await buildah('inspect', container)) as {
    readonly OCIv1: { readonly config: ContainerImage['config'] };
  };
  const files = await buildah('mount', container);
  return {
    config: OCIv1.config,
    run: (command, environment = {}) => {
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      const start = [...OCIv1.config.Env, ...variables, 'sh', '-c', `cd ${OCIv1.config.WorkingDir} && exec "$@"`, 'sh'];
      const chroot = ['chroot', `--userspec=${OCIv1.config.User}`, files, '/bin/env', '-i', ...start, ...command];
      const mounts = `mount --bind ${files} ${files} && mount -o remount,bind,ro ${files} && mount -t proc proc ${files}/proc`;
      return startCommand('unshare', ['--mount', 'sh', '-c', `${mounts} && exec "$@"`, 'sh', ...chroot]);
    },
  };
}

/** A root file system with what the build's steps call: sh and its programs (static, so without libraries), node, npm. */
async function createBase(base: string): Promise<string> {
  const take = async (from: string, to = from): Promise<void> => {
    await mkdir(dirname(join(base, to)), { recursive: true });
    await copyFile(from, join(base, to));
  };
  for (const empty of ['proc', 'tmp', 'root']) await mkdir(join(base, empty), { recursive: true });
  await take('/bin/busybox');
  await execute('chroot', [base, '/bin/busybox', '--install', '-s', '/bin']);
  await take(process.execPath, '/usr/local/bin/node');
  const { stdout: libraries } = await execute('ldd', [process.execPath]);
  for (const [library] of libraries.matchAll(/\/lib\S+/g)) await take(library);
  const { stdout: modules } = await execute('npm', ['root', '--global']);
  await cp(join(modules.trim(), 'npm'), join(base, '/usr/local/lib/npm'), { recursive: true });
  await symlink('../lib/npm/bin/npm-cli.js', join(base, '/usr/local/bin/npm'));
  await chmod(join(base, '/usr/local/lib/npm/bin/npm-cli.js'), 0o755);
  await mkdir(join(base, 'usr/bin'));
  await symlink('/bin/env', join(base, 'usr/bin/env'));
  await take(authorities);
  await take('/etc/resolv.conf');
  const { stdout: registry } = await execute('npm', ['config', 'get', 'registry']);
  await writeFile(join(base, 'root/.npmrc'), `registry=${registry.trim()}\nprefer-offline=true\n`);
  await writeFile(join(base, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  return base;
}
