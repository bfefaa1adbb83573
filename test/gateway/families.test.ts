import { describe, expect, it } from 'vitest';
import { query, startScripted } from '../support/gateway.ts';
import { idsOf, recordsOf, walkCustomers } from '../support/paging.ts';
import type { Reply, SeenRequest } from '../support/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

/** One family of payment interfaces: how it pages, wraps a record, and says that there is none. */
interface Family {
  readonly rows: Rows;
  readonly list: (parameters: URLSearchParams) => Reply;
  readonly record: (id: string) => unknown;
  readonly absence: Reply;
}

const all = recordsOf(23);
const json = (body: unknown, status = 200): Reply => ({ status, json: body });
const count = (parameters: URLSearchParams, name: string, fallback: number): number =>
  Number(parameters.get(name) ?? fallback);
const cut = (from: number, size: number) => all.slice(from, from + size);

const families: Readonly<Record<string, Family>> = {
  'skip and count, errors with a description alone': {
    rows: {
      'listCustomers.pageStyle': 'offset',
      'lists.offset': 'skip',
      'lists.limit': 'count',
      'lists.records': ['/items'],
      'envelope.code': ['/error/description', '/error/code'],
      'errors.statuses': { 'The id provided does not exist': 404 },
    },
    list: (parameters) =>
      json({ entity: 'collection', items: cut(count(parameters, 'skip', 0), count(parameters, 'count', 10)) }),
    record: (id) => ({ id, entity: 'customer' }),
    absence: json({ error: { code: 'BAD_REQUEST_ERROR', description: 'The id provided does not exist' } }, 400),
  },
  'records under their own names, a cursor in the body': {
    rows: {
      'listCustomers.pageStyle': 'cursor',
      'lists.records': ['/customers'],
      'lists.nextCursor': ['/cursor'],
      'envelope.data': ['/customer'],
      'errors.message': ['/errors/0/detail'],
      'errors.entryField': ['/field'],
    },
    list: (parameters) => {
      const from = count(parameters, 'cursor', 0);
      const end = from + count(parameters, 'limit', 10);
      return json({ customers: cut(from, end - from), ...(end < all.length ? { cursor: `${end}` } : {}) });
    },
    record: (id) => ({ customer: { id } }),
    absence: json({ errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'NOT_FOUND', detail: 'Not found.' }] }, 404),
  },
  'a plain array, the last id as cursor without a flag': {
    rows: {
      'listCustomers.pageStyle': 'cursor',
      'lists.cursor': 'after_cursor',
      'lists.limit': 'per_page',
      'lists.cursorFrom': 'lastRecord',
      'errors.message': ['/errors/message'],
    },
    list: (parameters) =>
      json(
        cut(all.findIndex(({ id }) => id === parameters.get('after_cursor')) + 1, count(parameters, 'per_page', 25)),
      ),
    record: (id) => ({ id, object: 'counterparty' }),
    absence: json({ errors: { code: 'resource_not_found', message: 'Resource not found' } }, 404),
  },
  'pages from 0 below a body, its own success values': {
    rows: {
      'envelope.success': ['/responseCode'],
      'envelope.successValues': ['0'],
      'envelope.data': ['/responseBody'],
      'envelope.code': ['/responseCode'],
      'errors.statuses': { '99': 404 },
      'errors.message': ['/responseMessage'],
      'lists.firstPage': 0,
      'lists.perPage': 'size',
      'lists.records': ['/responseBody/content'],
      'lists.currentPage': ['/responseBody/number'],
      'lists.total': ['/responseBody/totalElements'],
    },
    list: (parameters) => {
      const number = count(parameters, 'page', 0);
      const size = count(parameters, 'size', 10);
      const content = cut(number * size, size);
      return json({
        responseCode: '0',
        responseBody: { content, number, totalElements: all.length, last: (number + 1) * size >= all.length },
      });
    },
    record: (id) => ({ responseCode: '0', responseMessage: 'success', responseBody: { id } }),
    absence: json({ responseCode: '99', responseMessage: 'Cannot find customer' }, 422),
  },
  'a list of links by their relation': {
    rows: {
      'listCustomers.pageStyle': 'cursor',
      'lists.records': ['/items'],
      'lists.cursor': 'page_token',
      'lists.nextLink': ['/links/[rel=next]/href'],
      'envelope.code': ['/name'],
    },
    list: (parameters) => {
      const from = count(parameters, 'page_token', 0);
      const end = from + count(parameters, 'limit', 10);
      const next = end < all.length ? [{ href: `https://api.example.com/v1?page_token=${end}`, rel: 'next' }] : [];
      return json({
        items: cut(from, end - from),
        links: [{ href: 'https://api.example.com/v1', rel: 'self' }, ...next],
      });
    },
    record: (id) => ({ id, links: [{ href: `https://api.example.com/v1/${id}`, rel: 'self' }] }),
    absence: json({ name: 'RESOURCE_NOT_FOUND', message: 'There is none.', details: [] }, 404),
  },
};

describe.each(Object.entries(families))('a service with %s', (_, { rows, list, record, absence }) => {
  const answer = ({ path }: SeenRequest): Reply => {
    const url = new URL(path, 'http://service');
    const [, id = ''] = /customers\/([^/]+)$/.exec(url.pathname) ?? [];
    if (id === '') return list(url.searchParams);
    return id === 'nobody' ? absence : json(record(id));
  };

  it('gives each record once, whatever the size of a window', async () => {
    const { gateway } = await startScripted(answer, { contract: rows });
    for (const first of [4, 10, 23]) expect(await walkCustomers(gateway, first)).toEqual(idsOf(all));
  });

  it('gives one record, and null for an unknown one', async () => {
    const { gateway } = await startScripted(answer, { contract: rows });
    const { data, errors } = await query(
      gateway,
      '{ known: customer(id: "r1") { id } unknown: customer(id: "nobody") { id } }',
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({ known: { id: 'r1' }, unknown: null });
  });
});

it('contradicts a service without an array where the total is not 0', async () => {
  const answer = () => json({ _links: {}, page: { totalElements: 3 } });
  const { gateway } = await startScripted(answer, { contract: { 'lists.records': ['/_embedded/customers'] } });
  const { errors } = await query(gateway, '{ customers { nodes { id } } }');
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'lists.records' } }]);
});
