import { isRecord } from '../../upstream/index.ts';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { readInput } from '../cases/saved-answer.ts';
import { membersOf, type ApiFile, type Note } from './endpoint.ts';
import { readOpenApi } from './openapi.ts';
import { readPostman } from './postman.ts';

const maxBytes = 20 * 1024 * 1024;
/** The YAML parser needs up to a second and 150 MB for each megabyte. */
const maxYamlBytes = 6 * 1024 * 1024;
const maxDepth = 1_000;
const maxValues = 1_000_000;
const limitFault = new Error(
  `found more; allowed: at most ${maxValues} values and ${maxDepth} levels, with each alias written out.`,
);

/** Reads a vendor's file. Throws an Error with what was found and what is allowed; nothing is fetched. */
export async function readApiFile(file: string, note: Note): Promise<ApiFile> {
  const document = await parseFile(file);
  // `openapi: 3.0` and `swagger: 2.0` are numbers in YAML.
  if (/^3(?:$|\.[012](?:$|\.))/.test(versionOf(document['openapi']))) return readOpenApi(document, 'OpenAPI', note);
  if (/^2(?:$|\.0$)/.test(versionOf(document['swagger']))) return readOpenApi(document, 'Swagger', note);
  const collection = isRecord(document['collection']) ? document['collection'] : document;
  const schema = String(membersOf(collection['info'])['schema']);
  if (Array.isArray(collection['item']) && /v2\.[01]/.test(schema)) return readPostman(collection, note);
  throw noDescription(file, 'no description that can be read');
}

function versionOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

function noDescription(file: string, found: string): Error {
  return new Error(
    `${file}: found ${found}; allowed: OpenAPI 3 (\`openapi: 3.…\`), Swagger 2.0 or a Postman collection 2.`,
  );
}

async function parseFile(file: string) {
  if (/^https?:/i.test(file))
    throw new Error(`${file}: found an address; allowed: a file. Download it first, since nothing is fetched.`);
  const text = String(await readInput(file, maxBytes)).replace(/^\uFEFF/, '');
  if (text.includes('\0')) throw new Error(`${file}: found characters NUL; allowed: text in UTF-8.`);
  const isJsonText = /^\s*[{[]/.test(text);
  // The parser of YAML builds every value before it fails, and refuses what is no map without saying so.
  if (!isJsonText && (text.length > maxYamlBytes || text.split(/[\n,[{]/, maxValues + 1).length > maxValues))
    throw new Error(`${file}: found more; allowed: at most ${maxYamlBytes} bytes of YAML, or ${maxBytes} of JSON.`);
  if (!isJsonText && !text.includes(':')) throw noDescription(file, 'no description');
  try {
    const value = writeOut(isJsonText ? JSON.parse(text) : await parseYaml(text), { values: 0 });
    if (isRecord(value)) return value;
  } catch (error) {
    if (error === limitFault) throw new Error(`${file}: ${limitFault.message}`, { cause: error });
    // The parser's own message may repeat the text.
    const line = error instanceof Error ? lineOf(error.message, text) : '';
    throw new Error(`${file}${line}: cannot be read as one document of ${isJsonText ? 'JSON' : 'YAML'}.`, {
      cause: error,
    });
  }
  throw noDescription(file, 'no description');
}

/** Parses by a library that ends at the first fault, and at a hundred levels. */
async function parseYaml(text: string): Promise<unknown> {
  const given = { order: 1, canRead: true, read: () => text };
  return $RefParser.parse('given.yaml', { resolve: { file: false, http: false, given } });
}

/** The line of a parser's fault: `(line 3 column 5)` of JSON, `(3:5)` of YAML. A text that ends too early has none. */
function lineOf(message: string, text: string): string {
  const [, json, yaml] = /\(line (\d+) column \d+\)|\((\d+):\d+\)$/m.exec(message) ?? [];
  return `:${json ?? yaml ?? text.split('\n').length}`;
}

/** Copies a parsed document with its aliases and merge keys written out. */
function writeOut(value: unknown, count: { values: number }, depth = 0): unknown {
  count.values += 1;
  if (count.values > maxValues || depth > maxDepth) throw limitFault;
  if (Array.isArray(value)) return value.map((entry) => writeOut(entry, count, depth + 1));
  if (!isRecord(value)) return value;
  const { '<<': merged, ...own } = value;
  const sources = [merged].flat().map((source) => writeOut(source, count, depth + 1));
  const members = Object.entries(own).map(([key, inner]) => [key, writeOut(inner, count, depth + 1)] as const);
  // The first source wins over later ones, and the map itself over all.
  return Object.fromEntries([...sources.filter(isRecord).toReversed().flatMap(Object.entries), ...members]);
}
