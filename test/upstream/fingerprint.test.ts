import { createHmac, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createFingerprint } from '../../src/upstream/credentials/fingerprint.ts';

it.each([0, 1, 32, 63, 64, 65, 200])('is HMAC-SHA-256 under a secret of %i bytes', (length) => {
  const secret = randomBytes(length);
  const fingerprint = createFingerprint(secret);
  for (const text of ['', 'abc', 'ñ€😀', 'x'.repeat(10_000)]) {
    expect(fingerprint(text)).toBe(createHmac('sha256', secret).update(text).digest('base64url'));
  }
});
