import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

/** Debian keeps nginx where only root looks. */
const path = `${process.env['PATH']}:/usr/sbin`;
const started = new Set<ChildProcess>();
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its output goes. */
  readonly output: string;
}

process.once('exit', () => {
  for (const child of started) child.kill();
});

/** Starts a program that ends with this one; as this one does where it ends before it is stopped. */
export function start(command: string, args: readonly string[], { environment = {}, output }: StartOptions): number {
  const log = openSync(output, 'a');
  const child = spawn(command, args, {
    env: { ...process.env, PATH: path, HTTP_PROXY: '', http_proxy: '', ...environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.once('exit', () => {
    if (!started.has(child)) return;
    console.error(`${command} ${args.join(' ')} has ended:\n${readFileSync(output, 'utf8').slice(-2000)}`);
    process.exit(1);
  });
  endWithThis(child);
  if (child.pid === undefined) throw new Error(`${command} does not start`);
  return child.pid;
}

export function endWithThis(child: ChildProcess): void {
  started.add(child);
  child.once('exit', () => started.delete(child));
}

/** Ends programs started here, all of them where none is named, and waits until they have ended. */
export async function stop(...pids: readonly number[]): Promise<void> {
  const ending = [...started].filter(({ pid }) => pids.length === 0 || (pid !== undefined && pids.includes(pid)));
  await Promise.all(
    ending.map(async (child) => {
      started.delete(child);
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
    }),
  );
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore', env: { PATH: path } });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'; // a program that is there may dislike the question
  }
}

/** CPU time of processes so far in microseconds, user and system, all their threads. */
export function cpuTimeUs(...pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuTimeOf(pid), 0);
}

function cpuTimeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is one
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves once a request is answered, with the time that took. */
export async function answered(ask: () => Promise<Response>): Promise<number> {
  const begunAt = performance.now();
  while (performance.now() - begunAt < 60_000) {
    const answer = await ask().catch(() => undefined);
    if (answer?.ok === true) return performance.now() - begunAt;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('no answer within a minute');
}
