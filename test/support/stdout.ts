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
