import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSqliteStore } from '../../../src/upstream/idempotency/sqlite-store.ts';
import { lifetimeMs, type IdempotencyStore, type StoreEvent } from '../../../src/upstream/idempotency/store.ts';
import { watchStore } from '../../../src/upstream/idempotency/watched-store.ts';
import { createGate } from '../../support/create.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startGateway } from '../../support/gateway.ts';
import { changeStore, holdLock, intentOf, openInFile } from './store.ts';
import { testEntries } from './store-tests.ts';

/** What became of commands that were given at once: `done`, or the code of the error. */
const endsOf = (commands: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  Promise.all(
    commands.map((command) =>
      command.then(
        () => 'done',
        (error: { readonly code: string }) => error.code,
      ),
    ),
  );

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `id-${index}`);
const claimAll = (store: IdempotencyStore, count: number) =>
  endsOf(ids(count).map((id) => store.claim(id, intentOf())));

/** The entries of a file, as another process reads them. */
function entriesIn(file: string): readonly Readonly<Record<string, unknown>>[] {
  const reader = new DatabaseSync(file, { readOnly: true });
  const entries = reader.prepare('SELECT id, state FROM entries ORDER BY id').all();
  reader.close();
  return entries;
}

describe('a SQLite store', () => {
  testEntries(async () => {
    const { file, store } = await openInFile();
    const other = await openSqliteStore(file);
    onTestFinished(other.close);
    return [store, other];
  });

  it.each(['answered', 'unknown', 'pending'] as const)(
    'forgets what is %s when its time is over, and not before',
    async (state) => {
      const { file, store } = await openInFile();
      const intent = intentOf();
      await store.claim('id', intent);
      await store.settle('id', { ...intent, state });
      const age = (ms: number): void => changeStore(file, `UPDATE entries SET expires_at = expires_at - ${ms}`);
      age(lifetimeMs(state) - 60_000);
      expect(await store.claim('id', intentOf())).toEqual({ ...intent, state });
      age(60_000);
      expect(await store.claim('id', intentOf())).toBeUndefined();
    },
  );

  it('keeps answers for 72 hours and everything else for 30 days', () => {
    expect((['answered', 'unknown', 'pending'] as const).map((state) => lifetimeMs(state) / 3_600_000)).toEqual([
      72, 720, 720,
    ]);
  });

  it('deletes few of many expired entries at a claim, which must not hold the lock for long', async () => {
    const { file, store } = await openInFile();
    await claimAll(store, 30);
    changeStore(file, 'UPDATE entries SET expires_at = 0');
    expect(await store.claim('id-29', intentOf())).toBeUndefined();
    expect(entriesIn(file)).toHaveLength(20);
  });

  it('records commands that come together by few writes to the disk, and refuses none of four hundred claims', async () => {
    const { file, store } = await openInFile();
    const messages = vi.spyOn(Worker.prototype, 'emit');
    onTestFinished(() => messages.mockRestore());
    expect(new Set(await claimAll(store, 400))).toEqual(new Set(['done']));
    expect(entriesIn(file)).toHaveLength(400);
    expect(messages.mock.calls.filter(([event]) => event === 'message').length).toBeLessThan(40);
  });

  it('refuses commands at once beyond ten thousand that wait', async () => {
    const { file, store } = await openInFile();
    const release = holdLock(file);
    const waiting = claimAll(store, 10_000);
    expect(await endsOf([store.claim('one more', intentOf())])).toEqual(['STORE_SLOW']);
    release();
    await waiting;
    expect(await store.claim('another', intentOf())).toBeUndefined();
  });

  it('keeps the order of commands: a key that is freed first can be claimed', async () => {
    const { store } = await openInFile();
    const intent = intentOf();
    await store.claim('id', intent);
    const [, entry] = await Promise.all([store.free('id', intent.attempt), store.claim('id', intentOf())]);
    expect(entry).toBeUndefined();
  });

  it.each([
    ['fails', '', "SELECT RAISE(ABORT, '')"],
    ['ends their transaction', '', "SELECT RAISE(ROLLBACK, '')"],
    [
      'lets no commit pass',
      'CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);',
      'INSERT INTO child VALUES (1)',
    ],
  ])('records exactly the commands that it answers, where one of them %s', async (_, tables, statement) => {
    const { file, store } = await openInFile();
    changeStore(
      file,
      `${tables} CREATE TRIGGER bad BEFORE INSERT ON entries WHEN NEW.id = 'id-2' BEGIN ${statement}; END`,
    );
    const ends = await claimAll(store, 5);
    expect(ends[2]).toMatch(/^SQLITE_\d+$/);
    const recorded = new Set(entriesIn(file).map(({ id }) => id));
    expect(ids(5).map((id) => recorded.has(id))).toEqual(ends.map((end) => end === 'done'));
  });

  it('answers a claim when it is on the disk: another process finds every one', async () => {
    const { file, store } = await openInFile();
    const missing: string[] = [];
    await Promise.all(
      ids(50).map(async (id) => {
        await store.claim(id, intentOf());
        if (!entriesIn(file).some((entry) => entry['id'] === id)) missing.push(id);
      }),
    );
    expect(missing).toEqual([]);
  });

  it('tells a lock from a damaged file', async () => {
    const { file, store } = await openInFile();
    const release = holdLock(file);
    expect(await endsOf([store.claim('id', intentOf())])).toEqual(['STORE_LOCKED']);
    release();
    changeStore(file, 'DROP TABLE entries');
    expect(await endsOf([store.claim('id', intentOf())])).toEqual(['SQLITE_1']);
  });

  it.each([':memory:', 'keys.sqlite'])('does all that it was asked before it is closed: %s', async (name) => {
    const store = await openSqliteStore(name === ':memory:' ? name : join(await temporaryFolder(), name));
    const claiming = claimAll(store, 20);
    const closed = store.close();
    expect(new Set(await claiming)).toEqual(new Set(['done']));
    await closed;
    expect(await endsOf([store.claim('id', intentOf())])).toEqual(['THREAD_ENDED']);
  });

  it('refuses what was on its way to a thread that has ended, and everything after it', async () => {
    const { file, store } = await openInFile();
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => posted.mockRestore());
    const release = holdLock(file);
    const ends = endsOf([store.claim('id', intentOf())]);
    await (posted.mock.contexts[0] as Worker).terminate(); // what the spied method belongs to
    release();
    expect([...(await ends), ...(await claimAll(store, 1))]).toEqual(['THREAD_ENDED', 'THREAD_ENDED']);
  });

  it('has one secret for all that open it, and a file for its user alone', async () => {
    const { file, store } = await openInFile();
    const other = await openSqliteStore(file);
    onTestFinished(other.close);
    expect(Buffer.from(store.ownSecret)).toHaveLength(32);
    expect(other.ownSecret).toEqual(store.ownSecret);
    expect((await openInFile()).store.ownSecret).not.toEqual(store.ownSecret);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is let go of by a server that cannot listen', async () => {
    const folder = await temporaryFolder();
    const upstream = 'http://127.0.0.1:9';
    const holder = await startGateway({ upstream });
    const environment = { PORT: new URL(holder.url).port, IDEMPOTENCY_STORE: `sqlite:${join(folder, 'keys.sqlite')}` };
    await expect(startGateway({ upstream, environment })).rejects.toThrow('EADDRINUSE');
    // The last one to let go takes the write-ahead log with it.
    expect(await readdir(folder)).toEqual(['keys.sqlite']);
  });
});

describe('a watched store', () => {
  it('refuses a claim that takes longer than its client waits, and reports it', async () => {
    const store = await openSqliteStore(':memory:');
    onTestFinished(store.close);
    const gate = createGate();
    const events: StoreEvent[] = [];
    const slow: IdempotencyStore = { ...store, claim: () => gate.pass().then(() => undefined) };
    const claiming = watchStore(slow, (event) => events.push(event)).claim('id', intentOf());
    await expect(claiming).rejects.toMatchObject({ code: 'STORE_SLOW' });
    expect(events).toMatchObject([{ command: 'claim', fault: 'slow' }]);
    gate.open();
  });

  it('takes no answer for late that only waits for a busy process to read it', async () => {
    const { file, store } = await openInFile();
    const claiming = watchStore(store, () => {}).claim('id', intentOf());
    const busyUntil = performance.now() + 450;
    while (entriesIn(file).length === 0 || performance.now() < busyUntil);
    await expect(claiming).resolves.toBeUndefined();
  });
});
