import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { maxBodyBytes } from './error-body.ts';

const [maxFileBytes, maxOperations] = [64 * 1024 * 1024, 10_000];
const idRule = 'the SHA-256 of `body`, in lower-case hex';

const operation = z
  .object({
    id: z.string(idRule),
    body: z
      .string('the text of a document')
      .refine((body) => Buffer.byteLength(body) <= maxBodyBytes, `at most ${maxBodyBytes} bytes`),
  })
  .refine(({ id, body }) => hash('sha256', body, 'hex') === id, { path: ['id'], message: idRule });

const manifest = z.object(
  {
    format: z.literal('apollo-persisted-query-manifest', '`apollo-persisted-query-manifest`'),
    version: z.literal(1, '1'),
    operations: z.array(operation, 'a list of operations').max(maxOperations, `at most ${maxOperations} operations`),
  },
  'JSON of at most 64 MiB',
);

/**
 * Reads a manifest in the format of Apollo's `generate-persisted-query-manifest`: the documents' texts by their SHA-256 in
 * hex. Throws one Error with a line for each fault and its path in the file; they quote no values.
 */
export function readManifest(file: string): ReadonlyMap<string, string> {
  const { data, error } = manifest.safeParse(parseFile(file));
  if (data !== undefined) return new Map(data.operations.map(({ id, body }) => [id, body]));
  const placeOf = (path: readonly PropertyKey[]): string => z.core.toDotPath([...path]) || '(file)';
  const faults = error.issues.map(({ path, message }) => `${file}: ${placeOf(path)}: allowed: ${message}`);
  throw new Error(`The trusted documents are not valid.\n${faults.join('\n')}`);
}

/** Undefined, which is no manifest, where the file is no JSON or too large. */
function parseFile(file: string): unknown {
  try {
    return statSync(file).size > maxFileBytes ? undefined : JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
