import { cp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGroups, type Job, type JobReply } from '../../src/upstream/idempotency/command-groups.ts';
import type { SqliteCommand } from '../../src/upstream/idempotency/sqlite-entries.ts';
import { openSqliteStore } from '../../src/upstream/idempotency/sqlite-store.ts';
import { claimTimeoutMs, type IdempotencyStore } from '../../src/upstream/idempotency/store.ts';
import { watchStore } from '../../src/upstream/idempotency/watched-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { changeStore, holdLock, intentOf, openInFile } from '../support/store.ts';

const deleteFiles = (file: string, endings: readonly string[]) =>
  Promise.all(endings.map((ending) => rm(file + ending, { force: true })));

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

describe('commands of a SQLite store at once', () => {
  const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `id-${index}`);
  const claimAll = (store: IdempotencyStore, count: number) =>
    endsOf(ids(count).map((id) => store.claim(id, intentOf())));

  it('are refused at once beyond ten thousand that wait', async () => {
    const { file, store } = await openInFile();
    const release = holdLock(file);
    const order: string[] = [];
    const waiting = claimAll(store, 10_000).then((ends) => (order.push('waiting'), ends));
    const refused = endsOf([store.claim('one more', intentOf())]).then((ends) => (order.push('one more'), ends));
    expect(await refused).toEqual(['STORE_SLOW']);
    release();
    await waiting;
    expect(order).toEqual(['one more', 'waiting']);
    expect(await store.claim('another', intentOf())).toBeUndefined();
  });

  it('are recorded together, by few writes to the disk, and none of four hundred claims has to be refused', async () => {
    const { file, store } = await openInFile();
    const heard = vi.spyOn(Worker.prototype, 'emit');
    onTestFinished(() => heard.mockRestore());
    expect(new Set(await claimAll(store, 400))).toEqual(new Set(['done']));
    const reader = new DatabaseSync(file, { readOnly: true });
    expect(reader.prepare('SELECT count(*) AS count FROM entries').get()).toEqual({ count: 400 });
    reader.close();
    const groups = heard.mock.calls.filter(([event]) => event === 'message');
    expect(groups.length).toBeGreaterThan(1);
    expect(groups.length).toBeLessThan(40);
  });

  it('keep their order: a key that is freed first can be claimed', async () => {
    const { store } = await openInFile();
    const intent = intentOf();
    await store.claim('id', intent);
    const [, entry] = await Promise.all([store.free('id', intent.attempt), store.claim('id', intentOf())]);
    expect(entry).toBeUndefined();
  });

  it('leave each other alone where one of them fails', async () => {
    const { file, store } = await openInFile();
    changeStore(
      file,
      "CREATE TRIGGER bad BEFORE INSERT ON entries WHEN NEW.id = 'id-2' BEGIN SELECT RAISE(ABORT, ''); END",
    );
    expect(await claimAll(store, 5)).toEqual(['done', 'done', 'SQLITE_1811', 'done', 'done']);
    expect((await store.claim('id-1', intentOf()))?.state).toBe('pending');
    changeStore(file, 'DROP TRIGGER bad');
    expect(await store.claim('id-2', intentOf())).toBeUndefined();
  });

  const parent = 'CREATE TABLE parent (id INTEGER PRIMARY KEY)';
  const child = 'CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)';
  it.each([
    ['ends their transaction', '', "SELECT RAISE(ROLLBACK, '')"],
    ['lets no commit pass', `${parent}; ${child};`, 'INSERT INTO child VALUES (1)'],
  ])('are none of them recorded where one of them %s', async (_, tables, statement) => {
    const { file, store } = await openInFile();
    changeStore(
      file,
      `${tables} CREATE TRIGGER bad BEFORE INSERT ON entries WHEN NEW.id = 'id-2' BEGIN ${statement}; END`,
    );
    // While one claim waits for the lock, the others gather.
    const release = holdLock(file);
    const first = endsOf([store.claim('first', intentOf())]);
    const claims = claimAll(store, 5);
    release();
    await first;
    const ends = await claims;
    expect(ends[2]).toMatch(/^SQLITE_\d+$/);
    changeStore(file, 'DROP TRIGGER bad');
    const entries = await Promise.all(ids(5).map((id) => store.claim(id, intentOf())));
    expect(entries.map((entry) => entry !== undefined)).toEqual(ends.map((end) => end === 'done'));
  });

  it('are answered after they are on the disk: what a copy of the files has lost, nobody was given', async () => {
    const { file, store } = await openInFile();
    const missing: string[] = [];
    await Promise.all(
      ids(100).map(async (id) => {
        await store.claim(id, intentOf());
        const reader = new DatabaseSync(file, { readOnly: true });
        if (reader.prepare('SELECT id FROM entries WHERE id = ?').get(id) === undefined) missing.push(id);
        reader.close();
      }),
    );
    expect(missing).toEqual([]);
  });

  it('wait for a lock each its own time: claims are refused, and the outcomes recorded when it ends', async () => {
    const { file, store } = await openInFile();
    const intent = intentOf();
    await store.claim('id', intent);
    const release = holdLock(file);
    expect(await endsOf([store.claim('id-0', intentOf())])).toEqual(['STORE_LOCKED']);
    // A claim that waits behind an outcome waits no longer than its client.
    const outcome = store.settle('id', { ...intent, state: 'unknown' });
    const second = endsOf([store.claim('id-1', intentOf())]);
    const watched = watchStore(store, () => {});
    await expect(watched.claim('id-2', intentOf())).rejects.toMatchObject({ code: 'STORE_SLOW' });
    await expect(watched.claim('id-3', intentOf())).rejects.toMatchObject({ code: 'STORE_SLOW' });
    release();
    await outcome;
    expect(await second).toEqual(['STORE_SLOW']);
    const reader = new DatabaseSync(file, { readOnly: true });
    expect(reader.prepare('SELECT id, state FROM entries').all()).toEqual([{ id: 'id', state: 'unknown' }]);
    reader.close();
    expect(await claimAll(store, 3)).toEqual(['done', 'done', 'done']);
  });

  it('that free a key after a refusal wait for a lock as outcomes do', async () => {
    const { file, store } = await openInFile();
    const intent = intentOf();
    await store.claim('id', intent);
    const release = holdLock(file);
    const freeing = endsOf([store.free('id', intent.attempt)]);
    await expect(watchStore(store, () => {}).claim('other', intentOf())).rejects.toMatchObject({ code: 'STORE_SLOW' });
    release();
    expect(await freeing).toEqual(['done']);
    expect(await store.claim('id', intentOf())).toBeUndefined();
  });

  it('let no claim, nor what frees one that failed, in front of an outcome more than once, and are done when late, but for claims', () => {
    const order: string[] = [];
    const replies: JobReply[] = [];
    const outcome = { ...intentOf(), state: 'unknown' } as const;
    const now = process.hrtime.bigint();
    const lateAt = now - BigInt(claimTimeoutMs + 1) * 1_000_000n;
    const claim = (id: number, sentAt = now): Job => ({
      id,
      command: { name: 'claim', args: [`id-${id}`, intentOf()] },
      sentAt,
    });
    const settle = (id: number): Job => ({
      id,
      command: { name: 'settle', args: [`id-${id}`, outcome] },
      sentAt: lateAt,
    });
    const remove = (name: 'free' | 'withdraw', id: number): Job => ({
      id,
      command: { name, args: [`id-${id}`, ''] },
      sentAt: lateAt,
    });
    const later = [claim(2), claim(3, lateAt), remove('withdraw', 4), settle(5), remove('free', 6)];
    // Undefined: nothing more has arrived yet.
    const arriving = [claim(1), undefined, undefined, ...later];
    const run = (commands: readonly SqliteCommand[]) => {
      order.push(commands.map(({ name }) => name).join(' '));
      return commands.map(() => ({ value: undefined }));
    };
    createGroups(
      run,
      () => arriving.shift(),
      (answered) => replies.push(...answered),
    )();
    expect(order).toEqual(['claim', 'settle free', 'claim withdraw']);
    expect(replies.toSorted(([a], [b]) => a - b)).toEqual([
      [1, { value: undefined }],
      [2, { value: undefined }],
      [3, { fault: 'slow' }],
      [4, { value: undefined }],
      [5, { value: undefined }],
      [6, { value: undefined }],
    ]);
  });

  it.each([':memory:', 'keys.sqlite'])('are all done before the store is closed: %s', async (name) => {
    const path = name === ':memory:' ? name : join(await temporaryFolder(), name);
    const store = await openSqliteStore(path);
    const claiming = claimAll(store, 20);
    const closed = store.close();
    expect(new Set(await claiming)).toEqual(new Set(['done']));
    await closed;
    expect(await endsOf([store.claim('id', intentOf())])).not.toEqual(['done']);
  });
});

