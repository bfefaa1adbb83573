/** The processes of a soak: each can be killed and started again, on the same port and files. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What it prints when it is ready; the first group is what `found` resolves with. */
  readonly ready: RegExp;
}

export interface SoakProcess {
  readonly child: () => ChildProcess;
  /** What the first group of `ready` matched. */
  readonly found: string;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export async function startProcess({ command, args, environment = {}, ready }: ProcessOptions): Promise<SoakProcess> {
  const start = async () => {
    const child = spawn(command, args, {
      env: { ...process.env, PORT: '0', ADMIN_PORT: '0', HTTP_PROXY: '', http_proxy: '', ...environment },
      stdio: ['ignore', 'pipe', 'inherit', ...(command === process.execPath ? (['ipc'] as const) : [])],
    });
    const printed = Promise.withResolvers<string>();
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (ready.test(output)) return; // read on, or the pipe would fill up
      output += chunk.toString('utf8');
      const match = ready.exec(output);
      if (match !== null) printed.resolve(match[1] ?? '');
    });
    child.once('exit', (code) => printed.reject(new Error(`${command} ended with ${code}: ${output}`)));
    return { child, found: await printed.promise };
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  let running = await start();
  process.once('exit', () => running.child.kill('SIGKILL'));
  return {
    child: () => running.child,
    found: running.found,
    restart: async () => {
      await end(running.child, 'SIGKILL');
      running = await start();
    },
    stop: () => end(running.child, 'SIGINT'),
  };
}
