import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';
import { importCommand, importFile, isComplete } from '../../src/commands/contract-import/import.ts';
import { temporaryFolder } from '../support/folder.ts';
import { importText } from '../support/vendor-file.ts';

const length = 300_000;
const texts = ['/', ' ', '{{ ', 'account', 'settlement ', '?a&'].map((part) => part.repeat(length / part.length));

it.each(texts.map((text) => [text.slice(0, 11), text]))(
  'ends on names and addresses of 300,000 characters: %s…',
  async (_, text) => {
    const documents = [toOpenApi(`${text}x`), toPostman(`${text}x`)];
    for (const document of documents) {
      const { operations } = await importText(JSON.stringify(document));
      expect(operations.filter(({ path }) => path !== undefined)).toHaveLength(1);
    }
  },
);

it('ends on 200,000 keys of YAML, and takes a version that is a number', async () => {
  const keys = Array.from({ length: 200_000 }, (_, index) => `  k${index}: 1\n`).join('');
  const { operations } = await importText(`openapi: 3.0\npaths: { /customers: { get: {} } }\nx:\n${keys}`);
  expect(operations.filter(({ path }) => path !== undefined)).toHaveLength(1);
});

it('lists a saved response that is nested 100,000 levels deep', async () => {
  const body = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const item = { name: 'Customers List', request: { method: 'GET', url: '{{base}}/customers' }, response: [{ body }] };
  const { notes } = await importText(JSON.stringify({ info: { schema: 'v2.1' }, item: [item] }));
  expect(notes).toContainEqual({ place: '/item/0/response/0', why: 'a saved response without readable JSON' });
});

it('opens folders of a collection as deep as a file may be, and names an entry that is none', async () => {
  const list: unknown = { name: 'Customers List', request: { method: 'GET', url: '{{base}}/customers' } };
  const item = Array.from({ length: 400 }).reduce<unknown>((inner) => ({ item: [inner] }), list);
  const { operations, notes } = await importText(JSON.stringify({ info: { schema: 'v2.1' }, item: [item, 7] }));
  expect(operations.filter(({ path }) => path !== undefined)).toHaveLength(1);
  expect(notes).toContainEqual({ place: '/item/1', why: 'neither a folder nor a request' });
});

it('reads the first hundred servers only, since thousands of path items may share one long list of them', async () => {
  const local = Array.from({ length: 99 }, (_, index) => ({ url: `http://localhost/v${index}` }));
  const outside = { url: 'https://payments.example.com' };
  const importServers = (...servers: readonly object[]) =>
    importText(JSON.stringify({ openapi: '3.1.0', servers, paths: { '/customers': { get: {} } } }));
  expect((await importServers(...local, outside)).server).toBe(outside.url);
  expect((await importServers(...local, {}, outside)).server).toBe('http://localhost');
});

