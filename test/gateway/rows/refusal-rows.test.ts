import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createContract } from '../../../src/contract/contract.ts';
import { startFaultUpstream } from '../../support/upstream/fault-upstream.ts';
import { codes, query, startGateway, startScripted } from '../../support/gateway.ts';
import { success, type Reply } from '../../support/upstream/upstream.ts';

const create =
  'mutation { createCustomer(input: { type: "w" }) { customer { id } userErrors { code field message } } }';

async function write(contract: Readonly<Record<string, unknown>>, reply: Reply) {
  const { gateway } = await startScripted(() => reply, { contract });
  const answer = await query(gateway, create);
  return { ...answer, payload: answer.data?.createCustomer };
}

const json = (json: unknown, status = 200): Reply => ({ status, json });

describe('rows for refusals', () => {
  it('take another status for a refusal', async () => {
    const reply = json({ message: 'Not covered.' }, 402);
    expect(codes(await write({}, reply))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    const { payload } = await write({ 'errors.refusalStatuses': [400, 402, 422] }, reply);
    expect(payload.userErrors).toEqual([{ code: 'REJECTED', field: null, message: 'Not covered.' }]);
  });

  it('name no field by a wire name that two have, and one by its wire name in any letters', async () => {
    const rows = { 'createCustomer.body': { phone: '/contact/number', nin: '/identity/number', bvn: 'bvnText' } };
    const entries = { 'identity.number': ['Is unknown.'], BvnText: ['Is unknown.'] };
    const { payload } = await write(rows, json({ errors: entries }, 422));
    expect(payload.userErrors).toMatchObject([{ field: null }, { field: ['input', 'bvn'] }]);
  });
});

describe('rows for other answers', () => {
  it('take 202 with a record, and 204 where the row says that it is a success', async () => {
    expect((await write({}, success({ id: 'c1', type: 'w' }, 202))).payload.customer).toEqual({ id: 'c1' });
    expect(codes(await write({}, { status: 204 }))).toEqual(['OUTCOME_UNKNOWN']);
    expect((await write({ 'createCustomer.emptySuccess': true }, { status: 204 })).payload).toEqual({
      customer: null,
      userErrors: [],
    });
  });

  it.each<readonly [string, string, (socket: Socket) => void, readonly string[]]>([
    ['with its length', 'content-length: 0', () => undefined, []],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n0', () => undefined, []],
    ['by a close', 'connection: close', (socket) => socket.end(), ['OUTCOME_UNKNOWN']],
    ['by a close, not in chunks', 'transfer-encoding: identity', (socket) => socket.end(), ['OUTCOME_UNKNOWN']],
    ['by a reset', 'connection: close', (socket) => socket.resetAndDestroy(), ['OUTCOME_UNKNOWN']],
  ])('take an empty 200 for a success only where its end is certain: it ends %s', async (_, header, end, expected) => {
    const upstream = await startFaultUpstream(() => (socket) => {
      // What a reset overtakes is lost.
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`, () => setTimeout(() => end(socket), 20));
    });
    const contract = { 'createCustomer.emptySuccess': true };
    const gateway = await startGateway({ upstream: upstream.url, contract });
    expect(codes(await query(gateway, create))).toEqual(expected);
    expect(upstream.requests).toHaveLength(1);
  });

  it('send forms with names of dots where the rows say so, and accept JSON', async () => {
    const form = 'application/x-www-form-urlencoded';
    const contract = {
      'service.contentType': form,
      'service.formNames': 'dots',
      'createCustomer.wrapper': 'customer',
      'listCustomers.method': 'POST',
      'listCustomers.parametersIn': 'body',
    };
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1', type: 'w', data: [] }), { contract });
    expect((await query(gateway, create)).data.createCustomer.customer).toEqual({ id: 'c1' });
    expect((await query(gateway, '{ customers { nodes { id } } }')).errors).toEqual([]);
    const seen = upstream.requests.map(({ headers, body }) => [headers['accept'], headers['content-type'], body]);
    expect(seen).toEqual(['customer.type=w', 'page=1&per_page=20'].map((body) => [['application/json'], [form], body]));
  });

  it.each([
    [{ 'service.contentType': 'multipart/form-data' }],
    [{ 'service.contentType': 'application/xml' }],
    [{ 'service.contentType': 'application/json; charset=iso-8859-1' }],
    [
      {
        'service.contentType': 'application/x-www-form-urlencoded',
        'createCustomer.constants': { tags: ['a'] },
      },
    ],
  ])('are no start where they name what cannot be sent: %j', (overrides) => {
    expect(() => createContract(overrides)).toThrow(/allowed: (?:a media type of JSON|texts, numbers, true, false)/);
  });

  it.each([
    ['application/vnd.api+json', 'Identity'],
    ['application/json; charset=utf-8', 'utf-8'],
  ])('speak %s both ways, not compressed', async (type, coding) => {
    const plain = { 'content-type': type, 'content-encoding': coding };
    const reply = { ...success({ id: 'c1', type: 'w' }), headers: plain };
    const { gateway, upstream } = await startScripted(() => reply, { contract: { 'service.contentType': type } });
    expect((await query(gateway, create)).data.createCustomer.customer).toEqual({ id: 'c1' });
    expect(upstream.requests.map(({ headers }) => [headers['accept'], headers['content-type']])).toEqual([
      [[type], [type]],
    ]);
  });
});
