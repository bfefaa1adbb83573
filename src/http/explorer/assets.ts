import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';

/** What `npm run build:explorer` has written, compressed: of a clone and of the package alike. */
const folder = join(import.meta.dirname, '../../../dist/explorer');

/** An operation with which the explorer opens before the embedded bank, whose data it names. */
interface Lesson {
  readonly query: string;
  readonly variables: object;
}

export function readLessons(): readonly Lesson[] {
  const text = gunzipSync(readAsset('lessons.yaml') ?? '').toString();
  return parse(text, { merge: true }) as readonly Lesson[]; // a file of our own
}

/** Reads a file of the page, compressed by gzip; undefined where there is none of this name. */
export function readAsset(name: string): Buffer | undefined {
  const isThere = existsSync(folder) && readdirSync(folder).includes(`${name}.gz`);
  return isThere ? readFileSync(join(folder, `${name}.gz`)) : undefined;
}
