import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { openSqliteStore } from '../../../src/upstream/idempotency/sqlite-store.ts';
import type { Intent } from '../../../src/upstream/idempotency/store.ts';
import { temporaryFolder } from '../../support/folder.ts';

export const intentOf = (input = 'input'): Intent => ({ input, deadline: Date.now() + 60_000, attempt: randomUUID() });

/** A store in a file of its own; both go with the test. */
export async function openInFile() {
  const file = join(await temporaryFolder(), 'keys.sqlite');
  const store = await openSqliteStore(file);
  onTestFinished(store.close);
  return { file, store };
}

/** Holds the file's lock, as another process does, until the returned function is called. */
export function holdLock(file: string): () => void {
  const holder = new DatabaseSync(file);
  holder.exec('BEGIN IMMEDIATE');
  return () => holder.close();
}

/** Runs a statement in the file, as another process does. */
export function changeStore(file: string, statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}
