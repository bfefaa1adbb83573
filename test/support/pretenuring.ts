import { getHeapSpaceStatistics } from 'node:v8';

/** Run by itself, with `--expose-gc --max-semi-space-size=1`: how many bytes of what it makes last are old from then on. */
const [module] = process.argv.slice(2);
if (module !== undefined) await import(module);

const make = (index: number): unknown => [index, [index]];
const fill = (kept: unknown[], count: number): void => {
  for (let index = 0; index < count; index += 1) kept[index % kept.length] = make(index);
};
const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

// Nearly all of it lives through two young collections, as what waits for a service does.
const kept: unknown[] = Array.from({ length: 50_000 });
for (let round = 0; round < 100; round += 1) fill(kept, kept.length);
globalThis.gc?.();
const before = oldBytes();
fill(kept, 2_000);
console.log(oldBytes() - before);
