import type { IncomingMessage, ServerResponse } from 'node:http';

import { credentialHeaders } from './merchants.ts';
import type { OperationName } from '../contract/operation-rows.ts';

/** One received request. */
interface Entry {
  /** Null where the path is not part of the interface. */
  readonly operation: OperationName | null;
  readonly method: string;
  /** The raw request target, query included. */
  readonly path: string;
  readonly time: string;
  /** The credential headers that were present; their values are never kept. */
  readonly credentials: readonly ('authorization' | 'privateKey')[];
  /** Null until the end, and where the connection was cut. */
  status: number | null;
  /** Null until the end. */
  durationMs: number | null;
}

/** The last requests in order of arrival, for tests that check what a caller sent. */
export type Journal = ReturnType<typeof createJournal>;

const capacity = 10_000;

const toCredentials = (headers: IncomingMessage['headers']): Entry['credentials'] => [
  ...(headers[credentialHeaders.bearer] === undefined ? [] : (['authorization'] as const)),
  ...(headers[credentialHeaders.privateKey] === undefined ? [] : (['privateKey'] as const)),
];

export const createJournal = () => {
  const entries: Entry[] = [];
  return {
    record: (operation: OperationName | null, request: IncomingMessage, response: ServerResponse): void => {
      const { method = '', url: path = '', headers } = request;
      const [time, credentials] = [new Date().toISOString(), toCredentials(headers)];
      const entry: Entry = { operation, method, path, time, credentials, status: null, durationMs: null };
      const startedAt = performance.now();
      response.once('close', () => {
        if (response.writableFinished) entry.status = response.statusCode;
        entry.durationMs = Math.round(performance.now() - startedAt);
      });
      entries.push(entry);
      if (entries.length > capacity) entries.shift();
    },
    entries: (): readonly Entry[] => entries,
    clear: (): void => {
      entries.length = 0;
    },
  };
};
