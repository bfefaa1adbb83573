import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { describe, expect, it } from 'vitest';
import type { GatewayServer } from '../../../src/server.ts';
import { createCustomer, createGate, postsOf } from '../../support/create.ts';
import { codes, query, startGateway, startScripted } from '../../support/gateway.ts';
import { createKeyed, creating, timed, timesWhile, toldOf } from './keyed.ts';
import { killAndRestart, killStore, shortTimeouts, startJournal } from './kills.ts';
import { startCommand } from '../../support/process.ts';
import { freePort } from '../../support/ports.ts';
import { durable, mayUseRedis, startRedis, type RedisServer } from '../../upstream/idempotency/redis.ts';
import { readSamples, valueOf } from '../../support/samples.ts';
import { failure } from '../../support/upstream/upstream.ts';
import { record, scaled } from '../evidence.ts';

describe.runIf(mayUseRedis)('keys in Redis', () => {
  it('are free again after a refusal, at another gateway too', async () => {
    const { environment } = await startRedis();
    const replies = [failure(422)];
    const { gateway, upstream } = await startScripted((request) => replies.shift() ?? creating(request), {
      environment,
    });
    const other = await startGateway({ upstream: upstream.url, environment });
    expect(toldOf(await createKeyed(gateway, 'ref-0'))).toBe('refused');
    expect(toldOf(await createKeyed(other, 'ref-0'))).toBe('done');
    const reused = await createCustomer(gateway, { key: 'key-of-ref-0', input: { reference: 'other' } });
    expect(codes(reused)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
    expect(upstream.requests).toHaveLength(2);
  });

  it('hold no more than one create, and no outcome that the service contradicts, however often a gateway is killed', async () => {
    const { url } = await startRedis();
    const journal = await startJournal();
    const environment = { IDEMPOTENCY_STORE: url, FINGERPRINT_SECRET: 'x'.repeat(32) };
    const rounds = Math.max(3, scaled(20));
    const result = await killAndRestart(journal, environment, 'redis', rounds);
    const twice = [...journal.journal.keys()].filter((reference) => journal.recordsOf(reference) > 1);
    record(
      'Redis: kill -9 of gateways under creates with keys',
      `${result.kills} kills, ${result.creates} creates, ${result.interrupted} interrupted: ${twice.length} recorded twice, ${result.contradictions.length} contradicted`,
    );
    expect(twice).toEqual([]);
    expect(result.contradictions).toEqual([]);
  }, 300_000);

  it('hold the same however often Redis itself is killed', async () => {
    const redis = await startRedis();
    const journal = await startJournal();
    const gateway = await startGateway({
      upstream: journal.url,
      environment: { ...redis.environment, ...shortTimeouts },
    });
    const result = await killStore(journal, gateway, redis, Math.max(3, scaled(20)));
    const twice = [...journal.journal.keys()].filter((reference) => journal.recordsOf(reference) > 1);
    record(
      'Redis: kill -9 of Redis under creates with keys',
      `${result.kills} kills, ${result.creates} creates, ${result.unknown} OUTCOME_UNKNOWN (${result.unknownInVain} of what was not done, ${result.forgotten} after they had been told as done): ${twice.length} recorded twice, ${result.contradictions.length} contradicted`,
    );
    expect(twice).toEqual([]);
    expect(result.contradictions).toEqual([]);
  }, 300_000);
});

/** A gateway over that Redis, with metrics. */
const measured = async ({ environment }: RedisServer) => ({
  environment: { ...environment, ADMIN_PORT: await freePort() },
});

async function claimFailures({ adminPort }: GatewayServer, fault: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const name = 'settlement_graph_idempotency_store_failures_total';
  return valueOf(readSamples(metrics), `${name}{command="claim",fault="${fault}"}`);
}

/** Has Redis write its snapshot where a folder stands in the way, which it then tells of by MISCONF. */
async function failToSave({ folder, url }: RedisServer): Promise<void> {
  await mkdir(join(folder, 'folder'), { recursive: true });
  await writeFile(join(folder, 'folder', 'file'), '');
  const client = await createClient({ url }).connect();
  await client.sendCommand(['BGSAVE']);
  await expect.poll(async () => client.info('persistence')).toMatch(/rdb_bgsave_in_progress:0/);
  client.destroy();
}

describe.runIf(mayUseRedis)('a Redis that has gone', () => {
  it('refuses creates with a key before they are sent, and nothing else; when it is back, keys are known', async () => {
    const redis = await startRedis();
    const { gateway, upstream } = await startScripted(creating, await measured(redis));
    expect(toldOf(await createKeyed(gateway, 'ref-before'))).toBe('done');
    await redis.kill();
    const sent = upstream.requests.length;
    const refused = [await createKeyed(gateway, 'ref-new'), await createKeyed(gateway, 'ref-before')];
    expect(refused.map(codes)).toEqual([['IDEMPOTENCY_STORE_UNAVAILABLE'], ['IDEMPOTENCY_STORE_UNAVAILABLE']]);
    expect(refused[0]?.errors[0]?.extensions).toMatchObject({ operation: 'createCustomer', retryable: true });
    expect(refused[0]?.errors[0]?.message).toMatch(/Nothing was sent/);
    expect(await claimFailures(gateway, 'away')).toBe(2);
    expect(upstream.requests).toHaveLength(sent);
    expect((await createCustomer(gateway, { input: { reference: 'no-key' } })).errors).toEqual([]);
    expect((await query(gateway, '{ customer(id: "c1") { type } }')).errors).toEqual([]);
    await redis.restart();
    await expect.poll(async () => toldOf(await createKeyed(gateway, 'ref-new'))).toBe('done');
    const known = await createKeyed(gateway, 'ref-before');
    expect(known.data.createCustomer.customer.id).toBe('id-of-ref-before');
    const references = postsOf(upstream.requests).map(
      ({ body }) => (JSON.parse(body) as { readonly reference: string }).reference,
    );
    expect(references).toEqual(['ref-before', 'no-key', 'ref-new']);
  });

  it('that does not answer refuses creates with a key in time, and frees what it took late', async () => {
    const redis = await startRedis();
    const { gateway, upstream } = await startScripted(creating, await measured(redis));
    await createKeyed(gateway, 'ref-before');
    redis.signal('SIGSTOP');
    const creatingNow = timed(createKeyed(gateway, 'ref-0'));
    const lateMs = Math.max(...(await timesWhile(creatingNow, () => query(gateway, '{ __typename }'))));
    const { told, tookMs } = await creatingNow;
    record('Redis does not answer', `a create with a key is refused within ${Math.round(tookMs)} ms, and not sent`);
    expect(told).toEqual(['IDEMPOTENCY_STORE_UNAVAILABLE']);
    expect(tookMs).toBeLessThan(500 + 2 * lateMs);
    expect(await claimFailures(gateway, 'slow')).toBe(1);
    expect(postsOf(upstream.requests)).toHaveLength(1);
    redis.signal('SIGCONT');
    await expect.poll(async () => toldOf(await createKeyed(gateway, 'ref-0'))).toBe('done');
    expect(postsOf(upstream.requests)).toHaveLength(2);
  });

  it.each([
    ['without memory', { maxmemory: '1' }],
    ['that cannot write to its disk', { save: '3600 1', dbfilename: 'folder' }],
  ])('or one %s refuses creates with a key, and is told as full', async (_, settings) => {
    const redis = await startRedis({ ...durable, ...settings });
    const { gateway, upstream } = await startScripted(creating, await measured(redis));
    await failToSave(redis);
    expect(codes(await createKeyed(gateway, 'ref-0'))).toEqual(['IDEMPOTENCY_STORE_UNAVAILABLE']);
    expect(await claimFailures(gateway, 'full')).toBe(1);
    expect(upstream.requests).toEqual([]);
  });

  it('during a create leaves that answered, and never lets it be sent again', async () => {
    const redis = await startRedis();
    const gate = createGate();
    const { gateway, upstream } = await startScripted(
      async (request) => {
        await gate.pass();
        return creating(request);
      },
      { environment: { ...redis.environment, UPSTREAM_TIMEOUT_MS: '5000', REQUEST_TIMEOUT_MS: '5000' } },
    );
    const creatingNow = createKeyed(gateway, 'ref-0');
    await gate.reached;
    await redis.kill();
    gate.open();
    expect(toldOf(await creatingNow)).toBe('done');
    await redis.restart();
    await expect.poll(async () => toldOf(await createKeyed(gateway, 'ref-1'))).toBe('done');
    expect(['done', 'OUTCOME_UNKNOWN']).toContain(toldOf(await createKeyed(gateway, 'ref-0')));
    expect(postsOf(upstream.requests)).toHaveLength(2);
  });
});

describe.runIf(mayUseRedis)('a Redis at start', () => {
  const start = (url: string, more: Readonly<Record<string, string>> = {}) =>
    startCommand('node', ['src/cli.ts', 'serve'], {
      environment: {
        UPSTREAM_URL: 'http://127.0.0.1:9',
        IDEMPOTENCY_STORE: url,
        FINGERPRINT_SECRET: 'x'.repeat(32),
        LOG_LEVEL: 'error',
        ...more,
      },
    });

  it.each([
    ['appendonly', { ...durable, appendonly: 'no' }, /appendonly is no, needed: yes/],
    ['appendfsync', { ...durable, appendfsync: 'everysec' }, /appendfsync is everysec, needed: always/],
    [
      'maxmemory-policy',
      { ...durable, 'maxmemory-policy': 'allkeys-lru' },
      /maxmemory-policy is allkeys-lru, needed: noeviction/,
    ],
  ])(
    'that may forget is refused in one line that names the setting, unless that is accepted: %s',
    async (_, settings, line) => {
      const { url } = await startRedis(settings);
      const refused = start(url);
      expect(await refused.exited).toBe(1);
      expect(refused.output().trim().split('\n')).toHaveLength(1);
      expect(refused.output()).toMatch(line);
      expect(refused.output()).toMatch(/\?durability=accept/);
      const accepted = start(`${url}?durability=accept`);
      expect(await accepted.printed(/GraphQL\s+http/)).toBeTruthy();
    },
  );

  it('that runs in cluster mode is refused in one line, even where it may forget', async () => {
    // By default its nodes talk on a port that is greater by 10,000, which the system may have given to somebody.
    const nodes = { 'cluster-enabled': 'yes', 'cluster-port': await freePort() };
    const { url } = await startRedis({ ...durable, ...nodes });
    const gateway = start(`${url}?durability=accept`);
    expect(await gateway.exited).toBe(1);
    expect(gateway.output().trim().split('\n')).toHaveLength(1);
    expect(gateway.output()).toMatch(/cluster mode/);
  });

  it('that is a replica is one line and the end', async () => {
    const { url } = await startRedis({ ...durable, replicaof: '127.0.0.1 1' });
    const gateway = start(url);
    expect(await gateway.exited).toBe(1);
    expect(gateway.output().trim().split('\n')).toHaveLength(1);
    expect(gateway.output()).toMatch(/READONLY/);
  });

  it('that is not there is one line and the end', async () => {
    const redis = await startRedis();
    await redis.kill();
    const gateway = start(redis.url);
    expect(await gateway.exited).toBe(1);
    expect(gateway.output().trim().split('\n')).toHaveLength(1);
    expect(gateway.output()).toMatch(/ECONNREFUSED/);
  });

  it('that wants a password tells none', async () => {
    const redis = await startRedis({ ...durable, requirepass: 'right-password' });
    const gateway = start(redis.url.replace('://', '://:planted-password@'));
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).not.toContain('planted-password');
    const right = start(redis.url.replace('://', '://:right-password@'));
    expect(await right.printed(/GraphQL\s+http/)).toBeTruthy();
  });

  it('does not keep alive a gateway whose port is taken', async () => {
    const { url } = await startRedis();
    const holder = await startGateway({ upstream: 'http://127.0.0.1:9' });
    const gateway = start(url, { PORT: new URL(holder.url).port });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toMatch(/EADDRINUSE/);
  });

  it('does not keep alive a gateway that is told to stop while it has gone', async () => {
    const redis = await startRedis();
    const gateway = start(redis.url);
    await gateway.printed(/GraphQL\s+http/);
    await redis.kill();
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
  });
});
