import { assert, asyncProperty, array, constantFrom, double, integer, oneof, tuple } from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createHistogram } from '../../src/telemetry/bucket-histogram.ts';

const shape = { name: 'seconds', help: 'How long.', buckets: [0.005, 0.1, 1, 10] };

it("shows what prom-client's own histogram shows", async () => {
  const values = oneof(
    double({ min: 0, max: 20, noNaN: true }),
    integer({ min: -1, max: 11 }),
    constantFrom(0.005, 0.1),
  );
  await assert(
    asyncProperty(array(tuple(constantFrom('read', 'a "quoted\\\n one'), values)), async (observed) => {
      const [own, theirs] = [new Registry(), new Registry()];
      const ownHistogram = createHistogram(own, { ...shape, label: 'kind' });
      const theirHistogram = new Histogram({ ...shape, labelNames: ['kind'], registers: [theirs] });
      for (const [kind, value] of observed) {
        ownHistogram.observe(kind, value);
        theirHistogram.observe({ kind }, value);
      }
      expect(await Registry.merge([own]).metrics()).toBe(await Registry.merge([theirs]).metrics());
    }),
  );
});
