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
  'the last id as cursor, errors in one object': {
    rows: {
      'listCustomers.pageStyle': 'cursor',
      'lists.cursor': 'starting_after',
      'lists.hasMore': ['/has_more'],
      'envelope.code': ['/error/code'],
      'errors.message': ['/error/message'],
      'service.headers': { 'Api-Version': '2026-01-31' },
    },
    list: (parameters) => {
      const from = all.findIndex(({ id }) => id === parameters.get('starting_after')) + 1;
      const size = count(parameters, 'limit', 10);
      return json({ object: 'list', data: cut(from, size), has_more: from + size < all.length });
    },
    record: (id) => ({ id, object: 'customer' }),
    absence: json({ error: { code: 'resource_missing', message: 'No such customer' } }, 404),
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
  'Pascal case, a failure inside 200': {
    rows: {
      'envelope.success': ['/IsSuccess'],
      'envelope.data': ['/Data'],
      'envelope.code': ['/ErrorCode'],
      'errors.message': ['/Message'],
      'errors.statuses': { CUSTOMER_404: 404 },
      'customer.id': ['/Id'],
      'customer.identifiedBy': ['/Id'],
      'lists.page': 'PageNumber',
      'lists.perPage': 'PageSize',
      'lists.records': ['/Data/Items'],
      'lists.currentPage': ['/Data/PageNumber'],
      'lists.total': ['/Data/TotalCount'],
    },
    list: (parameters) => {
      const page = count(parameters, 'PageNumber', 1);
      const size = count(parameters, 'PageSize', 10);
      const Items = cut((page - 1) * size, size).map(({ id }) => ({ Id: id }));
      return json({ IsSuccess: true, Data: { Items, PageNumber: page, TotalCount: all.length } });
    },
    record: (id) => ({ IsSuccess: true, Data: { Id: id } }),
    absence: json({ IsSuccess: false, ErrorCode: 'CUSTOMER_404', Message: 'No.', Data: null }),
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
  'embedded lists and links': {
    rows: {
      'lists.records': ['/_embedded/customers'],
      'lists.perPage': 'size',
      'lists.currentPage': ['/page/number'],
      'lists.total': ['/page/totalElements'],
      'service.contentType': 'application/hal+json',
    },
    list: (parameters) => {
      const number = count(parameters, 'page', 1);
      const size = count(parameters, 'size', 10);
      const next = number * size < all.length ? { next: { href: `/customers?page=${number + 1}` } } : {};
      return json({
        _embedded: { customers: cut((number - 1) * size, size) },
        _links: { self: { href: '/customers' }, ...next },
        page: { size, totalElements: all.length, number },
      });
    },
    record: (id) => ({ id, _links: { self: { href: `/customers/${id}` } } }),
    absence: json({ status: 404, error: 'Not Found', message: 'No customer' }, 404),
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
  'offsets of resources with attributes': {
    rows: {
      'listCustomers.pageStyle': 'offset',
      'lists.offset': 'page[offset]',
      'lists.limit': 'page[limit]',
      'lists.total': ['/meta/pagination/total'],
      'envelope.code': ['/errors/0/code'],
      'errors.message': ['/errors/0/detail', '/errors/0/title'],
      'service.contentType': 'application/vnd.api+json',
    },
    list: (parameters) => {
      const data = cut(count(parameters, 'page[offset]', 0), count(parameters, 'page[limit]', 10));
      return json({
        data: data.map(({ id }) => ({ type: 'customer', id, attributes: {} })),
        meta: { pagination: { total: all.length } },
      });
    },
    record: (id) => ({ data: { type: 'customer', id, attributes: {} } }),
    absence: json({ errors: [{ status: '404', title: 'Not Found' }] }, 404),
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

describe('a service without an array where a list is empty', () => {
  const emptyList = (total: number) => ({
    answer: () => json({ _links: { self: { href: '/customers' } }, page: { totalElements: total } }),
    rows: { 'lists.records': ['/_embedded/customers'] },
  });

  it('gives an empty list where the total is 0', async () => {
    const { answer, rows } = emptyList(0);
    const { gateway } = await startScripted(answer, { contract: rows });
    expect(await walkCustomers(gateway, 10)).toEqual([]);
  });

  it('is contradicted where the total is another', async () => {
    const { answer, rows } = emptyList(3);
    const { gateway } = await startScripted(answer, { contract: rows });
    const { errors } = await query(gateway, '{ customers { nodes { id } } }');
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'lists.records' } }]);
  });
});
