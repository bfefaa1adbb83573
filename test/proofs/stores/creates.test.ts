import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bytesIn, foundIn, temporaryFolder } from '../../support/folder.ts';
import { identity, plantIdentity, plantedSecrets } from '../../support/identity.ts';
import {
  createEqual,
  createEqualInOne,
  createKeyed,
  createWhileDown,
  createWithCuts,
  creating,
  leaveWhileCreating,
  slowly,
  startGatewayProcess,
  toldOf,
  withTold,
} from './keyed.ts';
import { durable, mayUseRedis, startRedis } from '../../upstream/idempotency/redis.ts';
import { startUpstream } from '../../support/upstream/upstream.ts';
import { record, scaled } from '../evidence.ts';

const startFile = async () => {
  const folder = await temporaryFolder();
  const IDEMPOTENCY_STORE = `sqlite:${join(folder, 'keys.sqlite')}`;
  return { folder, environment: { IDEMPOTENCY_STORE, FINGERPRINT_SECRET: 'x'.repeat(32) } };
};

const skipped = 'skipped: redis-server is not installed';
it.skipIf(mayUseRedis)(`says so where there is no Redis: ${skipped}`, () => {
  record('Keys in Redis', skipped);
  expect(mayUseRedis).toBe(false);
});

describe.each([
  ['SQLite', startFile] as const,
  ...(mayUseRedis ? [['Redis', () => startRedis({ ...durable, save: '1 1' })] as const] : []),
])('creates with keys in %s', (store, startStore) => {
  it('tells exactly the creates that were sent to a service that cuts them from those that were not', async () => {
    const { environment } = await startStore();
    const { asked, first, sentFirst, second, sentSecond, third, sentThird } = await createWhileDown(
      environment,
      scaled(500),
    );
    const unknown = withTold(first, 'OUTCOME_UNKNOWN');
    const unsent = withTold(first, 'UPSTREAM_UNAVAILABLE');
    record(
      `Creates at a service that cuts every connection, ${store}`,
      `${asked.length} creates: ${sentFirst.size} sent, ${unknown.length} OUTCOME_UNKNOWN, ${unsent.length} not sent; again: ${sentSecond.size - sentFirst.size} sent`,
    );
    expect([...sentFirst.keys()].toSorted()).toEqual(unknown.toSorted());
    expect(unknown.length + unsent.length).toBe(asked.length);
    expect(unsent.length).toBeGreaterThan(0);
    expect(withTold(second, 'OUTCOME_UNKNOWN')).toEqual(unknown);
    expect(withTold(second, 'done')).toEqual(unsent);
    expect(new Set(sentSecond.values())).toEqual(new Set([1]));
    expect(sentSecond.size).toBe(asked.length);
    expect(third).toEqual(second);
    expect(sentThird).toEqual(sentSecond);
  }, 120_000);

  it('sends no create again of those that were cut among others that were not', async () => {
    const { environment } = await startStore();
    const count = scaled(500);
    const { cut, first, sent, again, sentAgain } = await createWithCuts(environment, count);
    record(
      `Creates of which every third is cut, ${store}`,
      `${count} creates: ${cut.length} OUTCOME_UNKNOWN; again: ${sentAgain - sent} sent`,
    );
    expect(withTold(first, 'OUTCOME_UNKNOWN')).toEqual(cut);
    expect(withTold(first, 'done')).toHaveLength(count - cut.length);
    expect(again).toEqual(first);
    expect([sent, sentAgain]).toEqual([count, count]);
  }, 120_000);

  it('records the outcome of every create whose client left', async () => {
    const { environment } = await startStore();
    const count = scaled(200);
    const { left, again, sent } = await leaveWhileCreating(environment, count);
    const known = withTold(again, 'done').length;
    record(
      `Clients that leave in the middle of a create, ${store}`,
      `${left} left: ${known} outcomes recorded, ${sent - count} creates sent again`,
    );
    expect([left, known, sent]).toEqual([count, count, count]);
  }, 120_000);

  it('makes one create of equal ones, in one process and in two', async () => {
    const { environment } = await startStore();
    const inOne = await createEqualInOne((await startStore()).environment, 100);
    expect([inOne.answers.size, inOne.sent]).toEqual([1, 1]);
    const upstream = await startUpstream(slowly(creating));
    onTestFinished(upstream.close);
    const start = () => startGatewayProcess({ UPSTREAM_URL: upstream.url, ...environment });
    const gateways = [await start(), await start()];
    const answers = await createEqual(gateways, 100);
    record(
      `Equal creates at once, two processes, ${store}`,
      `100 creates: ${upstream.requests.length} sent, ${answers.size} answer`,
    );
    expect([...answers]).toEqual([expect.stringContaining('id-of-ref-0')]);
    expect(upstream.requests).toHaveLength(1);
  }, 60_000);

  it('leaves nothing that can be read in its files', async () => {
    const { folder, environment } = await startStore();
    const { gateway, told } = await plantIdentity(environment);
    const running = await bytesIn(folder);
    await gateway.close();
    const found = foundIn(running + (await bytesIn(folder)), [...Object.values(identity), ...plantedSecrets]);
    record(
      `Identity values and credentials in the bytes, ${store}`,
      `${Object.keys(identity).length} values and ${plantedSecrets.length} secrets looked for: ${found.length} found`,
    );
    expect(told).toEqual(['done', 'OUTCOME_UNKNOWN']);
    expect(running).toContain('answered');
    expect(found).toEqual([]);
  });
});

it('records the keys of 200 creates at once, each its own, and refuses none', async () => {
  const { environment } = await startFile();
  const upstream = await startUpstream(creating);
  onTestFinished(upstream.close);
  const gateway = await startGatewayProcess({ UPSTREAM_URL: upstream.url, ...environment });
  const references = Array.from({ length: 200 }, (_, index) => `ref-${index}`);
  const told = await Promise.all(references.map(async (reference) => toldOf(await createKeyed(gateway, reference))));
  const refused = told.filter((one) => one === 'IDEMPOTENCY_STORE_UNAVAILABLE').length;
  record('Creates at once, each with a key of its own, on a SQLite file', `200 creates: ${refused} refused`);
  expect(new Set(told)).toEqual(new Set(['done']));
  expect(upstream.requests).toHaveLength(200);
}, 60_000);