it('reads a wide schema once, since each of thousands of operations may show it thousands of times', async () => {
  const wide = (member: object) =>
    Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${'abcdefghij'[index % 10]}${index}`, member]));
  const $ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    Text: { type: 'string' },
    Wide: { properties: wide($ref('Text')), example: wide({}) },
    List: { properties: wide($ref('Wide')) },
    Lists: { allOf: Array.from({ length: 5 }, () => $ref('List')) },
  };
  const post = { requestBody: { content: { 'application/json': { schema: $ref('Lists') } } } };
  const paths = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`/things-${index}`, { post }]));
  const { notes } = await importText(JSON.stringify({ openapi: '3.1.0', paths, components: { schemas } }));
  expect(notes).toHaveLength(200);
});

it('says where the list of what was not understood ends', async () => {
  const paths = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`/things-${index}`, { get: {} }]));
  const { notes } = await importText(JSON.stringify({ openapi: '3.1.0', paths }));
  expect(notes.at(-1)).toEqual({ place: '', why: 'more than these 200; the others are not listed' });
  expect(notes).toHaveLength(201);
});

/** Each is about as large as a file may be. */
const large: readonly (readonly [name: string, text: () => string, fault: RegExp])[] = [
  ['braces that close nothing', () => `openapi: 3.0.3\nx: ${'}'.repeat(6_000_000)}`, /:2: cannot be read as YAML/],
  ['lines that begin with a tab', () => `a:\n${'\t- a: b: c\n'.repeat(500_000)}`, /:2: cannot be read as YAML/],
  ['explicit keys', () => '?\n'.repeat(3_000_000), /at most 1000000 values/],
  ['flow sequences inside each other', () => `x: ${'['.repeat(900_000)}`, /:1: cannot be read as YAML/],
  ['lists inside each other', () => `x:\n  ${'- '.repeat(3_000_000)}`, /:2: cannot be read as YAML/],
  ['documents', () => 'openapi: 3.0.3\n---\n'.repeat(200_000), /allowed: one document/],
  ['characters NUL', () => `x: ${'\0'.repeat(6_000_000)}`, /allowed: text in UTF-8/],
  ['values of JSON', () => `{"openapi":"3.0.3","x":[${'1,'.repeat(4_000_000)}1]}`, /at most 1000000 values/],
  ['lists of JSON inside each other', () => `[${'['.repeat(1_000_000)}`, /cannot be read as JSON/],
  ['digits', () => `{"openapi":"4","x":${'9'.repeat(19_000_000)}}`, /allowed: OpenAPI/],
  ['escapes', () => `{"openapi":"4","x":"${'\\u0000'.repeat(3_000_000)}"}`, /allowed: OpenAPI/],
];

it.each(large)('ends with a fault on a file full of %s', async (_, text, fault) => {
  await expect(importText(text())).rejects.toThrow(fault);
});

it('counts each alias as what it stands for', async () => {
  const levels = Array.from({ length: 40 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`);
  const bomb = `openapi: 3.0.3\na0: &a0 [1]\n${levels.join('')}paths: *a40\n`;
  await expect(importText(bomb)).rejects.toThrow(/at most 1000000 values .* with each alias written out/);
  await expect(importText('openapi: 3.0.3\npaths: &p\n  x: *p\n')).rejects.toThrow(/levels, with each alias/);
});

it('reads a hundred and more aliases, and merge keys', async () => {
  const things = Array.from({ length: 120 }, (_, index) => `  /things${index}: *get\n`).join('');
  const file = `openapi: 3.0.3
x: &get { get: { summary: List customers } }
y: &first { get: { summary: Another } }
paths:
${things}  /customers:
    <<: [*get, *first]
`;
  const { operations } = await importText(file);
  expect(operations.find(({ operation }) => operation === 'listCustomers')).toMatchObject({
    certainty: 'sure',
    why: 'by path, method and name',
  });
});

it.each([
  ['JSON', '{"openapi":"3.0.3",\n"paths":{\n"a" 1}}', 3],
  ['JSON that ends too early', '{"openapi":"3.0.3",\n', 2],
  ['YAML', 'openapi: 3.0.3\npaths:\n  a: [1\n', 4],
  ['YAML with a key twice', 'openapi: 3.0.3\npaths: {}\npaths: {}\n', 3],
])('names the line of a fault in %s', async (_, text, line) => {
  await expect(importText(text)).rejects.toThrow(new RegExp(`:${line}: cannot be read as`));
});

it.each([
  ['blank lines', '\n \n', /found an empty file; allowed: OpenAPI/],
  ['null', 'null\n', /found no description; allowed: OpenAPI/],
  ['two documents', 'openapi: 3.0.3\n---\nopenapi: 3.0.3\n', /found several documents; allowed: one document/],
  ['two documents below a comment', '# a\n---\na: 1\n---\nb: 1\n', /found several documents/],
  ['one document below a comment', '# a\n\n---\na: 1\n', /found no description that can be read/],
])('says what is wrong with a file of %s', async (_, text, fault) => {
  await expect(importText(text)).rejects.toThrow(fault);
});

it.each(['utf16le', 'latin1'] as const)('says what it wants of a file in %s', async (encoding) => {
  const file = join(await temporaryFolder(), 'api.json');
  const text = '\uFEFF{"openapi":"3.0.3","paths":{"/customers":{"get":{}}}}';
  writeFileSync(file, Buffer.from(text, encoding));
  await expect(importFile(file)).rejects.toThrow(/allowed: text in UTF-8|cannot be read as/);
  writeFileSync(file, text.replaceAll(',', ',\r\n'));
  expect((await importFile(file)).operations.filter(({ path }) => path !== undefined)).toHaveLength(1);
});

