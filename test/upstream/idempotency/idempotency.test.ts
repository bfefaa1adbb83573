import { onTestFinished, describe, expect, it } from 'vitest';
import { createIdempotency, type KeyOutcome } from '../../../src/upstream/idempotency/idempotency.ts';
import type { Seal } from '../../../src/upstream/idempotency/sealed-entry.ts';
import { openSqliteStore } from '../../../src/upstream/idempotency/sqlite-store.ts';
import type { IdempotencyStore } from '../../../src/upstream/idempotency/store.ts';
import { createLifetime, type OwnedLifetime } from '../../../src/runtime/request-lifetime.ts';
import { createGate } from '../../support/create.ts';
import { createRequestCredentials } from '../../../src/upstream/credentials/credentials.ts';
import { createSeal } from '../../../src/upstream/idempotency/sealed-entry.ts';
import { intentOf } from './store.ts';

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
  const lifetime = createLifetime(60_000);
  onTestFinished(() => lifetime.end());
  const waiting = createGate();
  const claim = { operation: 'createCustomer', id: 'id', input: {}, seal, withinMs: 60_000, lifetime };
  /** Resolves with `made`, or with what was recorded for the key. */
  const create = (attempt: () => Promise<KeyOutcome>) =>
    idempotency.once<{ readonly keyOutcome: KeyOutcome; readonly outcome: string }>(
      { ...claim, onWait: () => void waiting.pass() },
      async () => ({ outcome: 'made', keyOutcome: await attempt() }),
      (keyOutcome) => ({ outcome: keyOutcome.as, keyOutcome }),
    );
  return { store, create, lifetime, waiting: waiting.reached, close: idempotency.close };
}

const answer: KeyOutcome = { as: 'answer', answer: { status: 201, body: Buffer.from('{}') } };

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
      const entry = await claim(...args);
      await gate.pass();
      return entry;
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
    const { store, create, waiting } = await start(({ claim, free }) => ({
      claim: async (...args) => {
        const entry = await claim(...args);
        if (!isLost || entry !== undefined) return entry;
        isLost = false;
        throw new Error('the answer is lost');
      },
      free: async (...args) => {
        await free(...args);
        freed.push(args[1]);
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
    expect(freed[1]).toBe(freed[2]);
    expect(freed[0]).not.toBe(freed[1]);
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
    const attempt = async (): Promise<KeyOutcome> => {
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
  const failing = async (name: 'free' | 'settle', times: number): Promise<IdempotencyStore> => {
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
    };
  };

  /** Makes an attempt with this outcome for its key, and gives what is lost and what is found under its key afterwards. */
  const attempt = async (store: IdempotencyStore, keyOutcome: KeyOutcome, key = 'key') => {
    const lost: unknown[] = [];
    const idempotency = createIdempotency({ store, onLost: (error) => lost.push(error), recordMs: 1_000 });
    const lifetime = createLifetime(60_000);
    onTestFinished(() => lifetime.end());
    const seal = createSeal(Buffer.alloc(32), credentialsOf('test-key'), ['privateKey']);
    const id = seal.id('createCustomer', key);
    const claim = { operation: 'createCustomer', id, input: {}, seal, withinMs: 60_000, lifetime };
    const { outcome } = await idempotency.once<{ readonly outcome: string; readonly keyOutcome: KeyOutcome }>(
      claim,
      async () => ({ outcome: 'made', keyOutcome }),
      ({ as }) => ({ outcome: as, keyOutcome }),
    );
    await idempotency.close();
    return { id, outcome, lost, left: await store.claim(id, intentOf()) };
  };
  const answer: KeyOutcome = { as: 'answer', answer: { status: 201, body: Buffer.from('{}') } };

  const nothing: KeyOutcome = { as: 'nothing' };
  it.each<readonly [name: 'settle' | 'free', times: number, KeyOutcome, losses: number, left: string | undefined]>([
    ['settle', 0, answer, 0, 'answered'],
    ['settle', 1, answer, 0, 'answered'],
    ['settle', 100, answer, 1, 'pending'],
    ['free', 0, nothing, 0, undefined],
    ['free', 1, nothing, 0, undefined],
    ['free', 100, nothing, 1, 'pending'],
  ])(
    'is kept where the store fails to %s %d times, or told as lost where it stays away',
    async (name, times, keyOutcome, losses, state) => {
      const { outcome, lost, left } = await attempt(await failing(name, times), keyOutcome);
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
    const flaky = await failing('free', 2);
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
