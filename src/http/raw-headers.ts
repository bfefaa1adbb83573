import type { IncomingMessage } from 'node:http';
import type { HeaderLines } from '../graphql/context.ts';

/** Node ignores further headers of a request. */
export const maxHeaderLines = 100;

/** Reads header values line by line. Node's `headersDistinct` would process all headers for the few that are read. */
export function createHeaderReader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): HeaderLines {
  const end = Math.min(rawHeaders.length, 2 * maxHeaderLines);
  return (name) => {
    let values: string[] | undefined;
    for (let index = 0; index < end; index += 2) {
      const rawName = rawHeaders[index] ?? '';
      if (rawName.length === name.length && rawName.toLowerCase() === name)
        (values ??= []).push(rawHeaders[index + 1] ?? '');
    }
    return values;
  };
}
