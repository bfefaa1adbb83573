import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLifetimes, type OwnedLifetime } from '../../src/runtime/request-lifetime.ts';
import {
  createQueue,
  type QueueEntry,
  type Queue,
  type QueueOptions,
  type Admission,
} from '../../src/upstream/calls/fair-queue.ts';
import { readMany, startGated } from '../support/create.ts';
import { stopClock } from '../support/clock.ts';
import { codes, credentials, query, startScripted } from '../support/gateway.ts';
import { identifierIn, success } from '../support/upstream.ts';

function lasting(durationMs = 60_000) {
  const lifetime = createLifetimes(durationMs)();
  onTestFinished(() => lifetime.end());
  return lifetime;
}

/** A call that nobody has entered yet, and that nothing ends. */
const unentered = {
  admittedAt: 0,
  callerState: undefined,
  onAdmission: () => {},
  onLifetimeEnd: () => {},
  listenerIndex: 0,
  previous: undefined,
  next: undefined,
};

/** Enters a call that gives up when its lifetime is over. */
function enterInto(
  queue: Queue,
  caller: string,
  lifetime: OwnedLifetime,
  onAdmission: (turn: Admission, entry: QueueEntry) => void,
): void {
  const entry: QueueEntry = {
    ...unentered,
    caller,
    lifetime,
    startedAt: performance.now(),
    onAdmission: (turn) => onAdmission(turn, entry),
    onLifetimeEnd: () => queue.giveUp(entry),
  };
  queue.enter(entry);
}

/** Enters calls and tells their names in the order of their turns; of a caller's, the first one leaves first. */
function watch(options: QueueOptions) {
  const queue = createQueue(options);
  const turns: string[] = [];
  const inFlight: QueueEntry[] = [];
  const enter = (caller: string, name = caller, lifetime = lasting()) => {
    let entered: Admission | undefined;
    enterInto(queue, caller, lifetime, (turn, entry) => {
      entered = turn;
      if (turn === 'admitted') inFlight.push(entry);
      if (turn !== 'full') turns.push(turn === 'admitted' ? name : `${name} ${turn}`);
    });
    return entered ?? 'waiting';
  };
  const leave = (caller: string, isSent = true): void => {
    const index = inFlight.findIndex((entry) => entry.caller === caller);
    for (const entry of inFlight.splice(index, 1)) queue.leave(entry, isSent);
  };
  return { turns, enter, leave };
}

