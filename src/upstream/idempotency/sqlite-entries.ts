import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { plainCause } from '../../domain/errors.ts';
import {
  clockStepMs,
  continueClock,
  lifetimeMs,
  storeError,
  type Entry,
  type IdempotencyStore,
  type Intent,
  type StoreFault,
} from './store.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS entries (
    id TEXT PRIMARY KEY, input TEXT NOT NULL, deadline INTEGER NOT NULL, attempt TEXT NOT NULL, state TEXT NOT NULL,
    sealed BLOB, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at);
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY CHECK (one = 1), moment INTEGER NOT NULL) STRICT;
`;

/**
 * Time limits for another process's lock. An outcome waits longer than a claim, whose client can retry. A claim behind
 * another one waits twice as long, and must still end as `locked` before it ends as `slow`.
 */
const settleBusyMs = 5_000;
const claimBusyMs = 180;

/** SQLite's result codes that have a fault of their own; every other code counts as `away`. */
const faultsByCode: ReadonlyMap<number, StoreFault> = new Map([
  [5, 'locked'],
  [6, 'locked'],
  [11, 'corrupt'],
  [13, 'full'],
  [26, 'corrupt'],
]);

/** The cause where the path leads to another file, log or index than those that were opened. */
const fileReplaced = 'FILE_REPLACED';

/** An entry as SQLite returns it. */
type StoredEntry = Omit<Entry, 'sealed'> & { readonly sealed: Uint8Array | null };

/** A command of the store, as it is sent to the thread. */
export type SqliteCommand = {
  readonly [Name in CommandName]: { readonly name: Name; readonly args: Parameters<IdempotencyStore[Name]> };
}[CommandName];
type CommandName = Exclude<keyof IdempotencyStore, 'close'>;

/** Whether a command records how an attempt ended: a refusal frees its key. */
export function isOutcome({ name }: SqliteCommand): boolean {
  return name === 'settle' || name === 'free';
}

export type SqliteReply = { readonly value: Entry | undefined } | SqliteFailure;

/** `cause`: SQLite's extended result code (`SQLITE_778`), or the code of another error. */
export interface SqliteFailure {
  readonly fault: StoreFault;
  readonly cause?: string | undefined;
}

/**
 * Opens the file; throws if the path no longer leads to `file`, the identity of an earlier opening. A commit
 * is on disk before its commands are answered (`synchronous = FULL`), so a killed process loses none.
 */
export function openEntries(path: string, file = path === ':memory:' ? '' : createFile(path)) {
  if (file !== '' && identityOf(path) !== file) throw storeError('away', fileReplaced);
  const database = new DatabaseSync(path, { timeout: settleBusyMs });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec(schema);
  const perform = prepareCommands(database);
  const location = database.location() ?? path;
  const [log, index] = [`${location}-wal`, `${location}-shm`];
  const identify = (...paths: readonly string[]): string => (file === '' ? '' : paths.map(identityOf).join(' '));
  const [identity, indexIdentity] = [identify(path, log), identify(index)];
  const performAlone = (command: SqliteCommand): SqliteReply => {
    try {
      return { value: perform(command) };
    } catch (error) {
      // Some errors of SQLite end the transaction, and with it what the other commands have changed.
      if (!database.isTransaction) throw error;
      return toFailure(error);
    }
  };
  return {
    /** Runs the commands in one transaction. One that fails leaves the others as they are. */
    run: (commands: readonly SqliteCommand[]): readonly SqliteReply[] => {
      const busyMs = commands.every(isOutcome) ? settleBusyMs : claimBusyMs;
      try {
        // Without the index that all processes share, a write would overwrite what others have added to the log.
        if (identify(index) !== indexIdentity) throw storeError('away', fileReplaced);
        database.exec(`PRAGMA busy_timeout = ${busyMs}; BEGIN IMMEDIATE`);
        const replies = commands.map(performAlone);
        database.exec('COMMIT');
        // No other process finds what was recorded in a file, or its log, that has been moved or deleted.
        if (identify(path, log) !== identity) throw storeError('away', fileReplaced);
        return replies;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        const failure = toFailure(error);
        return commands.map(() => failure);
      }
    },
    ownSecret: ownSecretOf(database),
    file,
    close: (): void => database.close(),
  };
}

/** The commands, within a transaction. */
function prepareCommands(database: DatabaseSync): (command: SqliteCommand) => Entry | undefined {
  const find = database.prepare(
    'SELECT input, deadline, attempt, state, sealed FROM entries WHERE id = ? AND expires_at > ?',
  );
  // Few at once: to delete all that expired since the last claim may take seconds, for which every claim would be refused.
  const forgetExpired = database.prepare(
    'DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE expires_at <= ? LIMIT 10)',
  );
  /** An entry that it replaces has expired. */
  const insert = database.prepare(
    "INSERT OR REPLACE INTO entries (id, input, deadline, attempt, state, expires_at) VALUES (?, ?, ?, ?, 'pending', ?)",
  );
  const update = database.prepare(
    'UPDATE entries SET state = ?, sealed = ?, expires_at = ? WHERE id = ? AND attempt = ?',
  );
  const remove = database.prepare('DELETE FROM entries WHERE id = ? AND attempt = ?');
  const now = createStoreClock(database);
  const claim = (id: string, { input, deadline, attempt }: Intent): Entry | undefined => {
    const row = find.get(id, now()) as unknown as StoredEntry | undefined; // the columns that the statement names
    if (row !== undefined) {
      const { sealed, ...entry } = row;
      return sealed === null ? entry : { ...entry, sealed };
    }
    forgetExpired.run(now());
    const { changes } = insert.run(id, input, deadline, attempt, now() + lifetimeMs('pending'));
    if (Number(changes) !== 1) throw storeError('away');
    return undefined;
  };
  return ({ name, args }) => {
    if (name === 'claim') return claim(...args);
    if (name !== 'settle') return void remove.run(...args);
    const [id, { attempt, state, sealed }] = args;
    return void update.run(state, sealed ?? null, now() + lifetimeMs(state), id, attempt);
  };
}

/** A secret kept in the file, created at first use. */
function ownSecretOf(database: DatabaseSync): Uint8Array {
  const insertSecret = "INSERT INTO secrets (name, value) VALUES ('fingerprint', ?) ON CONFLICT (name) DO NOTHING";
  database.prepare(insertSecret).run(randomBytes(32));
  const secret = database.prepare("SELECT value FROM secrets WHERE name = 'fingerprint'").get();
  return (secret as { readonly value: Uint8Array }).value; // inserted by this or another process
}

/** The store's own time, which begins as the clock of the first process to open the file. */
function createStoreClock(database: DatabaseSync): () => number {
  database.prepare('INSERT INTO clock VALUES (1, ?) ON CONFLICT DO NOTHING').run(Date.now());
  const read = database.prepare('SELECT moment FROM clock');
  const advance = database.prepare('UPDATE clock SET moment = ?1 WHERE moment < ?1');
  const stored = (): number => Number(read.get()?.['moment']);
  const processClock = continueClock(stored());
  return () => {
    const [storedMs, processMs] = [stored(), processClock()];
    if (processMs - storedMs >= clockStepMs) advance.run(processMs);
    return Math.max(storedMs, processMs);
  };
}

/** Reduces an error to its fault and code: a message may quote a path or a value. */
function toFailure(error: unknown): SqliteFailure {
  if (!(error instanceof Error && 'errcode' in error)) return { fault: 'away', cause: plainCause(error).message };
  const code = Number(error.errcode);
  const fault = faultsByCode.get(code & 0xff);
  return fault === undefined ? { fault: 'away', cause: `SQLITE_${code}` } : { fault };
}

/** Creates the file for the process's user alone; SQLite gives its log the same mode. Returns the file's identity. */
function createFile(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  return identityOf(path);
}

function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
