import { expect, it } from 'vitest';
import type { IdempotencyStore } from '../../src/upstream/idempotency/store.ts';
import { stopClock } from './clock.ts';
import { intentOf } from './store.ts';

const hourMs = 3_600_000;

/** The tests of whose an entry is; `openTwo` opens the same one twice, until the test's end. */
export function testEntries(openTwo: () => Promise<readonly [IdempotencyStore, IdempotencyStore]>): void {
  it('gives a key to the first attempt, and its entry to every other', async () => {
    const [store, other] = await openTwo();
    const [first, second] = [intentOf(), intentOf()];
    expect(await store.claim('id', first)).toBeUndefined();
    expect(await other.claim('id', second)).toEqual({ ...first, state: 'pending' });
    expect(await store.claim('id', first)).toEqual({ ...first, state: 'pending' });
  });

  it('lets no attempt settle or free the entry of another', async () => {
    const [store, other] = await openTwo();
    const [mine, foreign] = [intentOf(), intentOf()];
    await store.claim('id', mine);
    await other.settle('id', { ...foreign, state: 'unknown' });
    await other.free('id', foreign.attempt);
    expect(await other.claim('id', foreign)).toEqual({ ...mine, state: 'pending' });
    await store.settle('id', { ...mine, state: 'answered', sealed: Buffer.from('sealed') });
    const { sealed = [], ...entry } = (await other.claim('id', foreign)) ?? {};
    expect([entry, Buffer.from(sealed).toString()]).toEqual([{ ...mine, state: 'answered' }, 'sealed']);
    await store.free('id', mine.attempt);
    expect(await other.claim('id', foreign)).toBeUndefined();
  });
}

/** The tests of how long entries live; `open` opens a store in the test's own thread, whose clock is stopped. */
export function testLifetimes(open: () => Promise<IdempotencyStore>): void {
  it.each([
    ['answered', 72 * hourMs, 1],
    ['unknown', 30 * 24 * hourMs, 1],
    ['pending', 30 * 24 * hourMs, 2],
  ] as const)('forgets what is %s after so long, and not before', async (state, lifetimeMs, stepMs) => {
    const pass = stopClock();
    const store = await open();
    const intent = intentOf();
    await store.claim('id', intent);
    await store.settle('id', { ...intent, state });
    pass(lifetimeMs - 1);
    expect(await store.claim('id', intentOf())).toEqual({ ...intent, state });
    pass(stepMs);
    expect(await store.claim('id', intentOf())).toBeUndefined();
  });
}
