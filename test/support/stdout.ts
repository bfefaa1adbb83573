import { onTestFinished, vi } from 'vitest';

/** What a command of this process comes to, and what it writes to standard output, which nobody sees. */
export async function capture<Value>(command: () => Promise<Value>): Promise<readonly [value: Value, out: string]> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const value = await command();
  const out = write.mock.calls.map(([text]) => String(text)).join('');
  write.mockRestore();
  return [value, out];
}

/** What this process writes to standard error from now on, which nobody sees, as a terminal or piped. */
export function watchErrors(isTTY: boolean) {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { isTTY: before } = process.stderr;
  process.stderr.isTTY = isTTY;
  onTestFinished(() => {
    vi.restoreAllMocks();
    process.stderr.isTTY = before;
  });
  return { lines: () => error.mock.calls.join(), progress: () => write.mock.calls.join() };
}
