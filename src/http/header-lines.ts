import type { FastifyRequest } from 'fastify';
import type { HeaderLines } from '../graphql/context.ts';

/** Reads a request's headers line by line. Node 22's `headersDistinct` throws for a header named `__proto__`. */
export function headerLines({ raw: { rawHeaders } }: Pick<FastifyRequest, 'raw'>): HeaderLines {
  // Names and values, alternating.
  return (name) => {
    const lines = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
    return lines.length === 0 ? undefined : lines;
  };
}
