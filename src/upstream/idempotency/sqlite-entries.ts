import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lifetimeMs, storeError, type Entry, type Intent } from './store.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS entries (
    id TEXT PRIMARY KEY, input TEXT NOT NULL, deadline INTEGER NOT NULL, attempt TEXT NOT NULL, state TEXT NOT NULL,
    sealed BLOB, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at);
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY CHECK (one = 1), moment INTEGER NOT NULL) STRICT;
`;

/** Time limits for another process's lock. An outcome waits longer than a claim, whose client can retry. */
const settleBusyMs = 5_000;
const claimBusyMs = 300;
/** How far the stored time may fall behind. */
const clockStepMs = 60_000;

/** SQLite's result codes that have a fault of their own; every other code counts as `away`. */
const faultsByCode = { 5: 'locked', 6: 'locked', 11: 'corrupt', 13: 'full', 26: 'corrupt' } as const;

/** A row as SQLite gives it. */
type Row = Omit<Entry, 'sealed'> & { readonly sealed: Uint8Array | null };

/** The commands of an idempotency store on an open database, synchronous. They throw store errors. */
export type SqliteEntries = ReturnType<typeof openEntries>;

/** A commit is on the disk before a command returns (`synchronous = FULL`), so a killed process loses none. */
export function openEntries(path: string) {
  if (path !== ':memory:') createFile(path);
  const database = new DatabaseSync(path, { timeout: settleBusyMs });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec(schema);
  const find = database.prepare(
    'SELECT input, deadline, attempt, state, sealed FROM entries WHERE id = ? AND expires_at > ?',
  );
  const forgetExpired = database.prepare('DELETE FROM entries WHERE expires_at <= ?');
  const insert = database.prepare(
    `INSERT INTO entries (id, input, deadline, attempt, state, expires_at) VALUES (?, ?, ?, ?, 'pending', ?)
     ON CONFLICT (id) DO NOTHING`,
  );
  const update = database.prepare(
    'UPDATE entries SET state = ?, sealed = ?, expires_at = ? WHERE id = ? AND attempt = ?',
  );
  const remove = database.prepare('DELETE FROM entries WHERE id = ? AND attempt = ?');
  const now = createStoreClock(database);
  const within = <Value>(busyMs: number, work: () => Value): Value => {
    try {
      database.exec(`PRAGMA busy_timeout = ${busyMs}`);
      return work();
    } catch (error) {
      throw toStoreError(error);
    }
  };
  const findEntry = (id: string): Entry | undefined => {
    const row = find.get(id, now()) as unknown as Row | undefined; // the columns that the statement names
    if (row === undefined) return undefined;
    const { sealed, ...entry } = row;
    return sealed === null ? entry : { ...entry, sealed };
  };

  return {
    claim: (id: string, { input, deadline, attempt }: Intent): Entry | undefined =>
      within(claimBusyMs, () => {
        for (;;) {
          const found = findEntry(id);
          if (found !== undefined) return found;
          forgetExpired.run(now());
          const { changes } = insert.run(id, input, deadline, attempt, now() + lifetimeMs('pending'));
          // Else another process was quicker: there is its entry, or, where it has freed that, the key to be claimed.
          if (Number(changes) === 1) return undefined;
        }
      }),
    settle: (id: string, { attempt, state, sealed }: Entry): void =>
      within(settleBusyMs, () => void update.run(state, sealed ?? null, now() + lifetimeMs(state), id, attempt)),
    free: (id: string, attempt: string): void => within(claimBusyMs, () => void remove.run(id, attempt)),
    /** A secret kept in the file, created at first use. */
    ownSecret: (): Uint8Array => {
      const insertSecret = "INSERT INTO secrets (name, value) VALUES ('fingerprint', ?) ON CONFLICT (name) DO NOTHING";
      database.prepare(insertSecret).run(randomBytes(32));
      const secret = database.prepare("SELECT value FROM secrets WHERE name = 'fingerprint'").get();
      return (secret as { readonly value: Uint8Array }).value; // inserted by this or another process
    },
    close: (): void => database.close(),
  };
}

/**
 * The store's own time in milliseconds: it begins as the clock's and moves on only by what processes have seen pass, so
 * that no jump of a clock deletes a key. While no process runs it stands still: a key may live longer than promised.
 */
function createStoreClock(database: DatabaseSync): () => number {
  database.prepare('INSERT INTO clock VALUES (1, ?) ON CONFLICT DO NOTHING').run(Date.now());
  const read = database.prepare('SELECT moment FROM clock');
  const advance = database.prepare('UPDATE clock SET moment = ?1 WHERE moment < ?1');
  const stored = (): number => Number(read.get()?.['moment']);
  const base = stored() - performance.now();
  return () => {
    const moment = stored();
    const own = Math.floor(base + performance.now());
    if (own - moment >= clockStepMs) advance.run(own);
    return Math.max(moment, own);
  };
}

/** Reduces an error of SQLite to its fault: a message may quote a path or a value. */
function toStoreError(error: unknown): Error {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return storeError(faultsByCode[code as keyof typeof faultsByCode] ?? 'away'); // any other code is undefined
}

/** Readable by the process's user only; SQLite gives its log file the same mode. */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}
