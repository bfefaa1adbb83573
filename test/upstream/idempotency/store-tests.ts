import { expect, it } from 'vitest';
import type { IdempotencyStore } from '../../../src/upstream/idempotency/store.ts';
import { intentOf } from './store.ts';

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
