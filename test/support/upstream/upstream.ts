import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Certified } from '../certificates.ts';
import { createService, listenOnLoopback } from '../ports.ts';

/** A request as it stood on the wire. */
export interface SeenRequest {
  readonly method: string;
  /** The raw request target, query included. */
  readonly path: string;
  /** Header values by lower-case name, repeats kept apart. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: string;
}

/** What the scripted upstream does: an answer, or `cut` to destroy the socket without one, or `hang` never to answer. */
export interface Reply {
  readonly status?: number;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, where there is no `json`. */
  readonly text?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cut?: boolean;
  readonly hang?: boolean;
}

export interface ScriptedUpstream {
  readonly url: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly SeenRequest[];
  readonly server: Server;
  readonly close: () => Promise<void>;
}

/** A REST service on a loopback port, by default a free one and without TLS, that answers what `script` says and remembers what it was asked. */
export async function startUpstream(
  script: (request: SeenRequest) => Reply | Promise<Reply>,
  wantedPort = 0,
  certified?: Certified,
): Promise<ScriptedUpstream> {
  const requests: SeenRequest[] = [];
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const seen = await readRequest(incoming);
    requests.push(seen);
    sendReply(outgoing, await script(seen));
  };
  const server = createService((incoming, outgoing) => void answer(incoming, outgoing), certified);
  const { url, close } = await listenOnLoopback(server, wantedPort);
  return { url, close, requests, server };
}

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headersDistinct,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function sendReply(outgoing: ServerResponse, { status = 200, json, text = '', headers, cut, hang }: Reply): void {
  if (hang) return;
  if (cut) {
    outgoing.destroy();
    return;
  }
  const type = json === undefined ? 'text/plain' : 'application/json';
  outgoing.writeHead(status, { 'content-type': type, ...headers });
  outgoing.end(json === undefined ? text : JSON.stringify(json));
}

/** `{success: true, data}`: the envelope that the contract assumes. */
export function success(data: unknown, status = 200): Reply {
  return { status, json: { success: true, message: 'OK', data } };
}

/** The identifier in a request's path: that of the record, or of the customer above; `c1` where there is none. */
export function identifierIn(path: string): string {
  return decodeURIComponent(/\/(?:customers|settlement-banks)\/([^/?]+)/.exec(path)?.[1] ?? 'c1');
}

/** `{success: false, message, errors}`: a failure that the service itself wrote. */
export function failure(status: number, message = 'No.', errors?: unknown): Reply {
  return { status, json: { success: false, message, ...(errors === undefined ? {} : { errors }) } };
}

/** A list page as the contract assumes it, cut out of all records by the `page` and `per_page` of the request. */
export function pageOf(records: readonly unknown[], path: string, maxPageSize = 100): Reply {
  const parameters = new URL(path, 'http://upstream').searchParams;
  const page = Number(parameters.get('page') ?? 1);
  const size = Math.min(Number(parameters.get('per_page') ?? 20), maxPageSize);
  return success({
    current_page: page,
    data: records.slice((page - 1) * size, page * size),
    last_page: Math.max(1, Math.ceil(records.length / size)),
    per_page: size,
    total: records.length,
  });
}
