import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Certified } from '../../support/certificates.ts';
import { createService, listenOnLoopback } from '../../support/ports.ts';

/** One merchant among many: two credentials, and the marks of whatever the service answers to them. */
export interface MarkedCaller {
  readonly index: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly marks: ReadonlySet<string>;
}

export function createCallers(count: number): readonly MarkedCaller[] {
  return Array.from({ length: count }, (_, index) => {
    const headers = { authorization: `Bearer test-token-${index}`, svcprivatekey: `test-key-${index}` };
    return { index, headers, marks: new Set(Object.values(headers).map(markOf)) };
  });
}

/** What stands in every text of every answer to a credential. */
function markOf(credential: string): string {
  return `mark-${createHmac('sha256', 'marks of the isolation proof').update(credential).digest('hex').slice(0, 16)}`;
}

/** Every mark in an answer, in order. */
export function marksIn(text: string): readonly string[] {
  return text.match(/mark-[\da-f]{16}/g) ?? [];
}

/** The marks in an answer that belong to somebody else. */
export function foreignMarks(text: string, { marks }: MarkedCaller): readonly string[] {
  return marksIn(text).filter((mark) => !marks.has(mark));
}

export interface MarkingUpstream {
  readonly url: string;
  /** Calls for a record of one caller that came with the credential of another, or with two. */
  readonly misdirected: () => number;
  /** How many customers it was asked to create. */
  readonly creates: () => number;
}

/**
 * A service that answers everybody, late by a little and not in the order it was asked, and marks every text with the
 * credential it was asked with. Identifiers tell whose records are meant: `7-1` is one of caller 7. With a certificate it
 * speaks TLS.
 */
export async function startMarkingUpstream(certified?: Certified): Promise<MarkingUpstream> {
  let calls = 0;
  let misdirected = 0;
  let creates = 0;
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    incoming.resume();
    calls += 1;
    if (incoming.method === 'POST' && incoming.url === '/api/v1/customers/') creates += 1;
    const given = [incoming.headersDistinct['authorization'], incoming.headersDistinct['svcprivatekey']].flatMap(
      (values) => values ?? [],
    );
    const [credential = ''] = given;
    const owner = /\/(\d+)-\d/.exec(incoming.url ?? '')?.[1];
    if (given.length !== 1 || (owner !== undefined && !credential.endsWith(`-${owner}`))) misdirected += 1;
    const body = JSON.stringify({ success: true, data: dataFor(incoming.url ?? '', markOf(credential)) });
    setTimeout(() => {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      outgoing.end(body);
    }, calls % 4);
  };
  const { url, close } = await listenOnLoopback(createService(answer, certified));
  onTestFinished(close);
  return { url, misdirected: () => misdirected, creates: () => creates };
}

/** A record that every operation can read, all its texts marked; a page of two of them where a page was asked for. */
function dataFor(path: string, mark: string): unknown {
  const record = (id: string) => ({
    id,
    name: mark,
    // A new customer is held to the reference that it was sent with, the same for all callers.
    reference: path.endsWith('/customers/') ? undefined : mark,
    first_name: mark,
    bank_name: mark,
    balance: '1.00',
    amount: '1.00',
  });
  if (!path.includes('?')) return record(/\/(\d+-\d+)/.exec(path)?.[1] ?? mark);
  return { current_page: 1, per_page: 2, total: 2, last_page: 1, data: [record(`${mark}-a`), record(`${mark}-b`)] };
}
