import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import type { GatewayServer } from '../../../src/server.ts';
import { idleMs, startClosingUpstream } from './closing-upstream.ts';
import { codes, query, startGateway } from '../../support/gateway.ts';
import { record, scaled } from '../evidence.ts';

const gatewayCount = 50;
/** Writes of one gateway, the first included, which has no pause before it. */
const perGateway = Math.max(2, scaled(1_000) / gatewayCount);

/**
 * Pauses between two writes of a gateway, in milliseconds: round the moment at which the service closes, from before it
 * until after the news of it has come, and round the moment at which the gateway lets go of a connection itself.
 */
const pauses = [-30, -10, 0, 10, 30, 60, 90, 120, 160].map((offset) => idleMs + offset).concat(880, 895, 905, 940);

/** One gateway's writes, each for a customer of its own; all codes and user errors that came of them. */
async function writeSpaced(gateway: GatewayServer, index: number): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  for (let turn = 0; turn < perGateway; turn += 1) {
    await delay(turn === 0 ? 0 : pauses[(index + turn) % pauses.length]);
    const answer = await query(
      gateway,
      `mutation { createVirtualAccount(input: { customerId: "c${index}-${turn}" }) { virtualAccount { id } userErrors { code } } }`,
    );
    told.push(...codes(answer), ...(answer.data.createVirtualAccount?.userErrors ?? []));
  }
  return told;
}

it('sends no write over a connection that the service is closing', async () => {
  const upstream = await startClosingUpstream(150);
  const gateways = await Promise.all(
    Array.from({ length: gatewayCount }, () => startGateway({ upstream: upstream.url })),
  );
  const told = (await Promise.all(gateways.map(writeSpaced))).flat();
  const asked = upstream.requests.map(({ method, path }) => `${method} ${path}`);
  const writes = gatewayCount * perGateway;
  const unknown = told.filter((code) => code === 'OUTCOME_UNKNOWN').length;
  record(
    'Writes round the moment at which an idle connection is closed',
    `${writes} writes: ${unknown} OUTCOME_UNKNOWN, ${told.length - unknown} other errors, ${asked.length} calls, ${upstream.stale()} on a closed connection`,
  );
  expect(told).toEqual([]);
  expect(upstream.stale()).toBe(0);
  expect(asked).toHaveLength(writes);
  expect(new Set(asked).size).toBe(writes);
}, 300_000);

it('is cut off by the same service when it keeps its connections for longer', async () => {
  const upstream = await startClosingUpstream(60_000);
  const pool = new Pool(upstream.url, { connections: 1, keepAliveTimeout: 30_000 });
  const post = async () => (await pool.request({ method: 'POST', path: '/', body: '{}' })).body.text();
  await post();
  await delay(idleMs + 200);
  await expect(post()).rejects.toMatchObject({ code: 'ECONNRESET' });
  await pool.destroy();
  expect(upstream.stale()).toBe(1);
});