describe('a SQLite store that loses its file or its thread', () => {
  it.each([
    ['deleted', 'ENOENT', async (file: string) => deleteFiles(file, ['', '-wal', '-shm'])],
    [
      'replaced by a copy',
      'FILE_REPLACED',
      async (file: string) => {
        await cp(file, `${file}.copy`);
        await rename(`${file}.copy`, file);
      },
    ],
    ['robbed of its log', 'ENOENT', async (file: string) => deleteFiles(file, ['-wal'])],
    ["robbed of its log's index", 'ENOENT', async (file: string) => deleteFiles(file, ['-shm'])],
  ])('gives no key while its file is %s, since another process would give it, too', async (_, cause, lose) => {
    const { file, store } = await openInFile();
    expect(await store.claim('id', intentOf())).toBeUndefined();
    await lose(file);
    expect(await endsOf([store.claim('id', intentOf()), store.claim('other', intentOf())])).toEqual([cause, cause]);
  });

  it('knows its keys again once the file is back', async () => {
    const { file, store } = await openInFile();
    const intent = intentOf();
    await store.claim('id', intent);
    await rename(file, `${file}.away`);
    await expect(store.claim('id', intentOf())).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(store.settle('id', { ...intent, state: 'unknown' })).rejects.toMatchObject({ code: 'ENOENT' });
    await rename(`${file}.away`, file);
    expect(await store.claim('id', intentOf())).toEqual({ ...intent, state: 'unknown' });
  });

  /** Ends the thread that runs the command, as want of memory does. */
  const endThreadOf = async (command: () => Promise<unknown>): Promise<void> => {
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => posted.mockRestore());
    void command();
    const [worker] = posted.mock.contexts;
    await (worker as Worker).terminate(); // what the spied method belongs to
  };

  it('starts another thread, and knows its keys', async () => {
    const { store } = await openInFile();
    const intent = intentOf();
    await store.claim('id', intent);
    await endThreadOf(() => endsOf([store.free('other', '')]));
    // A claim may be refused while the thread starts.
    const claim = () => store.claim('id', intentOf()).catch(() => undefined);
    await expect.poll(claim).toEqual({ ...intent, state: 'pending' });
    expect(await store.claim('other', intentOf())).toBeUndefined();
  });

  it('refuses the claims that were on their way, and goes on', async () => {
    const { file, store } = await openInFile();
    const release = holdLock(file);
    const ends: string[] = [];
    await endThreadOf(async () => ends.push(...(await endsOf([store.claim('id-0', intentOf())]))));
    release();
    await expect.poll(() => ends).toEqual(['THREAD_ENDED']);
    await expect.poll(() => endsOf([store.claim('id-0', intentOf())])).toEqual(['done']);
    expect((await store.claim('id-0', intentOf()))?.state).toBe('pending');
  });

  it('starts none where the file has gone, and makes no other one', async () => {
    const { file, store } = await openInFile();
    await store.claim('id', intentOf());
    await endThreadOf(() => endsOf([store.free('other', '')]));
    await deleteFiles(file, ['', '-wal', '-shm']);
    await expect(store.claim('id', intentOf())).rejects.toMatchObject({ code: 'THREAD_ENDED' });
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
