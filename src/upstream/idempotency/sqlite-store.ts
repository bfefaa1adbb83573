import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { plainCause } from '../../domain/errors.ts';
import { lifetimeMs, type Entry, type IdempotencyStore } from './store.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS entries (
    id TEXT PRIMARY KEY, input TEXT NOT NULL, deadline INTEGER NOT NULL, attempt TEXT NOT NULL, state TEXT NOT NULL,
    sealed BLOB, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at);
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
`;

/** A row as SQLite gives it. */
type Row = Omit<Entry, 'sealed'> & { readonly sealed: Uint8Array | null };

export interface SqliteStore extends IdempotencyStore {
  /** A secret kept in the file, created at first use, for development without FINGERPRINT_SECRET. */
  readonly ownSecret: () => Uint8Array;
}

/**
 * Keys in a SQLite file, shared by the processes of one machine. A commit is on the disk before it is told
 * (`synchronous = FULL`), so a killed process loses none. `:memory:` remembers for the process's own life.
 */
export function openSqliteStore(path: string): SqliteStore {
  const database = openDatabase(path);
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
  const findSecret = database.prepare("SELECT value FROM secrets WHERE name = 'fingerprint'");
  const insertSecret = database.prepare(
    "INSERT INTO secrets (name, value) VALUES ('fingerprint', ?) ON CONFLICT (name) DO NOTHING",
  );

  const findEntry = (id: string): Entry | undefined => {
    const row = find.get(id, Date.now()) as unknown as Row | undefined; // the columns that the statement names
    if (row === undefined) return undefined;
    const { sealed, ...entry } = row;
    return sealed === null ? entry : { ...entry, sealed };
  };

  return {
    claim: async (id, { input, deadline, attempt }) => {
      for (;;) {
        const found = findEntry(id);
        if (found !== undefined) return found;
        forgetExpired.run(Date.now());
        const { changes } = insert.run(id, input, deadline, attempt, Date.now() + lifetimeMs('pending'));
        // Else another process was quicker: there is its entry, or, where it has freed that, the key to be claimed.
        if (Number(changes) === 1) return undefined;
      }
    },
    settle: async (id, { attempt, state, sealed }) => {
      update.run(state, sealed ?? null, Date.now() + lifetimeMs(state), id, attempt);
    },
    free: async (id, attempt) => {
      remove.run(id, attempt);
    },
    ownSecret: () => {
      insertSecret.run(randomBytes(32));
      return (findSecret.get() as { readonly value: Uint8Array }).value; // inserted by this or another process
    },
    close: async () => database.close(),
  };
}

function openDatabase(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') createFile(path);
    const database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    database.exec(schema);
    return database;
  } catch (error) {
    throw new Error(`IDEMPOTENCY_STORE: ${path} could not be opened (${plainCause(error).message}).`, { cause: error });
  }
}

/** Readable by the process's user only; SQLite gives its log file the same mode. */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}
