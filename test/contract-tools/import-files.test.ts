import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importCommand } from '../../src/commands/contract-import.ts';
import { readCommandLine } from '../../src/commands/usage.ts';
import { parseCases } from '../../src/contract-tools/cases/test-cases.ts';
import { createContract } from '../../src/contract/contract.ts';
import { openVendorFile } from '../../src/contract-tools/import/import.ts';
import { temporaryFolder } from '../support/folder.ts';
import { capture, watchErrors } from '../support/stdout.ts';
import { startUpstream, success } from '../support/upstream/upstream.ts';
import { endpointsOf, importPaths, importRequests, importText } from './vendor/vendor-file.ts';

const customers = { '/customers': { get: {} } };
const found = { listCustomers: 'sure: GET /customers' };

describe('an import reads', () => {
  it.each([
    ['OpenAPI 3.0 of YAML, whose version is a number', 'openapi: 3.0\npaths: { /customers: { get: {} } }'],
    ['OpenAPI 3.1 with a byte order mark', `\uFEFF${JSON.stringify({ openapi: '3.1.0', paths: customers })}`],
    ['Swagger 2.0', JSON.stringify({ swagger: '2.0', paths: customers })],
    ['aliases and merge keys', 'openapi: 3.0.0\nx: &x { get: {} }\npaths: { /customers: { <<: *x } }'],
  ])('%s', async (_, text) => {
    expect(endpointsOf(await importText(text))).toEqual(found);
  });

  it('addresses, bodies, answers and credentials of Swagger 2.0', async () => {
    const schema = { $ref: '#/definitions/Customer' };
    const document = {
      swagger: '2.0',
      host: 'a.example',
      basePath: '/v3/',
      schemes: ['https'],
      consumes: ['application/json'],
      securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
      security: [{ key: [] }],
      definitions: {
        Customer: { type: 'object', required: ['GivenName'], properties: { GivenName: { type: 'string' } } },
      },
      paths: {
        '/customers': { post: { parameters: [{ in: 'body', name: 'body', schema }], responses: { 200: { schema } } } },
      },
    };
    const { server, rows, privateKeyHeader } = await importText(JSON.stringify(document));
    expect([server, privateKeyHeader]).toEqual(['https://a.example', 'X-Api-Key']);
    expect(rows).toMatchObject({
      'service.prefix': '/v3',
      'createCustomer.body': { firstName: 'GivenName' },
      'createCustomer.required': ['firstName'],
      'customer.firstName': ['/GivenName'],
    });
  });

  it('folders, variables and addresses in parts of a collection, with the credential of a folder', async () => {
    const url = { host: ['{{base}}'], path: ['{{version}}', 'customers', ':id'] };
    const item = [
      { name: 'Customers', auth: { type: 'bearer' }, item: [{ name: 'Get', request: { method: 'GET', url } }] },
    ];
    const variable = [
      { key: 'base', value: 'https://a.example/api/' },
      { key: 'version', value: 'v2' },
    ];
    const { rows } = await importRequests([], { item, variable });
    expect(rows).toMatchObject({
      'service.prefix': '/api',
      'getCustomer.path': '/v2/customers/{id}',
      'getCustomer.credentials': ['bearer'],
    });
  });

  it('schemas that a request and its answer share, without what only the other side has', async () => {
    const schema = {
      properties: {
        id: { type: 'string', readOnly: true },
        pin: { type: 'string', writeOnly: true },
        email: { type: 'string' },
      },
    };
    const media = { content: { 'application/json': { schema } } };
    const { samples, comments } = await importPaths({
      '/customers': { post: { requestBody: media, responses: { 201: media } } },
    });
    expect(samples).toMatchObject([{ status: 201, body: { id: 'text', email: 'ada@example.com' } }]);
    expect(comments.join('\n')).not.toMatch(/CreateCustomerInput\.id/);
    expect(comments.join('\n')).toMatch(/CreateCustomerInput\.pin/);
  });
});

