import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIdempotency, type Kept } from '../../src/upstream/idempotency.ts';
import type { IdempotencyStore, Intent } from '../../src/upstream/idempotency-store.ts';
import { createLifetime } from '../../src/upstream/lifetime.ts';
import { createSeal } from '../../src/upstream/seal.ts';
import { openSqliteStore } from '../../src/upstream/sqlite-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startGateway } from '../support/gateway.ts';

const intentOf = (input = 'input'): Intent => ({ input, deadline: Date.now() + 60_000, attempt: randomUUID() });

describe('a SQLite store', () => {
  const open = async () => {
    const file = join(await temporaryFolder(), 'keys.sqlite');
    const store = openSqliteStore(file);
    onTestFinished(store.close);
    return { file, store };
  };

  it('gives a key to the first attempt, and its entry to every other', async () => {
    const { file, store } = await open();
    const other = openSqliteStore(file);
    onTestFinished(other.close);
    const [first, second] = [intentOf(), intentOf()];
    expect(await store.claim('id', first)).toBeUndefined();
    expect(await other.claim('id', second)).toEqual({ ...first, state: 'pending' });
    expect(await store.claim('id', first)).toEqual({ ...first, state: 'pending' });
  });

  it('has recorded an intent whenever it gives a key', async () => {
    const { file, store } = await open();
    const intent = intentOf();
    const other = new DatabaseSync(file);
    // As if another process had taken the key just before the insert, and freed it just after.
    other.exec(`
      CREATE TABLE quicker (once); INSERT INTO quicker VALUES (1);
      CREATE TRIGGER quicker BEFORE INSERT ON entries WHEN EXISTS (SELECT once FROM quicker)
      BEGIN DELETE FROM quicker; SELECT RAISE(IGNORE); END`);
    other.close();
    expect(await store.claim('id', intent)).toBeUndefined();
    expect(await store.claim('id', intentOf())).toEqual({ ...intent, state: 'pending' });
  });

  it('lets no attempt settle or free the entry of another', async () => {
    const { store } = await open();
    const [mine, foreign] = [intentOf(), intentOf()];
    await store.claim('id', mine);
    await store.settle('id', { ...foreign, state: 'unknown' });
    await store.free('id', foreign.attempt);
    expect(await store.claim('id', foreign)).toEqual({ ...mine, state: 'pending' });
    await store.settle('id', { ...mine, state: 'answered', sealed: Buffer.from('sealed') });
    expect(await store.claim('id', foreign)).toMatchObject({ state: 'answered', attempt: mine.attempt });
    await store.free('id', mine.attempt);
    expect(await store.claim('id', foreign)).toBeUndefined();
  });

  it('has one secret for all that open it', async () => {
    const { file, store } = await open();
    const other = openSqliteStore(file);
    onTestFinished(other.close);
    expect(Buffer.from(store.ownSecret())).toHaveLength(32);
    expect(other.ownSecret()).toEqual(store.ownSecret());
    expect((await open()).store.ownSecret()).not.toEqual(store.ownSecret());
  });
});
