import type { FastifyRequest } from 'fastify';

/** Whether a request goes to the route at a path, however the path is spelled. `routeOptions` is made anew at each look. */
export function isAt(request: FastifyRequest, path: string): boolean {
  return (request.raw.url === path && !request.is404) || request.routeOptions.url === path;
}
