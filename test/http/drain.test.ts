import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { credentials, query, startGateway } from '../support/gateway.ts';
import { startHeldUpstream } from '../support/upstream/held-upstream.ts';
import { sendRaw } from '../support/http.ts';

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

  it('finishes what is in flight, and lets nobody else in', async () => {
    const { upstream, gateway } = await startHeld({ REQUEST_TIMEOUT_MS: '600000' });
    const asking = query(gateway, document);
    const held = await upstream.next();
    const closed = gateway.close();
    await expect
      .poll(() =>
        sendRaw(`${gateway.url}/health/live`).then(
          () => 'in',
          () => 'out',
        ),
      )
      .toBe('out');
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
