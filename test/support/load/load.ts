import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface LoadOptions {
  readonly url: string;
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Requests a second by the clock; without one each of `concurrency` workers asks as soon as it was answered. */
  readonly rate?: number;
  /** The most connections at a time. */
  readonly concurrency: number;
  /** So many private keys, which the workers of a closed loop send in turn. */
  readonly callers?: number;
}

export interface LoadResult {
  readonly sent: number;
  /** `OK`, error codes and connection faults, counted. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** From the first request to the last answer. */
  readonly goodPerSecond: number;
  readonly goodMs: { readonly p50: number; readonly p99: number };
  readonly refusedMs: { readonly p50: number; readonly p99: number };
}

const run = promisify(execFile);

/** Puts load on a gateway from a process of its own, so that neither slows the other's clock. */
export const putLoad = (options: LoadOptions): Promise<LoadResult> => startLoad(options).result;

/** The same, with a function that ends it before its time. */
export function startLoad(options: LoadOptions): { readonly result: Promise<LoadResult>; readonly stop: () => void } {
  const running = run('node', [join(import.meta.dirname, 'generator.ts'), JSON.stringify(options)], {
    maxBuffer: 1 << 20,
  });
  return {
    result: running.then(({ stdout }) => JSON.parse(stdout) as LoadResult),
    stop: () => running.child.kill('SIGTERM'),
  };
}
