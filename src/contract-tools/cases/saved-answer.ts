import { createReadStream } from 'node:fs';
import { maxResponseBytes, type GivenAnswer } from '../../upstream/index.ts';

const maxHeadBytes = 64 * 1024;
const maxInputBytes = maxResponseBytes + maxHeadBytes;

/** The bytes of a file, or of standard input for `-`. Throws for more than `maxBytes`: a device might never end. */
export async function readInput(file: string, maxBytes = maxInputBytes): Promise<Buffer> {
  const name = file === '-' ? 'standard input' : file;
  const stream: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Error(`${name}: cannot be read (${code}).`, { cause: error });
  }
  if (bytes <= maxBytes) return Buffer.concat(chunks);
  throw new Error(`${name}: found more than ${maxBytes} bytes; allowed: at most ${maxBytes}.`);
}

/**
 * A bare body with status 200, or a whole HTTP answer as `curl --include` saves it. Interim answers and those of a proxy
 * before the last one are passed over. `status` replaces what the text says.
 */
export function parseAnswer(bytes: Buffer, status?: number): GivenAnswer {
  // Editors put a byte order mark before a text, which the service did not send.
  let rest = bytes.subarray(bytes.indexOf('\uFEFF') === 0 ? 3 : 0);
  let answer: GivenAnswer = { status: status ?? 200, headers: {}, body: rest };
  for (;;) {
    const head = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n((?:\r*[^\r\n][^\n]*\n)*)\r?\n?/.exec(
      rest.subarray(0, maxHeadBytes).toString('latin1'),
    );
    if (head === null) return answer;
    const [text, code, lines = ''] = head;
    rest = rest.subarray(text.length);
    answer = { status: status ?? Number(code), headers: parseHeaders(lines), body: rest };
  }
}

/** The body of a saved answer is plain, however it was compressed on its way. */
function parseHeaders(lines: string): GivenAnswer['headers'] {
  const headers = lines.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(headers.filter(([name]) => name !== '' && name !== 'content-encoding'));
}
