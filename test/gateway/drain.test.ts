import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { credentials, query, startGateway } from '../support/gateway.ts';
import { startHeldUpstream } from '../support/held-upstream.ts';
import { sendRaw } from '../support/http.ts';
import { identifierIn } from '../support/upstream.ts';

const document = '{ customer(id: "c1") { id } }';
const record = { success: true, data: { id: 'c1' } };
/** Longer than a test looks on. */
const delayMs = 2_000;

async function startHeld(environment: Readonly<Record<string, string>> = {}) {
  const upstream = await startHeldUpstream();
  const gateway = await startGateway({ upstream: upstream.url, environment });
  return { upstream, gateway };
}

describe('a gateway that is told to stop', () => {
  it('says at once that it is not ready and that connections end, and answers as before meanwhile', async () => {
    const { upstream, gateway } = await startHeld();
    await expect.poll(async () => (await sendRaw(`${gateway.url}/health/ready`)).status).toBe(200);
    void gateway.close(delayMs);
    expect((await sendRaw(`${gateway.url}/health/ready`)).status).toBe(503);
    expect((await sendRaw(`${gateway.url}/health/live`)).status).toBe(200);
    const asking = query(gateway, document);
    (await upstream.next()).release(record);
    const answer = await asking;
    expect(answer.data).toEqual({ customer: { id: 'c1' } });
    expect(answer.headers.get('connection')).toBe('close');
  });

  it.each([
    ['content-length: 9', '123456789'],
    ['transfer-encoding: chunked', '9\r\n123456789\r\n0\r\n\r\n'],
  ])(
    'announces no end of a connection whose body it has not read: closing it would reset it (%s)',
    async (header, body) => {
      const { gateway } = await startHeld();
      void gateway.close(delayMs);
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      // A preflight is answered before its body was looked at.
      const preflight = 'OPTIONS /graphql HTTP/1.1\r\nhost: gateway\r\norigin: http://localhost:3000\r\n';
      const asked = 'access-control-request-method: POST\r\n';
      socket.write(`${preflight}${asked}${header}\r\n\r\n`);
      const [unread] = (await once(socket, 'data')) as [Buffer];
      expect(String(unread)).toMatch(/^HTTP\/1\.1 204 /);
      expect(String(unread).toLowerCase()).not.toContain('connection: close');
      socket.write(`${body}${preflight}${asked}\r\n`);
      const [read] = (await once(socket, 'data')) as [Buffer];
      expect(String(read).toLowerCase()).toContain('connection: close');
      socket.destroy();
    },
  );

  it('answers each of several requests that a client sent without waiting, and ends the connection with the last', async () => {
    const { upstream, gateway } = await startHeld();
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const request = (id: string): string => {
      const body = JSON.stringify({ query: `{ customer(id: "${id}") { id } }` });
      const headers = `host: gateway\r\nsvcprivatekey: test-key\r\ncontent-type: application/json`;
      return `POST /graphql HTTP/1.1\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    };
    let answers = '';
    const ended = once(socket, 'close');
    socket.on('data', (data: Buffer) => (answers += String(data)));
    socket.write(['c1', 'c2', 'c3'].map(request).join(''));
    const held = [await upstream.next(), await upstream.next(), await upstream.next()];
    void gateway.close(delayMs);
    for (const call of held) call.release({ success: true, data: { id: identifierIn(call.path) } });
    await ended;
    expect(answers.match(/^HTTP\/1\.1 200 OK/gm)).toHaveLength(3);
    expect(answers.match(/"id":"c\d"/g)).toEqual(['"id":"c1"', '"id":"c2"', '"id":"c3"']);
    expect(answers.match(/^connection: close/gim)).toHaveLength(1);
  });

  it('finishes what is in flight, and lets nobody else in', async () => {
    const { upstream, gateway } = await startHeld({ REQUEST_TIMEOUT_MS: '600000' });
    const asking = query(gateway, document);
    const held = await upstream.next();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const closed = gateway.close();
    await expect
      .poll(() =>
        sendRaw(`${gateway.url}/health/live`).then(
          () => 'in',
          () => 'out',
        ),
      )
      .toBe('out');
    // As long as a request may take, and two seconds.
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(602_000);
    held.release(record);
    expect((await asking).data).toEqual({ customer: { id: 'c1' } });
    await closed;
  });

  it('waits for no connection that brings no request', async () => {
    const { gateway } = await startHeld({ REQUEST_TIMEOUT_MS: '600000' });
    const silent = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const halfway = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    halfway.write('POST /graphql HTTP/1.1\r\nhost: gate');
    const cut = [silent, halfway].map((socket) => {
      socket.on('error', () => {}); // it may be told by a reset
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await Promise.all([once(silent, 'connect'), once(halfway, 'connect')]);
    await gateway.close();
    expect(await Promise.all(cut)).toHaveLength(2);
  });

  it('waits for a request no longer than it may take', async () => {
    const { upstream, gateway } = await startHeld({ REQUEST_TIMEOUT_MS: '200', UPSTREAM_TIMEOUT_MS: '100' });
    const asking = query(gateway, document, { headers: credentials });
    await upstream.next();
    await gateway.close();
    expect((await asking).errors[0]?.extensions['code']).toBe('UPSTREAM_TIMEOUT');
  });
});
