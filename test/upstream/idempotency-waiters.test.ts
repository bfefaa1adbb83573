import { onTestFinished, describe, expect, it } from 'vitest';
import { createIdempotency, type Kept } from '../../src/upstream/idempotency/idempotency.ts';
import type { Seal } from '../../src/upstream/idempotency/sealed-entry.ts';
import { openSqliteStore } from '../../src/upstream/idempotency/sqlite-store.ts';
import type { IdempotencyStore } from '../../src/upstream/idempotency/store.ts';
import { createLifetimes, type OwnedLifetime } from '../../src/runtime/request-lifetime.ts';
import { createGate } from '../support/create.ts';
import { intentOf } from '../support/store.ts';

const seal: Seal = {
  id: () => 'id',
  write: () => Buffer.from('write'),
  inputOf: () => 'input',
  close: (_, content) => content,
  open: (_, sealed) => sealed,
};

/** Creates under one key, over a store that the test may change. */
async function start(change: (store: IdempotencyStore) => Partial<IdempotencyStore>) {
  const store = await openSqliteStore(':memory:');
  onTestFinished(store.close);
  const idempotency = createIdempotency({
    store: { ...store, ...change(store), close: async () => {} },
    onLost: () => {},
  });
  const lifetime = createLifetimes(60_000)();
  onTestFinished(() => lifetime.end());
  const waiting = createGate();
  const claim = { operation: 'createCustomer', id: 'id', input: {}, seal, withinMs: 60_000, lifetime };
  /** Resolves with `made`, or with what the key had kept. */
  const create = (attempt: () => Promise<Kept>) =>
    idempotency.once<{ readonly kept: Kept; readonly outcome: string }>(
      { ...claim, onWait: () => void waiting.pass() },
      async () => ({ outcome: 'made', kept: await attempt() }),
      (kept) => ({ outcome: kept.as, kept }),
    );
  return { store, create, lifetime, waiting: waiting.reached, close: idempotency.close };
}

const answer: Kept = { as: 'answer', answer: { status: 201, body: Buffer.from('{}') } };

it('a create whose request is over before it begins is not sent, as without a key, and the store is not asked', async () => {
  const { create, lifetime } = await start(() => ({ claim: () => Promise.reject(new Error('asked')) }));
  lifetime.end();
  const late = { code: 'UPSTREAM_TIMEOUT', details: { operation: 'createCustomer', retryable: true } };
  await expect(create(async () => answer)).rejects.toMatchObject(late);
});

it('a create whose claim outlasts its request is not sent, and its key is free', async () => {
  const gate = createGate();
  const { store, create, lifetime, close } = await start(({ claim }) => ({
    claim: async (...args) => {
      await gate.pass();
      return claim(...args);
    },
  }));
  let isSent = false;
  const created = create(async () => {
    isSent = true;
    return answer;
  });
  await gate.reached;
  lifetime.end();
  const unavailable = { code: 'IDEMPOTENCY_STORE_UNAVAILABLE', details: { retryable: true } };
  await expect(created).rejects.toMatchObject(unavailable);
  gate.open();
  await close();
  expect([await store.claim('id', intentOf()), isSent]).toEqual([undefined, false]);
});

describe('a create that waits for another one under its key', () => {
  /** A create under way and one that waits for it, over a store whose claims wait for `until`, and the next `fails` fail. */
  const startTwo = async () => {
    const store: { fails: number; until?: Promise<unknown> } = { fails: 0 };
    const [gate, tried] = [createGate(), createGate()];
    const { create, lifetime, waiting } = await start(({ claim }) => ({
      claim: async (...args) => {
        await store.until;
        if (store.fails === 0) return claim(...args);
        store.fails -= 1;
        void tried.pass();
        throw new Error('gone');
      },
    }));
    const first = create(async () => {
      await gate.pass();
      return answer;
    });
    await gate.reached;
    const second = create(async () => answer);
    await waiting;
    return { store, gate, tried, lifetime, first, second };
  };

  it('is unknown, and never unsent, where the store fails until its time is over', async () => {
    const { store, gate, tried, lifetime, first, second } = await startTwo();
    store.fails = Infinity;
    await tried.reached;
    lifetime.end();
    expect((await second).outcome).toBe('unknown');
    gate.open();
    expect((await first).outcome).toBe('made');
  });

  it('has its answer where that is recorded after its time is over', async () => {
    const { store, gate, lifetime, first, second } = await startTwo();
    store.until = first;
    lifetime.end();
    gate.open();
    expect((await second).outcome).toBe('answer');
  });

  it('has its answer where the store fails for a while', async () => {
    const { store, gate, tried, first, second } = await startTwo();
    store.fails = 3;
    await tried.reached;
    gate.open();
    expect((await first).outcome).toBe('made');
    expect((await second).outcome).toBe('answer');
  });

  it('keeps its key although a claim of it before was recorded, lost, and is freed twice', async () => {
    let isLost = false;
    const freed: string[] = [];
    const freedTwice = createGate();
    const [gate, sending] = [createGate(), createGate()];
    const { store, create, waiting } = await start(({ claim, free, withdraw }) => ({
      claim: async (...args) => {
        const entry = await claim(...args);
        if (!isLost || entry !== undefined) return entry;
        isLost = false;
        throw new Error('the answer is lost');
      },
      free: async (...args) => {
        await free(...args);
        freed.push('free');
      },
      withdraw: async (...args) => {
        await withdraw(...args);
        freed.push('withdraw');
        if (freed.length === 2) throw new Error('the answer is lost');
        if (freed.length === 3) void freedTwice.pass();
      },
    }));
    const first = create(async () => {
      await gate.pass();
      return { as: 'nothing' };
    });
    await gate.reached;
    const second = create(async () => {
      await sending.pass();
      return answer;
    });
    await waiting;
    isLost = true;
    gate.open();
    await first;
    await sending.reached;
    await freedTwice.reached;
    expect(freed).toEqual(['free', 'withdraw', 'withdraw']);
    expect((await store.claim('id', intentOf()))?.state).toBe('pending');
    sending.open();
    expect((await second).outcome).toBe('made');
  });
});

describe('a create that is refused', () => {
  /** One whose key is freed when the gate opens; `order` has what ended. */
  const refuse = async (during: (lifetime: OwnedLifetime) => void = () => {}) => {
    const gate = createGate();
    const order: string[] = [];
    const { create, lifetime } = await start(({ free }) => ({
      free: async (...args) => {
        await gate.pass();
        await free(...args);
        order.push('freed');
      },
    }));
    const attempt = async (): Promise<Kept> => {
      during(lifetime);
      return { as: 'nothing' };
    };
    const refused = create(attempt).then(() => void order.push('answered'));
    await gate.reached;
    return { gate, order, lifetime, refused };
  };

  it('is answered when its key is free: another process may be asked at once', async () => {
    const { gate, order, refused } = await refuse();
    gate.open();
    await refused;
    expect(order).toEqual(['freed', 'answered']);
  });

  it.each<readonly [string, (lifetime: OwnedLifetime) => void]>([
    ['while its key is being freed', () => {}],
    ['while it waits to be sent', (lifetime) => lifetime.end()],
  ])('is answered at the end of its request, free or not: %s', async (_, during) => {
    const { gate, order, lifetime, refused } = await refuse(during);
    lifetime.end();
    await refused;
    expect(order).toEqual(['answered']);
    gate.open();
  });
});
