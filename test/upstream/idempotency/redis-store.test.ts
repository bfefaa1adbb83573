import { once } from 'node:events';
import { createServer } from 'node:net';
import { createClient } from '@redis/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openRedisStore } from '../../../src/upstream/idempotency/redis-store.ts';
import { mayUseRedis, startRelay, startRedis } from './redis.ts';
import { freeUrl } from '../../support/ports.ts';
import { intentOf } from './store.ts';
import { testEntries } from './store-tests.ts';

const hourMs = 3_600_000;
if (!mayUseRedis) process.stdout.write('skipped: tests of keys in Redis, since redis-server is not installed\n');

describe.runIf(mayUseRedis)('entries in Redis', () => {
  const openAt = async (url: string, acceptsLoss = false) => {
    const store = await openRedisStore({ url, acceptsLoss, onLost: () => {} });
    onTestFinished(store.close);
    return store;
  };
  const clientAt = async (url: string) => {
    const client = await createClient({ url }).connect();
    onTestFinished(() => client.destroy());
    return client;
  };
  const start = async () => {
    const { url } = await startRedis();
    return { open: () => openAt(url), client: await clientAt(url) };
  };

  testEntries(async () => {
    const { open } = await start();
    return [await open(), await open()];
  });

  it.each([
    ['answered', 72],
    ['unknown', 720],
    ['pending', 720],
  ] as const)('expire by the clock of Redis: what is %s after %d hours', async (state, hours) => {
    const { open, client } = await start();
    const [store, intent] = [await open(), intentOf()];
    await store.claim('id', intent);
    await store.settle('id', { ...intent, state });
    expect(Math.ceil((await client.pTTL('settlement-graph:create:id')) / hourMs)).toBe(hours);
    await client.pExpire('settlement-graph:create:id', 1);
    await vi.waitFor(async () => expect(await client.keys('*')).toEqual(['settlement-graph:epoch']));
    expect(await store.claim('id', intentOf())).toBeUndefined();
  });

  it('are claimed again after a failover, at the server to which the address then leads', async () => {
    const [first, second] = [await startRedis(), await startRedis()];
    const address = await startRelay(first.url);
    const store = await openAt(address.url);
    const [one, other] = [await clientAt(first.url), await clientAt(second.url)];
    await one.configSet('repl-diskless-sync-delay', '0');
    await other.sendCommand(['REPLICAOF', '127.0.0.1', new URL(first.url).port]);
    await vi.waitFor(async () => expect(await other.exists('settlement-graph:epoch')).toBe(1), 5_000);
    address.moveTo(second.url);
    await other.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    await one.sendCommand(['REPLICAOF', '127.0.0.1', new URL(second.url).port]);
    await vi.waitFor(() => store.claim('id', intentOf()), { timeout: 5_000, interval: 50 });
    expect(await other.exists('settlement-graph:create:id')).toBe(1);
  });

  it('are not claimed at a Redis that has lost every key, unless that is accepted', async () => {
    const { url } = await startRedis();
    const store = await openAt(url);
    await store.claim('id', intentOf());
    await (await clientAt(url)).flushAll();
    await expect(store.claim('id', intentOf())).rejects.toMatchObject({ code: 'EMPTY' });
    const lenient = await openAt(url, true);
    await (await clientAt(url)).flushAll();
    expect(await lenient.claim('id', intentOf())).toBeUndefined();
    // Those who come later do not make it the store of those who saw the other one.
    const later = await openAt(url);
    expect(await later.claim('other', intentOf())).toBeUndefined();
    await expect(store.claim('id', intentOf())).rejects.toMatchObject({ code: 'EMPTY' });
  });

  it.each([
    ['a replica', ['REPLICAOF', '127.0.0.1', '1'], '', 'write \\(READONLY\\)'],
    ['a user without EVAL', 'ACL SETUSER u on >p ~* +@all -eval'.split(' '), 'u:p@', 'write \\(NOPERM\\)'],
    ['a user without DEL', 'ACL SETUSER u on >p ~* +@all -del'.split(' '), 'u:p@', 'write \\((?:ERR|NOPERM)\\)'],
    ['a wrong password', 'ACL SETUSER u on >p ~* +@all'.split(' '), 'u:q@', 'reached \\(WRONGPASS\\)'],
  ])('stop the start at %s, with the reason of Redis', async (_, command, user, reason) => {
    const { url } = await startRedis();
    await (await clientAt(url)).sendCommand(command);
    const onLost = vi.fn<(error: unknown) => void>();
    const opening = openRedisStore({ url: url.replace('//', `//${user}`), acceptsLoss: false, onLost });
    await expect(opening).rejects.toThrow(new RegExp(reason));
    expect(onLost).not.toHaveBeenCalled();
  });

  it('stop the start at a Redis that reads its data, with the advice to start again', async () => {
    const slow = { 'key-load-delay': '3000', 'loading-process-events-interval-bytes': '1024' };
    const { url, kill, restart } = await startRedis(slow);
    const client = await createClient({ url }).connect();
    await client.mSet(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key-${index}`, 'value'])));
    await client.sendCommand(['SAVE']);
    client.destroy();
    await kill();
    await restart('Server initialized');
    await expect(openAt(url, true)).rejects.toThrow('write (LOADING). Start again once it has read its data.');
  });

  it.each([
    ['has become a replica', ['REPLICAOF 127.0.0.1 1'], 'READONLY', 'READONLY'],
    ['takes another password now', ['CONFIG SET requirepass p', 'CLIENT KILL TYPE normal'], 'NOAUTH', undefined],
  ])('fail for the reason of a Redis that %s', async (_, commands, code, lostBy) => {
    const { url } = await startRedis();
    const losses: unknown[] = [];
    const onLost = (error: unknown) => void losses.push((error as { readonly code?: string }).code);
    const store = await openRedisStore({ url, acceptsLoss: false, onLost });
    onTestFinished(store.close);
    const client = await clientAt(url);
    for (const command of commands) await client.sendCommand(command.split(' '));
    const claim = () => expect(store.claim('id', intentOf())).rejects.toMatchObject({ code });
    await vi.waitFor(claim, { timeout: 5_000, interval: 50 });
    expect(losses[0]).toBe(lostBy);
  });

  it('stop the start at a server that accepts the connection and says nothing', async () => {
    const { port } = new URL(await freeUrl());
    const server = createServer((socket) => void socket.resume()).listen(Number(port), '127.0.0.1');
    onTestFinished(() => void server.close());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opening = openAt(`redis://127.0.0.1:${port}`);
    await once(server, 'connection');
    vi.advanceTimersByTime(5_000);
    await expect(opening).rejects.toThrow('could not be reached (NO_ANSWER)');
  });

  it('of an earlier version hold their keys', async () => {
    const { open, client } = await start();
    const intent = intentOf();
    await client.set('settlement-graph:create:id', JSON.stringify({ ...intent, state: 'pending' }), {
      expiration: { type: 'PX', value: 24 * hourMs },
    });
    const store = await open();
    expect(await store.claim('id', intentOf())).toEqual({ ...intent, state: 'pending' });
    await store.settle('id', { ...intent, state: 'unknown' });
    expect(await store.claim('id', intentOf())).toEqual({ ...intent, state: 'unknown' });
  });
});
