import { readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import type { ApiDescription, Note } from './api.ts';
import { readOpenApi } from './openapi.ts';
import { readPostman } from './postman.ts';

const maxBytes = 20 * 1024 * 1024;
/** The YAML parser needs about a second for each megabyte. */
const maxYamlBytes = 6 * 1024 * 1024;
const maxDepth = 200;
const maxReference = 500;

/** Reads a vendor's file. Throws an Error with what was found and what is allowed; nothing is fetched. */
export async function readApiFile(file: string, note: Note): Promise<ApiDescription> {
  const document = parseFile(file);
  if (isRecord(document)) {
    // `openapi: 3.0` is the number 3 in YAML.
    if (/^3(?:$|\.[01](?:$|\.))/.test(textOrNumber(document['openapi']) ?? '')) return readOpenApi(document, note);
    const collection = isRecord(document['collection']) ? document['collection'] : document;
    const { info, item } = collection;
    const schema = isRecord(info) ? info['schema'] : undefined;
    if (Array.isArray(item) && typeof schema === 'string' && schema.includes('v2.1'))
      return readPostman(collection, note);
  }
  throw new Error(`${file}: allowed: OpenAPI 3.0 or 3.1 (\`openapi: 3.…\`), or a Postman collection 2.1.`);
}

function parseFile(file: string): unknown {
  if (/^https?:/i.test(file)) throw new Error(`${file}: allowed: a file; download it first, since nothing is fetched.`);
  const text = readText(file);
  const isJson = /^\s*[{[]/.test(text);
  if (!isJson && text.length > maxYamlBytes)
    throw new Error(`${file}: allowed: at most ${maxYamlBytes} bytes of YAML, or ${maxBytes} of JSON.`);
  if (!isJson && isNestedTooDeeply(text)) throw new Error(`${file}: allowed: at most ${maxDepth} levels.`);
  try {
    // Aliases may not multiply what they stand for: 100 uses is the parser's own bound, given here. To find a key twice,
    // it would compare each with all others.
    return isJson
      ? JSON.parse(text, limitReference)
      : parse(text, limitReference, { maxAliasCount: 100, uniqueKeys: false, logLevel: 'error' });
  } catch (error) {
    // The parser's own message may repeat the text.
    const place = error instanceof Error && 'linePos' in error ? lineOf(error.linePos) : '';
    throw new Error(`${file}${place}: cannot be read as ${isJson ? 'JSON' : 'YAML'}.`, { cause: error });
  }
}

/** Lets a `$ref` beyond all use lead to nothing: looking it up takes time by the square of its length. */
function limitReference(key: unknown, value: unknown): unknown {
  return key === '$ref' && typeof value === 'string' && value.length > maxReference ? '#/too-long' : value;
}

function readText(file: string): string {
  try {
    const { size } = statSync(file);
    if (size <= maxBytes) return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Error(`${file}: cannot be read (${code}).`, { cause: error });
  }
  throw new Error(`${file}: allowed: at most ${maxBytes} bytes.`);
}

/** Whether a line is indented, or brackets are opened, beyond all use: the YAML parser calls itself for each level. */
function isNestedTooDeeply(text: string): boolean {
  // No part can match in two ways: such an expression would not end on a hostile file.
  return /^[ -]{400}/m.test(text) || /(?:[[{]\s{0,9}){200}/.test(text);
}

function lineOf(position: unknown): string {
  const [start] = Array.isArray(position) ? (position as readonly unknown[]) : [];
  return isRecord(start) ? `:${String(start['line'])}` : '';
}