describe('an import refuses, with what is allowed,', () => {
  it.each([
    ['nothing', '', /found no description; allowed: OpenAPI 3/],
    ['a text', 'hello: world', /no description that can be read/],
    ['several documents', 'openapi: 3.0.0\n---\nopenapi: 3.0.0', /one document of YAML/],
    ['a fault of JSON', '{"openapi":\n x', /vendor-file:2: cannot be read as one document of JSON/],
    ['NUL', 'openapi: \0', /characters NUL; allowed: text in UTF-8/],
    [
      'blocks of depth 1,000 in YAML',
      Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      /cannot be read/,
    ],
    ['7 MB of YAML', `openapi: 3.1.0\n${'# padding\n'.repeat(700_000)}`, /at most \d+ bytes of YAML/],
    ['objects of depth 50,000 in JSON', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, /and 1000 levels/],
    ['21 MB', ' '.repeat(21 * 1024 * 1024), /allowed: at most 20971520/],
    [
      'aliases that stand for a million values',
      [
        'a: &a [1,1,1,1,1,1,1,1,1,1]',
        ...['b', 'c', 'd', 'e', 'f', 'g'].map(
          (name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[index]}`).join(',')}]`,
        ),
      ].join('\n'),
      /with each alias written out/,
    ],
  ])('%s', async (_, text, fault) => {
    await expect(importText(text)).rejects.toThrow(fault);
  });

  it.each([
    ['https://a.example/openapi.json', /found an address; allowed: a file/],
    ['/dev/zero', /more than 20971520 bytes/],
    ['/nowhere/api.json', /cannot be read \(ENOENT\)/],
  ])('%s', async (file, fault) => {
    await expect(openVendorFile(file)).rejects.toThrow(fault);
  });
});

describe('an import ends on', () => {
  it.each(['/', ' ', '{{ ', 'account', 'settlement ', '?a&'])(
    'names and addresses of 300,000 characters: %s',
    async (part) => {
      const text = part.repeat(300_000 / part.length);
      const openApi = await importPaths({ ...customers, [`/${text}`]: { get: {} }, '/a': { get: { summary: text } } });
      const collection = await importRequests([
        ['List customers', 'GET', '/customers'],
        [text, 'GET', `/${text}`],
      ]);
      expect([openApi, collection].map((each) => Object.keys(endpointsOf(each)))).toEqual([
        ['listCustomers'],
        ['listCustomers'],
      ]);
    },
  );

  it('bodies whose quotes and comments never close', async () => {
    for (const part of ['/*', '"', '"\\', '// ', '{{', ',  ']) {
      const body = { mode: 'raw', raw: `{${part.repeat(200_000)}` };
      const result = await importRequests([['Create customer', 'POST', '/customers', { body }]]);
      expect(result.notes).toEqual([
        { place: '/item/0/request/body', why: 'no readable JSON; the gateway sends JSON' },
      ]);
    }
  });

  const answer = (schema: object) => ({ responses: { 200: { content: { 'application/json': { schema } } } } });
  const wide = (member: object) => Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, member]));
  it.each([
    ['a reference to itself', { Loop: { $ref: '#/components/schemas/Loop' } }, 'Loop', /leads in a circle/],
    ['a reference to nothing', {}, 'Loop', /leads to nothing/],
    [
      'a record that holds itself',
      { Node: { properties: { next: { $ref: '#/components/schemas/Node' } } } },
      'Node',
      /^$/,
    ],
    [
      'wide records in wide records',
      { Wide: { properties: wide({ properties: wide({ type: 'string' }) }) } },
      'Wide',
      /^$/,
    ],
  ])('%s', async (_, schemas, name, note) => {
    const get = answer({ $ref: `#/components/schemas/${name}` });
    const { notes } = await importPaths({ '/customers/{id}': { get } }, { components: { schemas } });
    expect(notes.map(({ why }) => why).join()).toMatch(note);
  });

  it('5 MB of thousands of operations', { timeout: 60_000 }, async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`/things-${index}/{id}`, { get: { summary: 'x'.repeat(200) } }]),
    );
    expect((await importPaths(paths)).unused).toHaveLength(20_000);
  });
});

