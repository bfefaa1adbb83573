import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRequestCredentials } from '../../src/upstream/credentials/credentials.ts';
import { createIdempotency, type Kept } from '../../src/upstream/idempotency/idempotency.ts';
import {
  claimTimeoutMs,
  type IdempotencyStore,
  type Intent,
  type StoreEvent,
} from '../../src/upstream/idempotency/store.ts';
import { createLifetimes } from '../../src/runtime/request-lifetime.ts';
import { createSeal } from '../../src/upstream/idempotency/sealed-entry.ts';
import { openEntries } from '../../src/upstream/idempotency/sqlite-entries.ts';
import { openSqliteStore } from '../../src/upstream/idempotency/sqlite-store.ts';
import { watchStore } from '../../src/upstream/idempotency/watched-store.ts';
import { stopClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createGate } from '../support/create.ts';
import { changeStore, intentOf, openInFile } from '../support/store.ts';
import { testEntries, testLifetimes } from '../support/store-tests.ts';
import { startGateway } from '../support/gateway.ts';

const claimIn = (entries: ReturnType<typeof openEntries>, id: string, intent: Intent) =>
  entries.run([{ name: 'claim', args: [id, intent] }]);

describe('a SQLite store', () => {
  testEntries(async () => {
    const { file, store } = await openInFile();
    const other = await openSqliteStore(file);
    onTestFinished(other.close);
    return [store, other];
  });

  testLifetimes(async () => {
    const store = await openSqliteStore(':memory:');
    onTestFinished(store.close);
    return store;
  });

  it('gives no key whose intent it has not recorded', async () => {
    const { file, store } = await openInFile();
    changeStore(file, 'CREATE TRIGGER ignoring BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END');
    await expect(store.claim('id', intentOf())).rejects.toMatchObject({ code: 'STORE_AWAY' });
    changeStore(file, 'DROP TRIGGER ignoring');
    expect(await store.claim('id', intentOf())).toBeUndefined();
  });

  it('keeps its own time: no jump of a clock deletes a key, and what has passed counts for every process', async () => {
    const file = join(await temporaryFolder(), 'keys.sqlite');
    const pass = stopClock();
    vi.setSystemTime(Date.now());
    const first = openEntries(file);
    const intent = intentOf();
    claimIn(first, 'id', intent);
    vi.setSystemTime(Date.now() + 40 * 24 * 3_600_000);
    const second = openEntries(file);
    expect(claimIn(second, 'id', intentOf())).toEqual([{ value: { ...intent, state: 'pending' } }]);
    pass(29 * 24 * 3_600_000);
    expect(claimIn(second, 'other', intentOf())).toEqual([{ value: undefined }]);
    second.close();
    const third = openEntries(file);
    expect(claimIn(third, 'id', intentOf())).toEqual([{ value: { ...intent, state: 'pending' } }]);
    pass(24 * 3_600_000);
    expect(claimIn(third, 'id', intentOf())).toEqual([{ value: undefined }]);
    for (const { close } of [first, third]) close();
  });

  it('deletes few of many expired entries at a claim, which must not hold the lock for long, and the own one', async () => {
    const pass = stopClock();
    const file = join(await temporaryFolder(), 'keys.sqlite');
    const entries = openEntries(file);
    onTestFinished(entries.close);
    for (let index = 0; index < 30; index += 1) claimIn(entries, `id-${index}`, intentOf());
    pass(31 * 24 * 3_600_000);
    expect(claimIn(entries, 'id-29', intentOf())).toEqual([{ value: undefined }]);
    const reader = new DatabaseSync(file);
    expect(reader.prepare('SELECT count(*) AS count FROM entries').get()).toEqual({ count: 20 });
    for (let index = 0; index < 2; index += 1) claimIn(entries, `new-${index}`, intentOf());
    const ids = reader.prepare('SELECT id FROM entries ORDER BY id').all();
    reader.close();
    expect(ids).toEqual(['id-29', 'new-0', 'new-1'].map((id) => ({ id })));
  });

  it('tells a lock from a damaged file', async () => {
    const { file, store } = await openInFile();
    const holder = new DatabaseSync(file);
    holder.exec('BEGIN EXCLUSIVE');
    await expect(store.claim('id', intentOf())).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    holder.exec('COMMIT; DROP TABLE entries');
    holder.close();
    await expect(store.claim('id', intentOf())).rejects.toMatchObject({ code: 'SQLITE_1' });
  });

  it('frees a key whose claim is committed after its client was refused', async () => {
    const store = await openSqliteStore(':memory:');
    onTestFinished(store.close);
    const gate = createGate();
    const events: StoreEvent[] = [];
    const slow: IdempotencyStore = {
      ...store,
      claim: async (id, intent) => {
        await gate.pass();
        return store.claim(id, intent);
      },
    };
    const claiming = watchStore(slow, (event) => events.push(event)).claim('id', intentOf());
    await expect(claiming).rejects.toMatchObject({ code: 'STORE_SLOW' });
    expect(events).toMatchObject([{ command: 'claim', fault: 'slow' }]);
    gate.open();
    await expect.poll(() => store.claim('id', intentOf())).toBeUndefined();
  });

  it('takes no answer for late that only waits for a busy process to read it', async () => {
    const { file, store } = await openInFile();
    // Out of the turn in which the store's thread was heard: Node reads all its messages in one.
    await nextTurn();
    const claiming = watchStore(store, () => {}).claim('id', intentOf());
    const reader = new DatabaseSync(file);
    const isClaimed = (): boolean => reader.prepare('SELECT id FROM entries').all().length > 0;
    const busyUntil = performance.now() + claimTimeoutMs + 50;
    while (!isClaimed() || performance.now() < busyUntil);
    reader.close();
    await expect(claiming).resolves.toBeUndefined();
    // Nor is the claim taken back when it would have been late.
    await nextTurn();
    expect(await store.claim('id', intentOf())).toBeDefined();
  });

  it('has one secret for all that open it', async () => {
    const { file, store } = await openInFile();
    const other = await openSqliteStore(file);
    onTestFinished(other.close);
    expect(Buffer.from(store.ownSecret)).toHaveLength(32);
    expect(other.ownSecret).toEqual(store.ownSecret);
    expect((await openInFile()).store.ownSecret).not.toEqual(store.ownSecret);
  });

  it('is let go of by a server that cannot listen', async () => {
    const folder = await temporaryFolder();
    const upstream = 'http://127.0.0.1:9';
    const holder = await startGateway({ upstream });
    const environment = { PORT: new URL(holder.url).port, IDEMPOTENCY_STORE: `sqlite:${join(folder, 'keys.sqlite')}` };
    await expect(startGateway({ upstream, environment })).rejects.toThrow('EADDRINUSE');
    // The last one to let go takes the write-ahead log with it.
    expect(await readdir(folder)).toEqual(['keys.sqlite']);
  });
});

