import type { IncomingMessage } from 'node:http';
import type { HeaderLines } from '../graphql/context.ts';

/** What a request may have; Node leaves out those behind. */
export const maxHeaderLines = 100;

/** A request's headers line by line. Node's `headersDistinct` sorts all of them for the few that are asked for. */
export function headerLines({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): HeaderLines {
  const end = Math.min(rawHeaders.length, 2 * maxHeaderLines);
  return (name) => {
    let values: string[] | undefined;
    for (let index = 0; index < end; index += 2) {
      const given = rawHeaders[index] ?? '';
      if (given.length === name.length && given.toLowerCase() === name)
        (values ??= []).push(rawHeaders[index + 1] ?? '');
    }
    return values;
  };
}