describe('an import of a hostile file', () => {
  it('reads nothing outside the file that a reference names', async () => {
    const asked: string[] = [];
    const { url, close } = await startUpstream(({ path }) => {
      asked.push(path);
      return success({ type: 'string' });
    });
    onTestFinished(close);
    const outside = join(await temporaryFolder(), 'outside.json');
    writeFileSync(outside, '{"enum": ["planted"]}');
    const references = [`${url}/a.json`, `file://${outside}`, outside, `${outside}#/enum`];
    const schema = {
      properties: Object.fromEntries(references.map(($ref, index) => [`field${'abcd'[index]}`, { $ref }])),
    };
    const responses = { 200: { content: { 'application/json': { schema } } } };
    const { notes, ...result } = await importPaths({ '/customers/{id}': { get: { responses } } });
    expect(notes.map(({ why }) => why).join()).toMatch(/\$ref leads out of the file/);
    expect([asked, JSON.stringify(result)]).toEqual([[], expect.not.stringContaining('planted')]);
  });

  it('takes no prototype', async () => {
    const text =
      '{"openapi":"3.1.0","__proto__":{"planted":1},"paths":{"__proto__":{"get":{}},"/customers":{"get":{"parameters":[{"in":"query","name":"__proto__"}],"responses":{"__proto__":{},"200":{"content":{"application/json":{"example":{"data":[{"__proto__":{"planted":1},"constructor":1}]}}}}}}}}}';
    expect(endpointsOf(await importText(text))).toEqual(found);
    expect(({} as Record<string, unknown>)['planted']).toBeUndefined();
  });

  it('lets no name end a line, and shows no example value', async () => {
    const name = 'x\n  money.unit: minor\n  # \u001B[2J';
    const parameters = [
      { in: 'query', name },
      { in: 'query', name: 'tier', example: 'planted-query' },
    ];
    const responses = {
      200: {
        content: { 'application/json': { example: { data: [{ id: 'planted-id', email: 'planted@example.com' }] } } },
      },
    };
    const paths = {
      '/customers': { get: { parameters, responses } },
      [`/${name}/customers/{id}/balance`]: { get: {} },
    };
    const { samples: _samples, contract: _contract, ...result } = await importPaths(paths);
    for (const control of ['\n', '\u001B']) expect(result.comments.join('')).not.toContain(control);
    expect(JSON.stringify(result)).not.toMatch(/planted/);
  });
});

describe('contract import', () => {
  /** Runs it over a file of one list, and gives what it writes to standard error and the cases. */
  async function runImport(example: unknown, isTTY: boolean) {
    const folder = await temporaryFolder();
    const [file, cases] = [join(folder, 'api.json'), join(folder, 'cases.yaml')];
    const get = { responses: { 200: { content: { 'application/json': { example } } } } };
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', paths: { '/customers': { get } } }));
    const errors = watchErrors(isTTY);
    await capture(() => importCommand(readCommandLine(['contract', 'import', file, '--cases', cases])));
    const text = existsSync(cases) ? readFileSync(cases, 'utf8') : undefined;
    return { text, lines: errors.lines(), progress: errors.progress() };
  }

  it('writes cases that contract test takes, and none where there is no answer', async () => {
    const written = await runImport({ data: [{ id: 'c1', first_name: 'Ada' }] }, false);
    expect(parseCases(written.text ?? '', 'cases.yaml', createContract())).toHaveLength(1);
    const empty = await runImport(undefined, false);
    expect([empty.text, empty.lines]).toEqual([undefined, expect.stringMatching(/^Not written: .*cases\.yaml/)]);
  });

  it.each([
    ['how far it is on a terminal', true, /reading .*api\.json.*looking for operations/s],
    ['nothing where it is piped', false, /^$/],
  ])('shows %s', async (_, isTTY, shown) => {
    expect((await runImport({ data: [] }, isTTY)).progress).toMatch(shown);
  });
});
