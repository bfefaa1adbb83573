import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares what a request sent for the router's secret with it, in the same time whatever it sent. */
export function createSecretCheck(secret: string): (sent: string | undefined) => boolean {
  const expected = digest(secret);
  return (sent) => sent !== undefined && timingSafeEqual(digest(sent), expected);
}

/** Of one length for texts of every length, as the comparison needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
