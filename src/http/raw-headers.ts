import type { IncomingMessage } from 'node:http';

/** What a request may have; Node leaves out those behind. */
export const maxHeaderLines = 100;

/** Values of a header by its name in lower case, one for each line of it; undefined where there is none. */
export type HeaderLines = (name: string) => readonly string[] | undefined;

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