const credentialsOf = (privateKey: string) =>
  createRequestCredentials(
    {
      bearer: { header: 'authorization', value: 'Bearer test-token', fault: undefined },
      privateKey: { header: 'svcprivatekey', value: privateKey, fault: undefined },
    },
    { fingerprint: 'f', callers: { bearer: 'c', privateKey: 'c' } },
  );

describe('a seal', () => {
  const sealOf = (secret = 1, privateKey = 'test-key') =>
    createSeal(Buffer.alloc(32, secret), credentialsOf(privateKey), ['privateKey']);

  it('is the same for inputs whose fields come in another order, as in another version of the schema', () => {
    const { inputOf } = sealOf();
    expect(inputOf({ first: 'a', second: 'b' })).toBe(inputOf({ second: 'b', first: 'a' }));
    expect(inputOf({ first: 'a', second: 'b' })).not.toBe(inputOf({ first: 'b', second: 'a' }));
  });

  it.each([
    ['secret', sealOf(2)],
    ['credential', sealOf(1, 'other-key')],
  ])('is another one under another %s, and does not open what this one closed', (_, other) => {
    const own = sealOf();
    const sealed = own.close('id', Buffer.from('content'));
    expect(Buffer.from(own.open('id', sealed)).toString()).toBe('content');
    expect(() => other.open('id', sealed)).toThrow('authenticate');
    expect(other.id('createCustomer', 'key')).not.toBe(own.id('createCustomer', 'key'));
    expect(other.inputOf({})).not.toBe(own.inputOf({}));
  });

  it('does not open under another id, nor when a bit of it has changed, and looks different each time', () => {
    const { close, open } = sealOf();
    const sealed = close('id', Buffer.from('content'));
    expect(() => open('other', sealed)).toThrow('authenticate');
    const changed = sealed.with(sealed.length - 1, (sealed.at(-1) ?? 0) ^ 1);
    expect(() => open('id', changed)).toThrow('authenticate');
    expect(close('id', Buffer.from('content'))).not.toEqual(sealed);
  });
});

