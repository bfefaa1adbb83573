import { Readable } from 'node:stream';

const firstBytes = 4096;

/**
 * The same body, its chunks joined into one buffer as they arrive: Fastify keeps each chunk until the end, and a chunk of
 * one byte takes hundreds of bytes of memory. The buffer is passed on at the end, or beyond the limit, where Fastify
 * refuses it.
 */
export function joinChunks(body: Readable, maxBytes: number): Readable {
  const joined = new Readable({ read: () => {} });
  let bytes = Buffer.allocUnsafe(firstBytes);
  let length = 0;
  let isTooLarge = false;
  body.on('data', (chunk: Buffer) => {
    if (isTooLarge) return;
    const needed = length + chunk.length;
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * bytes.length));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    chunk.copy(bytes, length);
    length = needed;
    isTooLarge = length > maxBytes;
    if (isTooLarge) joined.push(bytes.subarray(0, length));
  });
  body.on('end', () => {
    if (!isTooLarge) joined.push(bytes.subarray(0, length));
    joined.push(null);
  });
  // Fastify stops listening once it has refused the request, and an unhandled error event would end the process.
  joined.on('error', () => {});
  body.on('error', (error) => joined.destroy(error));
  return joined;
}
