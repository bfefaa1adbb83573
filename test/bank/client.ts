import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach } from 'vitest';

import { startBank, type EmbeddedBank } from '../../src/bank/bank.ts';

export interface Reply {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: unknown;
}

interface Options {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export const first = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
export const second = { authorization: 'Bearer demo-token-2', svcprivatekey: 'demo-key-2' };

const json = { 'content-type': 'application/json' };

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
};

export const callUrl = async (url: string, method: string, options: Options = {}): Promise<Reply> => {
  const { body, headers = { ...first, ...json }, signal = null } = options;
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(url, { method, headers, signal, ...sent });
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: parse(await response.text()),
  };
};

/** A fresh embedded bank for each test of a file; calls are the first merchant's. */
export const useBank = () => {
  let bank: EmbeddedBank;
  const call = (method: string, path: string, options?: Options) => callUrl(`${bank.url}${path}`, method, options);
  const control = (path: string, body: unknown = {}) => call('POST', `/_bank${path}`, { body, headers: json });
  beforeEach(async () => {
    bank = await startBank({ port: 0, database: ':memory:' });
  });
  afterEach(() => bank.close());
  return {
    call,
    control,
    url: () => bank.url,
    get: (path: string, headers?: Readonly<Record<string, string>>) =>
      call('GET', `/api/v1${path}`, headers === undefined ? {} : { headers }),
    post: (path: string, body: unknown, headers: Readonly<Record<string, string>> = first) =>
      call('POST', `/api/v1${path}`, { body, headers: { ...headers, ...json } }),
    patch: (path: string, body: unknown, headers: Readonly<Record<string, string>> = first) =>
      call('PATCH', `/api/v1${path}`, { body, headers: { ...headers, ...json } }),
    journal: async () =>
      dataAt(await call('GET', '/_bank/requests'), 'requests') as readonly Readonly<Record<string, unknown>>[],
    /** Sends a request target and headers exactly as written, which fetch would put in order first. */
    raw: async (method: string, target: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
      const { promise, resolve, reject } = Promise.withResolvers<Reply>();
      const { hostname, port } = new URL(bank.url);
      request({ hostname, port, method, path: target, headers, agent: false }, (response) => {
        text(response).then(
          (body) =>
            resolve({
              status: response.statusCode ?? 0,
              contentType: response.headers['content-type'] ?? null,
              body: parse(body),
            }),
          reject,
        );
      })
        .on('error', reject)
        .end();
      return promise;
    },
  };
};

/** The value at a path of keys in an answer's body. */
export const dataAt = ({ body }: Reply, ...keys: readonly string[]): unknown =>
  keys.reduce((value, key) => (value as Readonly<Record<string, unknown>>)[key], body);

type Fields = Readonly<Record<string, string>>;

// What these answers hold is asserted by the tests that use them.
export const recordOf = (reply: Reply): Fields => dataAt(reply, 'data') as Fields;
export const rowsOf = (reply: Reply): readonly Fields[] => dataAt(reply, 'data', 'data') as readonly Fields[];
export const totalOf = (reply: Reply): number => Number(dataAt(reply, 'data', 'total'));

export const newCustomer = {
  first_name: 'Ngozi',
  last_name: 'Ọlá',
  nin: '98765432109',
  dob: '1990-02-28',
  bvn: '',
  phone: '+2340000000999',
  email: 'ngozi@example.com',
  reference: 'test-reference-1',
  type: 'wallet',
  collection_wallet: 'wal_test',
};

export const newSettlementBank = {
  name: 'Test settlement',
  account_no: '0123456789',
  account_name: 'Test Merchant',
  bank_code: '058',
  bank_slug: 'test-bank',
};
