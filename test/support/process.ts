import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Free ports, and no proxy of the machine on the way to a service of the test. */
const ownNetwork = { PORT: '0', ADMIN_PORT: '0', BANK_PORT: '0', HTTP_PROXY: '', http_proxy: '' };

const root = new URL('../..', import.meta.url).pathname;

export interface CommandOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Registers what ends the process; by default the end of the test does. */
  readonly atEnd?: (stop: () => void) => void;
}

export interface RunningCommand {
  /** Everything printed so far, standard output and error together. */
  readonly output: () => string;
  /** Resolves with the first match in the output; rejects, with the output, when the process ends before. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Signals the process and all that it has started. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Signals the process alone, as a supervisor does. */
  readonly signalFirst: (name: NodeJS.Signals) => void;
  /** The exit code, once all that was printed has been read; null where a signal ended it. */
  readonly exited: Promise<number | null>;
}

/** Starts a command in the project's folder, on free ports unless told otherwise; it is killed when the test ends, unless told otherwise. */
export function startCommand(
  command: string,
  args: readonly string[],
  { cwd = root, environment = {}, atEnd = onTestFinished }: CommandOptions = {},
): RunningCommand {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NODE_ENV: '', ...ownNetwork, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const watchers = new Set<() => void>();
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
    for (const watch of watchers) watch();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const signal = (name: NodeJS.Signals): void => {
    // A command that is not there has no process; 0 would stand for the group of the tests themselves.
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has ended already.
    }
  };
  atEnd(() => signal('SIGKILL'));
  return {
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          const match = pattern.exec(output);
          if (match === null) return;
          // Otherwise each chunk would copy all that was printed before, and the clock of a test would go slow.
          watchers.delete(watch);
          resolve(match);
        };
        watchers.add(watch);
        watch();
        void exited.then(() => reject(new Error(`ended without printing ${pattern}:\n${output}`)));
      }),
    signal,
    signalFirst: (name) => void child.kill(name),
    exited,
  };
}