const times = <Value>(count: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Lets promises that are settled say so. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a queue', () => {
  it('admits calls that fail at once one after the other, not one inside another', () => {
    const queue = createQueue({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    const depths: number[] = [];
    let depth = 0;
    const held: QueueEntry[] = [];
    enterInto(queue, 'first', lasting(), (_, entry) => held.push(entry));
    for (const caller of ['a', 'a', 'b'])
      enterInto(queue, caller, lasting(), (_, entry) => {
        depth += 1;
        depths.push(depth);
        queue.leave(entry, true);
        depth -= 1;
      });
    for (const entry of held) queue.leave(entry, true);
    expect(depths).toEqual([1, 1, 1]);
  });

  it('keeps one place in sixteen out of the reach of a single caller', () => {
    const { enter } = watch({ maxInFlight: 64, maxInFlightPerCaller: 1_000 });
    expect(times(65, () => enter('a')).filter((turn) => turn === 'admitted')).toHaveLength(60);
  });

  it('gives callers their turns one after the other, and to each its own calls in order', async () => {
    const { leave, turns, enter } = watch({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    enter('first');
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) enter(name.charAt(0), name);
    for (const caller of ['first', 'a', 'b', 'c', 'a', 'b', 'a']) {
      leave(caller);
      await settled();
    }
    expect(turns).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it.each([
    ['a caller', 640, () => 'a', 'waiting', 1],
    ['all callers', 1_280, (index: number) => `caller ${index}`, 'full', 1],
    ['all callers', 1_920, (index: number) => `caller ${index}`, 'full', 15],
  ])('turns away at once what %s has waiting beyond %d, and nobody else', (_, bound, callerAt, another, places) => {
    const { enter } = watch({ maxInFlight: places, maxInFlightPerCaller: 1 });
    const leaving = lasting();
    const entered = times(places + bound + 10, (index) => enter(callerAt(index), 'name', leaving));
    expect(entered.filter((turn) => turn === 'waiting')).toHaveLength(bound);
    expect(entered.slice(-10)).toEqual(times(10, () => 'full'));
    expect(enter('b')).toBe(another);
    leaving.end();
    expect(enter('b')).toBe('waiting');
  });

  /** A queue with one place, taken, whose calls keep it for about a second. */
  const slow = (options: QueueOptions) => {
    const pass = stopClock();
    const watched = watch(options);
    for (let index = 0; index < 100; index += 1) {
      watched.enter('before');
      pass(1_000);
      watched.leave('before');
      // How long a call takes that was not sent says nothing.
      watched.enter('before');
      watched.leave('before', false);
    }
    return watched;
  };

  it('turns away at once what would wait longer than its request lasts', () => {
    const { enter } = slow({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    enter('a');
    expect(enter('b', 'b', lasting(3_000))).toBe('waiting');
    expect(enter('b', 'b', lasting(3_000))).toBe('waiting');
    expect(enter('b', 'b', lasting(500))).toBe('full');
    expect(enter('b', 'b', lasting(10_000))).toBe('waiting');
  });

  it('counts for that the turns of others by callers, not by calls', () => {
    const { enter } = slow({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    enter('a');
    for (let index = 0; index < 50; index += 1) enter('a', 'a', lasting(100_000));
    expect(enter('b', 'b', lasting(2_500))).toBe('waiting');
    expect(enter('a', 'a', lasting(2_500))).toBe('full');
  });

  it('counts for that the few calls that a caller may have at once', () => {
    const { enter } = slow({ maxInFlight: 64, maxInFlightPerCaller: 2 });
    const entered = times(14, () => enter('a', 'a', lasting(4_500)));
    expect(entered.slice(0, 4)).toEqual(['admitted', 'admitted', 'waiting', 'waiting']);
    expect(entered.at(-1)).toBe('full');
  });

  it('counts for that a caller’s own calls by what they take, and not the calls that a slow caller has beyond its reach', () => {
    const pass = stopClock();
    const { enter, leave } = watch({ maxInFlight: 32, maxInFlightPerCaller: 32 });
    enter('quick');
    pass(5);
    leave('quick');
    for (let index = 0; index < 100; index += 1) {
      enter('slow');
      pass(8_000);
      leave('slow');
    }
    expect(times(30 + 50, () => enter('slow', 'slow', lasting(20_000))).at(-1)).toBe('waiting');
    const entered = times(200, () => enter('quick', 'quick', lasting(2_000)));
    expect(entered.filter((turn) => turn === 'admitted')).toHaveLength(2);
    expect(entered).not.toContain('full');
    // Of a new one nothing is known but what calls take.
    expect(times(20, () => enter('new', 'new', lasting(2_000)))).toContain('full');
  });

  it('counts for that what callers within their reach have waiting, and of others nothing', () => {
    const { enter, leave } = slow({ maxInFlight: 4, maxInFlightPerCaller: 2 });
    const lastingLong = (caller: string, count: number) => times(count, () => enter(caller, caller, lasting(100_000)));
    lastingLong('a', 2 + 3);
    lastingLong('b', 2 + 50);
    expect(enter('c', 'c', lasting(100))).toBe('waiting');
    // The first turn is a's again, the second c's: a has one in flight and two that wait.
    leave('a');
    leave('a');
    expect(enter('d', 'd', lasting(100))).toBe('full');
    // Ahead is one call of a. b has no turn.
    expect(enter('d', 'd', lasting(300))).toBe('waiting');
    expect(lastingLong('d', 5)).not.toContain('full');
    // A call takes 810 ms on average. Six of its own, two at a time; ahead are the two of a. With those of b it would take longer.
    expect(enter('d', 'd', lasting(2_600))).toBe('waiting');
    expect(enter('d', 'd', lasting(2_600))).toBe('full');
  });

  it('counts for that the turns of others, too, of a caller that has its calls in flight', () => {
    const { enter } = slow({ maxInFlight: 4, maxInFlightPerCaller: 2 });
    const lastingLong = (caller: string, count: number) => times(count, () => enter(caller, caller, lasting(100_000)));
    lastingLong('b', 1);
    lastingLong('c', 1);
    lastingLong('a', 2 + 1);
    lastingLong('c', 5);
    lastingLong('d', 5);
    // One of its own and two each of c and d, four at a time, are 1,250 ms; with two of one of them, 750 ms.
    expect(enter('a', 'a', lasting(1_200))).toBe('full');
    expect(enter('a', 'a', lasting(1_300))).toBe('waiting');
  });

  it('lets a caller have 64 waiting for each of its calls in flight', () => {
    const { enter } = watch({ maxInFlight: 40, maxInFlightPerCaller: 20 });
    const leaving = lasting();
    const entered = times(20 + 1_280 + 1, () => enter('a', 'a', leaving));
    expect(entered.filter((turn) => turn === 'waiting')).toHaveLength(1_280);
  });

  it('takes the one slow call of a new caller for no proof that all of its calls are', () => {
    const pass = stopClock();
    const { enter, leave } = watch({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    for (const [caller, durationMs] of [['quick', 10] as const, ['new', 60_000] as const]) {
      enter(caller);
      pass(durationMs);
      leave(caller);
    }
    enter('new');
    enter('new');
    expect(enter('new', 'new', lasting(20_000))).toBe('waiting');
  });

  it('forgets a caller that has no call any more, however its last one ended', () => {
    const queue = createQueue({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    const enter = (caller: string, lifetime = lasting()): QueueEntry => {
      const entry: QueueEntry = { ...unentered, caller, lifetime, startedAt: performance.now() };
      queue.enter(entry);
      return entry;
    };
    const held = enter('held');
    const [over, full] = [enter('over'), enter('full', createLifetimes(0)())];
    expect(enter('full', createLifetimes(0)()).callerState).not.toBe(full.callerState);
    queue.giveUp(over);
    expect(enter('over').callerState).not.toBe(over.callerState);
    queue.leave(held, true);
    expect(enter('held').callerState).not.toBe(held.callerState);
  });

  it('gives no turn to what left when it had its turn already', async () => {
    const { leave, turns, enter } = watch({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    const leaving = lasting();
    enter('a', 'a1', leaving);
    enter('b', 'b1', leaving);
    leave('a');
    await settled();
    leaving.end();
    await settled();
    leave('b');
    expect(enter('c')).toBe('admitted');
    expect(turns).toEqual(['a1', 'b1', 'c']);
  });
});

interface Step {
  readonly act: 'enter' | 'leave' | 'giveUp';
  readonly caller: string;
  /** Which of those in flight leaves, or of those that wait gives up. */
  readonly pick: number;
}

/** What a queue has let in and keeps waiting, and steps that change it. */
function createModel(queue: Queue) {
  const inFlight: QueueEntry[] = [];
  const waiting = new Map<OwnedLifetime, string>();
  const acts: Readonly<Record<Step['act'], (step: Step) => void>> = {
    enter: ({ caller }) => {
      const lifetime = createLifetimes(60_000)();
      waiting.set(lifetime, caller);
      enterInto(queue, caller, lifetime, (turn, entry) => {
        if (turn === 'admitted') inFlight.push(entry);
        waiting.delete(lifetime);
        lifetime.end();
      });
    },
    leave: ({ pick }) => {
      const [entry] = inFlight.splice(pick % Math.max(1, inFlight.length), 1);
      if (entry !== undefined) queue.leave(entry, true);
    },
    giveUp: ({ pick }) => [...waiting.keys()][pick % Math.max(1, waiting.size)]?.end(),
  };
  const inFlightOf = (caller: string) => inFlight.filter((one) => one.caller === caller).length;
  return { inFlight, waiting, inFlightOf, act: (step: Step) => acts[step.act](step) };
}

const callers = ['a', 'b', 'c'];
const step = record({
  act: constantFrom('enter' as const, 'enter' as const, 'leave' as const, 'giveUp' as const),
  caller: constantFrom(...callers),
  pick: integer({ min: 0, max: 99 }),
});
const size = record({ maxInFlight: integer({ min: 1, max: 5 }), maxInFlightPerCaller: integer({ min: 1, max: 5 }) });

it('holds its bounds and keeps no place empty that somebody could have, whatever comes', async () => {
  const run = asyncProperty(size, array(step, { maxLength: 60 }), async (options, steps) => {
    const model = createModel(createQueue(options));
    // Every place but the shared one, as the queue promises.
    const reach = Math.min(options.maxInFlightPerCaller, Math.max(1, options.maxInFlight - 1));
    for (const one of steps) {
      model.act(one);
      await settled();
      const free = options.maxInFlight - model.inFlight.length;
      const waiting = new Set(model.waiting.values());
      expect(free).toBeGreaterThanOrEqual(0);
      expect(callers.filter((caller) => model.inFlightOf(caller) > reach)).toEqual([]);
      expect(callers.filter((caller) => free > 0 && waiting.has(caller) && model.inFlightOf(caller) < reach)).toEqual(
        [],
      );
    }
    for (const lifetime of model.waiting.keys()) lifetime.end();
  });
  await assert(run, { seed: 20_260_101, numRuns: 200 });
});

describe('calls over HTTP', () => {
  /** An upstream that answers when its gate opens, behind a gateway with one place. */
  const narrow = () =>
    startGated({ environment: { UPSTREAM_CONNECTIONS: '1' } }, ({ path }) =>
      success({ id: identifierIn(path), type: 'wallet' }),
    );
  const other = { ...credentials, svcprivatekey: 'other-key' };

  it('are OVERLOADED at once, with nothing sent, where there is no room to wait', async () => {
    const { gateway, upstream, gate } = await narrow();
    const waiting = Promise.all(['a', 'b', 'c', 'd'].map((mark) => query(gateway, ...readMany(170, mark))));
    await gate.reached;
    // A request of its own that is answered shows that those before have been taken in.
    await query(gateway, '{ __typename }');
    const refused = await query(gateway, ...readMany(1, 'refused'));
    expect(codes(refused)).toEqual(['OVERLOADED']);
    expect(refused.errors[0]?.extensions['retryable']).toBe(true);
    expect(upstream.requests).toHaveLength(1);
    gate.open();
    const seen = (await waiting).flatMap(codes);
    expect(new Set(seen)).toEqual(new Set(['OVERLOADED']));
    expect(seen).toHaveLength(680 - 641);
    expect(upstream.requests).toHaveLength(641);
  });

  it('are OVERLOADED at once, too, after a request whose waiting calls its end has ended', async () => {
    const environment = { UPSTREAM_CONNECTIONS: '1', UPSTREAM_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '500' };
    const { gateway } = await startScripted(() => ({ hang: true }), { environment });
    expect(new Set(codes(await query(gateway, ...readMany(100))))).toEqual(new Set(['UPSTREAM_TIMEOUT']));
    expect(codes(await query(gateway, ...readMany(100)))).toContain('OVERLOADED');
  });

  it('of another caller come soon, however many one has waiting', async () => {
    const { gateway, upstream, gate } = await narrow();
    const many = query(gateway, ...readMany(200));
    await gate.reached;
    const one = query(gateway, '{ customer(id: "other") { type } }', { headers: other });
    // A request of its own that is answered shows that the one before has been taken in.
    await query(gateway, '{ __typename }');
    gate.open();
    expect((await one).errors).toEqual([]);
    expect((await many).errors).toEqual([]);
    const place = upstream.requests.findIndex(({ path }) => path.endsWith('/other'));
    expect(place).toBeLessThanOrEqual(3);
  });
});
