import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../support/pretenuring.ts', import.meta.url));
const heap = new URL('../../src/runtime/v8-heap.ts', import.meta.url).href;

it('has no place in the code make its objects old', () => {
  const bytesMadeOld = (...modules: readonly string[]): number =>
    Number(execFileSync(process.execPath, ['--expose-gc', '--max-semi-space-size=1', script, ...modules]));
  expect(bytesMadeOld()).toBeGreaterThan(100_000);
  expect(bytesMadeOld(heap)).toBeLessThan(10_000);
});
