import type { IncomingMessage } from 'node:http';

import { credentialHeaders } from './merchants.ts';
import type { OperationName } from './operations.ts';

/** One request as it arrived. */
interface Entry {
  /** Null when the path is none of the interface. */
  readonly operation: OperationName | null;
  readonly method: string;
  /** The raw request target, query included. */
  readonly path: string;
  readonly time: string;
  /** Which credential headers were there, whatever they held; their values are never kept. */
  readonly credentials: readonly ('authorization' | 'privateKey')[];
}

/** The newest requests in order of arrival, so that a test can see what a caller really sent. */
export interface Journal {
  readonly record: (operation: OperationName | null, request: IncomingMessage) => void;
  readonly entries: () => readonly Entry[];
  readonly clear: () => void;
}

const capacity = 10_000;

const toCredentials = (headers: IncomingMessage['headers']): Entry['credentials'] => [
  ...(headers[credentialHeaders.bearer] === undefined ? [] : (['authorization'] as const)),
  ...(headers[credentialHeaders.privateKey] === undefined ? [] : (['privateKey'] as const)),
];

export const createJournal = (): Journal => {
  const entries: Entry[] = [];
  return {
    record: (operation, { method = '', url = '', headers }) => {
      entries.push({
        operation,
        method,
        path: url,
        time: new Date().toISOString(),
        credentials: toCredentials(headers),
      });
      if (entries.length > capacity) entries.shift();
    },
    entries: () => entries,
    clear: () => {
      entries.length = 0;
    },
  };
};
