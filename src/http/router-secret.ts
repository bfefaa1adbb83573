import { createHash, timingSafeEqual } from 'node:crypto';
import type { HeaderLines } from '../graphql/context.ts';

/** Whether a request carries the router's secret in `x-router-secret`. */
export type IsRouter = (headers: HeaderLines) => boolean;

/** Creates a comparison in constant time. Without a configured secret no request is the router's. */
export function createRouterCheck(secret: string | undefined): IsRouter {
  if (secret === undefined) return () => false;
  const expected = digest(secret);
  return (headers) => {
    const value = headers('x-router-secret')?.join(', ');
    return value !== undefined && timingSafeEqual(digest(value), expected);
  };
}

/** `timingSafeEqual` needs values of equal length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
