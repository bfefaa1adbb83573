import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startScripted } from '../support/gateway.ts';
import { success } from '../support/upstream.ts';

const head = 'POST /graphql HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\n';

/** Sends the beginning, then a byte every half second for as long as the server listens; all that came back. */
function trickle(url: string, beginning: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(beginning));
    const timer = setInterval(() => socket.write('x'), 500);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {}); // it writes to what the server has closed
    socket.on('close', () => {
      clearInterval(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

it('cuts clients that never finish their headers or their body, and makes no call for them', async () => {
  const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
  const answers = await Promise.all([
    trickle(gateway.url, `${head}x-slow: `),
    trickle(gateway.url, `${head}content-length: 100000\r\n\r\n{"query":"`),
    trickle(gateway.url, `${head}transfer-encoding: chunked\r\n\r\nfff\r\n`),
  ]);
  expect(answers.map((answer) => /^HTTP\/1\.1 (\d+) /.exec(answer)?.[1])).toEqual(['408', '408', '408']);
  expect(upstream.requests).toEqual([]);
});
