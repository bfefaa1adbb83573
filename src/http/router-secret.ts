import { createHash, timingSafeEqual } from 'node:crypto';
import type { HeaderLines } from '../graphql/context.ts';

/** Whether a request carries the router's secret in `x-router-secret`. */
export type IsRouter = (headers: HeaderLines) => boolean;

/** Compares in constant time, whatever was sent. Without a configured secret no request is the router's. */
export function createRouterCheck(secret: string | undefined): IsRouter {
  if (secret === undefined) return () => false;
  const expected = digest(secret);
  return (headers) => {
    const sent = headers('x-router-secret')?.join(', ');
    return sent !== undefined && timingSafeEqual(digest(sent), expected);
  };
}

/** Equal lengths for texts of any length, which `timingSafeEqual` needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
