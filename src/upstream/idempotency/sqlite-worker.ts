/** The thread of a SQLite store: opens the file, carries out commands and replies to them. */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { plainCause } from '../../domain/errors.ts';
import type { SqliteCommand, SqliteReply } from './sqlite-store.ts';
import { lifetimeMs, type Entry, type StoreFault } from './store.ts';

/** Time limit for another process's lock. A claim that waits behind one command must still end before it is `slow`. */
const busyMs = 180;
/** Maximum number of commands in a transaction, which holds the file's lock, for which other processes wait. */
const maxGroupLength = 200;

/** SQLite's result codes that have a fault of their own; every other code counts as `away`. */
const faultsByCode: ReadonlyMap<number, StoreFault> = new Map([
  [5, 'locked'],
  [6, 'locked'],
  [11, 'corrupt'],
  [13, 'full'],
  [26, 'corrupt'],
]);

const database = new DatabaseSync(String(workerData), { timeout: busyMs });
// A commit is on the disk before its commands are answered, so a killed process loses none.
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
database.exec(`
  CREATE TABLE IF NOT EXISTS entries (
    id TEXT PRIMARY KEY, input TEXT NOT NULL, deadline INTEGER NOT NULL, attempt TEXT NOT NULL, state TEXT NOT NULL,
    sealed BLOB, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at);
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
`);

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

/** Carries out a command within a transaction. */
function perform({ name, args }: SqliteCommand): Entry | undefined {
  const now = Date.now();
  if (name === 'free') return void remove.run(...args);
  if (name === 'settle') {
    const [id, { attempt, state, sealed }] = args;
    return void update.run(state, sealed ?? null, now + lifetimeMs(state), id, attempt);
  }
  const [id, { input, deadline, attempt }] = args;
  const row = find.get(id, now) as unknown as (Entry & { readonly sealed: Uint8Array | null }) | undefined; // its columns
  if (row !== undefined) {
    const { sealed, ...entry } = row;
    return sealed === null ? entry : { ...entry, sealed };
  }
  forgetExpired.run(now);
  insert.run(id, input, deadline, attempt, now + lifetimeMs('pending'));
  return undefined;
}

/** Carries out commands in one transaction, which shares its write to the disk: all or none. */
function performAll(commands: readonly SqliteCommand[]): readonly SqliteReply[] {
  try {
    database.exec('BEGIN IMMEDIATE');
    const replies = commands.map((command) => ({ id: command.id, value: perform(command) }));
    database.exec('COMMIT');
    return replies;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    const failure = toFailure(error);
    return commands.map(({ id }) => ({ id, ...failure }));
  }
}

/** Reduces an error to its fault and code: a message may quote a path or a value. */
function toFailure(error: unknown): { readonly fault: StoreFault; readonly cause?: string } {
  if (!(error instanceof Error && 'errcode' in error)) return { fault: 'away', cause: plainCause(error).message };
  const code = Number(error.errcode);
  const fault = faultsByCode.get(code & 0xff);
  return fault === undefined ? { fault: 'away', cause: `SQLITE_${code}` } : { fault };
}

/** A secret kept in the file, created at first use. */
function ownSecret(): unknown {
  const insertSecret = "INSERT INTO secrets (name, value) VALUES ('fingerprint', ?) ON CONFLICT (name) DO NOTHING";
  database.prepare(insertSecret).run(randomBytes(32));
  return database.prepare("SELECT value FROM secrets WHERE name = 'fingerprint'").get()?.['value'];
}

const port = parentPort as MessagePort; // a thread has one
port.on('message', (first: SqliteCommand | 'close') => {
  let message: SqliteCommand | 'close' | undefined = first;
  const commands: SqliteCommand[] = [];
  while (message !== undefined && message !== 'close') {
    commands.push(message);
    message = commands.length < maxGroupLength ? receiveMessageOnPort(port)?.message : undefined; // of sqlite-store.ts
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  if (commands.length > 0) port.postMessage(performAll(commands));
  if (message !== 'close') return;
  database.close();
  port.close();
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
port.postMessage(ownSecret());
