import { execFileSync, spawn } from 'node:child_process';
import fs, { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOutput } from '../../src/runtime/log-output.ts';
import { startCommand } from '../support/process.ts';

const lineLength = 100;

/** Lines that begin with their number. */
function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${String(index).padEnd(lineLength - 1, ' ☃')}\n`);
}

/** A pipe that takes 64 KiB and then refuses, instead of keeping its writer waiting, until it is read. */
function openPipe(): { readonly descriptor: number; readonly read: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'output-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  const bytes = Buffer.alloc(1 << 16);
  const taken: Buffer[] = [];
  return {
    descriptor,
    read: () => {
      try {
        taken.push(Buffer.from(bytes.subarray(0, readSync(descriptor, bytes))));
      } catch {
        // Nothing there at the moment.
      }
      return Buffer.concat(taken).toString('utf8');
    },
  };
}

/** The text of a program that writes so many lines and ends as it is told. */
const programOf = (end: string, lines = 100, descriptor = 1): string => `
  import { createOutput } from "./src/runtime/log-output.ts";
  const write = createOutput(${descriptor});
  for (let index = 0; index < ${lines}; index += 1) write(index + " " + "x".repeat(400) + "\\n");
  ${end}`;

/** A program of 100 lines, its standard output where a shell sends it. */
function startWriter(end: string, redirection = '') {
  const program = programOf(end);
  return startCommand('bash', ['-c', `exec node --input-type=module --eval '${program}' ${redirection}`]);
}

describe('the output of the log', () => {
  it.each(['process.exit(3)', 'process.exitCode = 3', 'setTimeout(() => process.exit(3), 80)'])(
    'has every line in its order when the process ends by %s',
    async (end) => {
      const run = startWriter(end);
      expect(await run.exited).toBe(3);
      const lines = run.output().trim().split('\n');
      expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(Array.from({ length: 100 }, (_, index) => index));
    },
  );

  it.each(['process.exit(3)', 'setTimeout(() => process.exit(3), 80)'])(
    'keeps no process from ending by %s where nothing can be written',
    async (end) => {
      expect(await startWriter(end, '> /dev/full').exited).toBe(3);
      expect(await startWriter(end, '> >(exit)').exited).toBe(3);
    },
  );

  it('waits for a reader that is slow, and loses nothing', async () => {
    const { descriptor, read } = openPipe();
    const write = createOutput(descriptor);
    const lines = numbered(5_000);
    for (const line of lines) write(line);
    const text = lines.join('');
    await expect.poll(() => read() === text, { timeout: 5_000, interval: 5 }).toBe(true);
  });

  it('waits for it when the process ends, too', async () => {
    const { descriptor, read } = openPipe();
    const options = ['--input-type=module', '--eval', programOf('process.exit()', 1_000, 3)];
    spawn(process.execPath, options, { stdio: ['ignore', 'inherit', 'inherit', descriptor] });
    // More seldom than the process tries to write, so that it finds the pipe full.
    await expect.poll(read, { timeout: 10_000, interval: 40 }).toMatch(/^999 x{400}\n$/m);
  });

  it('is written later where it cannot be written now', async () => {
    const { descriptor, read } = openPipe();
    const write = createOutput(descriptor);
    vi.spyOn(fs, 'writeSync').mockImplementationOnce(() => {
      throw new Error('ENOSPC');
    });
    syncBuiltinESMExports();
    const text = `${'x'.repeat(20_000)}\n`;
    write(text);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    await expect.poll(read).toBe(text);
  });

  it('drops what is more than a mebibyte, and tells how many lines that were', async () => {
    const { descriptor, read } = openPipe();
    const write = createOutput(descriptor);
    const lines = numbered(20_000);
    for (const line of lines) write(line);
    await expect.poll(read, { timeout: 10_000, interval: 5 }).toContain('log lines dropped');
    const told = read().trimEnd().split('\n');
    const { lines: dropped, ...line } = JSON.parse(told.pop() ?? '') as { readonly lines: number };
    expect(line).toMatchObject({ level: 40, msg: 'log lines dropped' });
    expect(`${told.join('\n')}\n` === lines.slice(0, told.length).join('')).toBe(true);
    expect(told.length + dropped).toBe(lines.length);
    write('the next line\n');
    await expect.poll(read).toMatch(/the next line\n$/);
    expect(read().match(/log lines dropped/g)).toHaveLength(1);
  });
});
