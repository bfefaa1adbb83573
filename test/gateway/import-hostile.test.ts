import { expect, it } from 'vitest';
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

it('says where the list of what was not understood ends', async () => {
  const paths = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`/things-${index}`, { get: {} }]));
  const { notes } = await importText(JSON.stringify({ openapi: '3.1.0', paths }));
  expect(notes.at(-1)).toEqual({ place: '', why: 'more than these 200; the others are not listed' });
  expect(notes).toHaveLength(201);
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
