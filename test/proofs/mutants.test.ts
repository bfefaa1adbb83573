import { expect, it } from 'vitest';
import { mutants } from '../mutants/mutants.ts';
import { runMutants, summarize } from '../mutants/run.ts';
import { isFull, record } from './evidence.ts';

/** A run that is not full takes one in so many: one for each copy of the checkout. */
const step = isFull ? 1 : 600;

it('the tests notice the faults that are put into the source', { timeout: 3_600_000 }, async () => {
  const chosen = mutants.filter((_, index) => index % step === 0);
  const results = await runMutants(chosen);
  const { figure, unexplained, killed } = summarize(results);
  if (isFull) record('Faults put into the source by hand that a test notices', figure);
  expect(unexplained).toEqual([]);
  // Of a few, one that has its reason to survive is a fifth.
  const explained = isFull ? 0 : results.filter(({ mutant }) => mutant.survives !== undefined).length;
  expect(killed + explained).toBeGreaterThanOrEqual(0.95 * results.length);
});
