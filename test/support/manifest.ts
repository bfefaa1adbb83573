import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';

export const hashOf = (body: string) => hash('sha256', body, 'hex');

/** A manifest's text as Apollo's `generate-persisted-query-manifest` writes it. */
export function manifestOf(bodies: readonly string[]): string {
  return JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: bodies.map((body, index) => ({ id: hashOf(body), name: `Operation${index}`, type: 'query', body })),
  });
}

/** A file that is gone with the test. */
export async function writeTemporary(name: string, text: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, name), text);
  return join(folder, name);
}
