import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { GatewayServer } from '../../src/server.ts';
import { credentials, type GraphQLAnswer } from './gateway.ts';

export interface RawRequest {
  readonly method?: string;
  /** The request target exactly as it is sent, in place of the URL's. */
  readonly target?: string;
  /** A list of values is sent as repeated header lines, which `fetch` would join. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One HTTP request on a connection of its own, exactly as given: no redirect is followed, no header is added. */
export function sendRaw(
  url: string,
  { method = 'GET', target, headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers, agent: false, ...(target !== undefined && { path: target }) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends an operation with header lines exactly as given. */
export async function queryRaw(
  { url }: Pick<GatewayServer, 'url'>,
  document: string,
  headers: OutgoingHttpHeaders,
): Promise<GraphQLAnswer> {
  const {
    status,
    headers: answered,
    text,
  } = await sendRaw(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: document }),
  });
  const { data = null, errors = [], extensions } = JSON.parse(text) as Partial<GraphQLAnswer>;
  const entries = Object.entries(answered).map(([name, value]): [string, string] => [name, String(value)]);
  return { status, headers: new Headers(entries), data, errors, extensions };
}

/** Everything that comes back on a connection for these bytes, until the server closes it. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

/** Sends an operation for a client that may leave; resolves with the name of the error that it met then. */
export function askAndLeave(
  { url }: Pick<GatewayServer, 'url'>,
  document: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = credentials,
): Promise<string> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: document }),
    signal,
  }).then(
    () => 'answered',
    (error: Error) => error.name,
  );
}
