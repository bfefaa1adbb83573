import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** In memory where the system has such a place: a disk that other work keeps busy makes a store late. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** An empty folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(parent, 'settlement-graph-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** All bytes of all files of a folder, one character each. */
export async function bytesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

/** Those of the texts that stand in the bytes, as they are, in hexadecimal or in Base64. */
export function foundIn(bytes: string, texts: readonly string[]): readonly string[] {
  const lower = bytes.toLowerCase();
  return texts.filter((text) => {
    const plain = Buffer.from(text);
    return lower.includes(text.toLowerCase()) || lower.includes(plain.toString('hex')) || hasBase64(bytes, plain);
  });
}

/** Base64 writes a text in three ways, by where it stands in what was encoded; its first and last letters may mix with others. */
function hasBase64(bytes: string, plain: Buffer): boolean {
  return [0, 1, 2].some((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), plain])
      .toString('base64')
      .replaceAll('=', '');
    const certain = encoded.slice(offset === 0 ? 0 : offset + 1, -1);
    return bytes.includes(certain) || bytes.includes(certain.replaceAll('+', '-').replaceAll('/', '_'));
  });
}
