import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { freeUrl } from '../../support/ports.ts';

/** Whether proofs with Redis can run. Where they must, as in CI, its absence is their failure and no reason to skip them. */
export const mayUseRedis = spawnSync('redis-server', ['--version']).status === 0 || process.env['CI'] === 'true';

/** What a Redis needs for keys not to be forgotten. */
export const durable = { appendonly: 'yes', appendfsync: 'always', 'maxmemory-policy': 'noeviction' };

export interface RedisServer {
  readonly url: string;
  /** The environment of a gateway that keeps its keys there. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Kills it, and resolves when it has gone. */
  readonly kill: () => Promise<void>;
  /** Starts it again after a kill, on the same port, from the same files, until it writes a text. */
  readonly restart: (until?: string) => Promise<void>;
}

/** Passes connections on to a Redis; `moveTo` leads the next ones to another one, as an address does after a failover. */
export async function startRelay(to: string) {
  let target = to;
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), '127.0.0.1');
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moveTo: (url: string) => void (target = url),
  };
}

/** A Redis of the test's own on a free port, its files in a folder of its own; both go with the test. */
export async function startRedis(settings: Readonly<Record<string, string>> = durable): Promise<RedisServer> {
  const folder = await temporaryFolder();
  const { port } = new URL(await freeUrl());
  const all = { port, bind: '127.0.0.1', dir: folder, save: '', daemonize: 'no', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const start = async (until = 'Ready to accept connections') => {
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ready = Promise.withResolvers<undefined>();
    let output = '';
    child.once('error', ready.reject);
    child.once('exit', () => ready.reject(new Error(`redis-server ended: ${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (output.includes(until)) ready.resolve(undefined);
    });
    await ready.promise;
    return child;
  };
  let running = await start();
  onTestFinished(() => void running.kill('SIGKILL'));
  const url = `redis://127.0.0.1:${port}`;
  return {
    url,
    environment: { IDEMPOTENCY_STORE: url, FINGERPRINT_SECRET: 'an obviously fake secret of text' },
    folder,
    signal: (name) => void running.kill(name),
    kill: async () => {
      const exited = once(running, 'exit');
      running.kill('SIGKILL');
      await exited;
    },
    restart: async (until) => {
      running = await start(until);
    },
  };
}