it('reads regular files only', async () => {
  const pipe = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const file of [pipe, '/dev/zero', '/'])
    await expect(importFile(file)).rejects.toThrow(/allowed: a regular file/);
});

it('prints and writes no character that a terminal or a shell would take for a command', async () => {
  const odd = 'a\u001b]0;x\u0007\u009b31m\u202e\n  money.unit: major $(date)';
  const parameters = [{ name: `${odd} }, x: {`, in: 'query' }];
  const security = [{ key: [] }];
  const get = { summary: odd, operationId: odd, parameters, security, responses: { 200: { description: odd } } };
  const file = {
    openapi: '3.1.0',
    servers: [{ url: 'https://x;date.example' }],
    paths: { '/customers': { get }, [`/${odd}`]: { get }, '/customers/{id}': { get: { ...get, summary: odd } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'Sec-Api-Key' } } },
  };
  const folder = await temporaryFolder();
  const write = join(folder, 'contract.yaml');
  writeFileSync(join(folder, 'api.json'), JSON.stringify(file));
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => output.mockRestore());
  await importCommand([join(folder, 'api.json'), '--write', write]);
  await importCommand([join(folder, 'api.json'), '--json']);
  const shown = output.mock.calls.map(([text]) => String(text)).join('');
  const written = readFileSync(write, 'utf8');
  expect(shown + written).not.toMatch(/[^\P{C}\n]/u);
  expect(shown).not.toMatch(/PRIVATE_KEY_HEADER=/);
  expect(shown).toMatch(
    /the private key's header is not taken; allowed: a header name that neither HTTP nor the gateway uses/,
  );
  expect(shown).toMatch(/the service's address is not taken; allowed: an http or https address/);
  expect(Object.keys(parse(written).rows).filter((row) => row.startsWith('money'))).toEqual([]);
  expect(written.match(/^[^#\n]*money.*$/gm) ?? []).toEqual([]);
});

it('never writes over the file that it reads', async () => {
  const file = join(await temporaryFolder(), 'api.json');
  writeFileSync(file, '{"openapi":"3.0.3","paths":{}}');
  for (const option of ['--write', '--cases'])
    await expect(importCommand([file, option, file])).rejects.toThrow(/is the vendor's file; allowed: another one/);
  expect(readFileSync(file, 'utf8')).toContain('openapi');
});

it('names an operation whose own sample its rows cannot read, and is not complete', async () => {
  const schema = { properties: { data: { type: 'object', properties: { nickname: { type: 'string' } } } } };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  const result = await importText(JSON.stringify({ openapi: '3.1.0', paths: { '/customers/{id}': { get } } }));
  expect(result.unreadable).toEqual(['getCustomer']);
  expect(result.comments.join('\n')).toMatch(
    /^getCustomer: # unsure: .*: UPSTREAM_INVALID_RESPONSE, row customer\.id$/m,
  );
  expect(await result.starter()).toMatch(/^# Left out, .*getCustomer/m);
  const operations = result.operations.map((each) => ({ ...each, certainty: 'sure' as const }));
  expect([isComplete({ operations, unreadable: [] }), isComplete({ ...result, operations })]).toEqual([true, false]);
});

/** One list of customers, beside this text as whatever a file names. */
function toOpenApi(text: string): unknown {
  const content = { [`application/json${text}`]: { schema: { properties: { [text]: { type: 'string' } } } } };
  const get = { operationId: text, summary: text, servers: [{ url: text }], responses: { 200: { content } } };
  return {
    openapi: '3.1.0',
    servers: [{ url: `https://payments.example.com/${text}` }],
    paths: { [`/customers/${text}`]: { get }, '/customers': { get: { ...get, servers: undefined } } },
  };
}

function toPostman(text: string): unknown {
  const request = (name: string, url: unknown) => ({ name, request: { method: 'GET', url } });
  return {
    info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [{ key: 'base', value: `https://payments.example.com/${text}` }],
    item: [
      request(text, { raw: text }),
      request(text, `{{base}}/customers/${text}`),
      request('Customers List', '{{base}}/customers'),
    ],
  };
}
