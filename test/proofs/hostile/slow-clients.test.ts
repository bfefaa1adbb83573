import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startScripted } from '../../support/gateway.ts';
import { freePort } from '../../support/ports.ts';
import { readSamples, valueOf } from '../../support/samples.ts';
import { success } from '../../support/upstream/upstream.ts';

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

it('closes clients that do not read their answers, which frees what they hold', async () => {
  const { gateway } = await startScripted(() => success({ id: 'c1' }), {
    environment: { REQUEST_TIMEOUT_MS: '1000', UPSTREAM_TIMEOUT_MS: '1000', ADMIN_PORT: await freePort() },
  });
  // A megabyte each, made without a call: enough of them fill the buffers of both ends.
  const names = Array.from({ length: 49 }, (_, index) => `a${index}: sdl`);
  const body = JSON.stringify({ query: `{ _service { ${names.join(' ')} } }` });
  const { hostname, port } = new URL(gateway.url);
  const left = Array.from({ length: 10 }, async () => {
    const socket = connect(Number(port), hostname).pause();
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`.repeat(16));
    // Paused, a client does not see the end, but what it writes is refused.
    const timer = setInterval(() => socket.write(' '), 500);
    await new Promise<void>((resolve) => void socket.on('error', () => resolve()).on('close', () => resolve()));
    clearInterval(timer);
  });
  const inFlight = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${gateway.adminPort}/metrics`)).text();
    return valueOf(readSamples(metrics), 'settlement_graph_requests_in_flight');
  };
  await expect.poll(inFlight).toBeGreaterThanOrEqual(10);
  await Promise.all(left);
  await expect.poll(inFlight).toBe(0);
});

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
