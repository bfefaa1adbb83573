import { readFileSync, statSync } from 'node:fs';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { membersOf, type ApiDescription, type Note } from './api.ts';
import { readOpenApi } from './openapi.ts';
import { readPostman } from './postman.ts';

const maxBytes = 20 * 1024 * 1024;
/** The YAML parser needs up to a second and 150 MB for each megabyte. */
const maxYamlBytes = 6 * 1024 * 1024;
/** Bound of the YAML parser. */
const maxYamlDepth = 100;
const maxDepth = 1_000;
const maxValues = 1_000_000;
const maxReference = 500;
const limitFault = new Error(
  `found more; allowed: at most ${maxValues} values and ${maxDepth} levels, with each alias written out; of YAML as many lines, commas and brackets.`,
);

/** Reads a vendor's file. Throws an Error with what was found and what is allowed; nothing is fetched. */
export async function readApiFile(file: string, note: Note): Promise<ApiDescription> {
  const document = await parseFile(file);
  if (isRecord(document)) {
    // `openapi: 3.0` is the number 3 in YAML.
    if (/^3(?:$|\.[01](?:$|\.))/.test(textOrNumber(document['openapi']) ?? '')) return readOpenApi(document, note);
    const collection = isRecord(document['collection']) ? document['collection'] : document;
    const { schema } = membersOf(collection['info']);
    if (Array.isArray(collection['item']) && typeof schema === 'string' && schema.includes('v2.1'))
      return readPostman(collection, note);
  }
  throw noDescription(file, 'no description that can be read');
}

function noDescription(file: string, found: string): Error {
  return new Error(
    `${file}: found ${found}; allowed: OpenAPI 3.0 or 3.1 (\`openapi: 3.…\`), or a Postman collection 2.1.`,
  );
}

async function parseFile(file: string): Promise<unknown> {
  if (/^https?:/i.test(file))
    throw new Error(`${file}: found an address; allowed: a file. Download it first, since nothing is fetched.`);
  const text = readText(file);
  if (text.includes('\0')) throw new Error(`${file}: found characters NUL; allowed: text in UTF-8.`);
  const isJson = /^\s*[{[]/.test(text);
  if (!isJson && text.length > maxYamlBytes)
    throw new Error(
      `${file}: found ${text.length} characters; allowed: at most ${maxYamlBytes} bytes of YAML, or ${maxBytes} of JSON.`,
    );
  // The parser would build every value before it fails.
  if (!isJson && text.split(/[\n,[{]/, maxValues + 1).length > maxValues)
    throw new Error(`${file}: ${limitFault.message}`);
  // The parser refuses what is no map, such as null, without saying so.
  const content = text.trim();
  if (/^[\w.-]*$/.test(content)) throw noDescription(file, content === '' ? 'an empty file' : 'no description');
  if (!isJson && hasSeveralDocuments(text)) throw new Error(`${file}: found several documents; allowed: one document.`);
  try {
    return writeOut(isJson ? JSON.parse(text) : await parseYaml(text), { values: 0 });
  } catch (error) {
    if (error === limitFault) throw new Error(`${file}: ${limitFault.message}`, { cause: error });
    // The parser's own message may repeat the text.
    const place = error instanceof Error ? lineOf(error.message, text) : '';
    const form = isJson ? 'JSON' : `YAML of at most ${maxYamlDepth} levels`;
    throw new Error(`${file}${place}: cannot be read as ${form}.`, { cause: error });
  }
}

/** Whether a line of YAML begins a document below another one: below a line that is no comment and no directive. */
function hasSeveralDocuments(text: string): boolean {
  const lines = text.split('\n').filter((line) => !/^(?:[#%]|\s*$)/.test(line));
  return lines.slice(1).some((line) => /^---(?:\s|$)/.test(line));
}

/** Parses by the library that also follows `$ref`s. It ends at the first fault, and at a hundred levels. */
async function parseYaml(text: string): Promise<unknown> {
  const given = { order: 1, canRead: true, read: () => text };
  return $RefParser.parse('given.yaml', { resolve: { file: false, http: false, given } });
}

/** The line of a parser's fault: `(line 3 column 5)` of JSON, `(3:5)` of YAML. A text that ends too early has none. */
function lineOf(message: string, text: string): string {
  const [, json, yaml] = /\(line (\d+) column \d+\)|\((\d+):\d+\)$/m.exec(message) ?? [];
  return `:${json ?? yaml ?? text.split('\n').length}`;
}

/**
 * Copies a parsed document with its aliases and merge keys written out. An unusable `$ref` resolves to nothing in the
 * copy: looking it up takes time by the square of its length.
 */
function writeOut(value: unknown, count: { values: number }, depth = 0): unknown {
  count.values += 1;
  if (count.values > maxValues || depth > maxDepth) throw limitFault;
  if (Array.isArray(value)) return value.map((entry) => writeOut(entry, count, depth + 1));
  if (!isRecord(value)) return value;
  const { '<<': merged, ...own } = value;
  const sources = [merged].flat().map((source) => writeOut(source, count, depth + 1));
  const members = Object.entries(own).map(([key, inner]) => {
    const isUseless = key === '$ref' && typeof inner === 'string' && inner.length > maxReference;
    return [key, isUseless ? '#/too-long' : writeOut(inner, count, depth + 1)] as const;
  });
  // The first source wins over later ones, and the map itself over all.
  return Object.fromEntries([...sources.filter(isRecord).toReversed().flatMap(Object.entries), ...members]);
}

/** The text of a regular file: a device or a pipe might never end. */
function readText(file: string): string {
  try {
    const stats = statSync(file);
    if (stats.isFile() && stats.size <= maxBytes) return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Error(`${file}: cannot be read (${code}).`, { cause: error });
  }
  throw new Error(
    `${file}: found a larger file, or none that is regular; allowed: a regular file of at most ${maxBytes} bytes.`,
  );
}