describe('an outcome', () => {
  /** A store in memory of which the calls by that name fail so many times first. */
  const failing = async (name: 'free' | 'settle' | 'withdraw', times: number): Promise<IdempotencyStore> => {
    const store = await openSqliteStore(':memory:');
    onTestFinished(store.close);
    let left = times;
    const call = async (called: typeof name, work: () => Promise<void>): Promise<void> => {
      if (called === name) left -= 1;
      if (called === name && left >= 0) throw new Error('gone');
      return work();
    };
    return {
      ...store,
      close: async () => {},
      settle: (...args) => call('settle', () => store.settle(...args)),
      free: (...args) => call('free', () => store.free(...args)),
      withdraw: (...args) => call('withdraw', () => store.withdraw(...args)),
    };
  };

  /** Makes an attempt of which this is kept, and gives what is lost and what is found under its key afterwards. */
  const attempt = async (store: IdempotencyStore, kept: Kept, key = 'key') => {
    const lost: unknown[] = [];
    const idempotency = createIdempotency({ store, onLost: (error) => lost.push(error) });
    const lifetime = createLifetimes(60_000)();
    onTestFinished(() => lifetime.end());
    const seal = createSeal(Buffer.alloc(32), credentialsOf('test-key'), ['privateKey']);
    const id = seal.id('createCustomer', key);
    const claim = { operation: 'createCustomer', id, input: {}, seal, withinMs: 60_000, lifetime };
    const { outcome } = await idempotency.once<{ readonly outcome: string; readonly kept: Kept }>(
      claim,
      async () => ({ outcome: 'made', kept }),
      ({ as }) => ({ outcome: as, kept }),
    );
    await idempotency.close();
    return { id, outcome, lost, left: await store.claim(id, intentOf()) };
  };
  const answer: Kept = { as: 'answer', answer: { status: 201, body: Buffer.from('{}') } };

  const nothing: Kept = { as: 'nothing' };
  it.each<readonly [name: 'settle' | 'free', times: number, kept: Kept, losses: number, left: string | undefined]>([
    ['settle', 0, answer, 0, 'answered'],
    ['settle', 2, answer, 0, 'answered'],
    ['settle', 100, answer, 1, 'pending'],
    ['free', 0, nothing, 0, undefined],
    ['free', 2, nothing, 0, undefined],
    ['free', 100, nothing, 1, 'pending'],
  ])(
    'is kept where the store fails to %s %d times, or told as lost where it stays away',
    async (name, times, kept, losses, state) => {
      const { outcome, lost, left } = await attempt(await failing(name, times), kept);
      expect(outcome).toBe('made');
      expect([lost.length, left?.state]).toEqual([losses, state]);
    },
  );

  it('that is unknown is not made an answer by a change of its entry from outside', async () => {
    const store = await failing('settle', 0);
    const { id, left } = await attempt(store, { as: 'unknown', status: 204 });
    await store.settle(id, { ...intentOf(), ...left, state: 'answered' });
    const again = await attempt(store, answer);
    expect([left?.state, again.left?.state, again.outcome]).toEqual(['unknown', 'answered', 'unknown']);
  });

  it('is not that of another create whose answer somebody has put in its place', async () => {
    const store = await failing('settle', 0);
    const [own, other] = [await attempt(store, answer), await attempt(store, answer, 'other')];
    const planted = { ...other.left, attempt: own.left?.attempt ?? '' };
    await store.settle(own.id, { ...intentOf(), ...planted, state: 'answered' });
    expect((await attempt(store, answer)).outcome).toBe('unknown');
  });

  it('does not stand in the way of a create that was not sent because the store’s own answer was lost', async () => {
    const flaky = await failing('withdraw', 2);
    const losing: IdempotencyStore = {
      ...flaky,
      claim: async (id, intent) => {
        await flaky.claim(id, intent);
        throw new Error('gone');
      },
    };
    await expect(attempt(losing, answer)).rejects.toMatchObject({ code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
    const { outcome, left } = await attempt(flaky, answer);
    expect([outcome, left?.state]).toEqual(['made', 'answered']);
  });
});
