import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLifetime, type OwnedLifetime } from '../../../src/runtime/request-lifetime.ts';
import { createQueue, type Leave, type Queue, type QueueOptions } from '../../../src/upstream/calls/fair-queue.ts';
import { readMany, startGated } from '../../support/create.ts';
import { codes, query } from '../../support/gateway.ts';
import { identifierIn, success } from '../../support/upstream/upstream.ts';

function lasting(): OwnedLifetime {
  const lifetime = createLifetime(60_000);
  onTestFinished(() => lifetime.end());
  return lifetime;
}

const times = <Value>(count: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Lets promises that are settled say so. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A queue, and the names of its calls in the order of their turns; of a caller's, the first one leaves first. */
function watch(options: QueueOptions) {
  const queue = createQueue(options);
  const turns: string[] = [];
  const inFlight: { readonly caller: string; readonly leave: Leave }[] = [];
  const take = (caller: string, name: string, place: Leave | string): void => {
    if (typeof place !== 'string') inFlight.push({ caller, leave: place });
    if (place !== 'full') turns.push(typeof place === 'string' ? `${name} ${place}` : name);
  };
  const enter = (caller: string, name = caller, lifetime = lasting()) => {
    const entered = queue.enter(caller, lifetime);
    if (entered instanceof Promise) {
      void entered.then((place) => take(caller, name, place));
      return 'waiting';
    }
    take(caller, name, entered);
    return typeof entered === 'string' ? entered : 'admitted';
  };
  const leave = async (caller: string): Promise<void> => {
    const index = inFlight.findIndex((one) => one.caller === caller);
    for (const one of inFlight.splice(index, 1)) one.leave();
    await settled();
  };
  return { queue, turns, inFlight, enter, leave };
}

describe('a queue', () => {
  it('keeps one place in sixteen out of the reach of a single caller', () => {
    const { enter } = watch({ maxInFlight: 64, maxInFlightPerCaller: 1_000 });
    expect(times(65, () => enter('a')).filter((turn) => turn === 'admitted')).toHaveLength(60);
  });

  it('gives callers their turns one after the other, and to each its own calls in order', async () => {
    const { leave, turns, enter } = watch({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    enter('first');
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) enter(name.charAt(0), name);
    for (const caller of ['first', 'a', 'b', 'c', 'a', 'b', 'a']) await leave(caller);
    expect(turns).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it.each([
    ['a caller', 640, () => 'a', 'waiting', { maxInFlight: 1, maxInFlightPerCaller: 1 }],
    ['a caller of many calls at once', 1_280, () => 'a', 'admitted', { maxInFlight: 40, maxInFlightPerCaller: 20 }],
    ['all', 1_280, (index: number) => `caller ${index}`, 'full', { maxInFlight: 1, maxInFlightPerCaller: 1 }],
    [
      'all, of more places',
      1_920,
      (index: number) => `caller ${index}`,
      'full',
      { maxInFlight: 15, maxInFlightPerCaller: 1 },
    ],
  ])(
    'turns away at once what %s has waiting beyond %d, and nobody else',
    async (_, bound, callerAt, another, options) => {
      const { enter } = watch(options);
      const leaving = lasting();
      const entered = times(bound + 60, (index) => enter(callerAt(index), 'name', leaving));
      expect(entered.filter((turn) => turn === 'waiting')).toHaveLength(bound);
      expect(entered.at(-1)).toBe('full');
      expect(enter('b')).toBe(another);
      leaving.end();
      await settled();
      expect(enter('a')).not.toBe('full');
    },
  );

  it('ends the wait of a call whose request has ended, and gives it no turn', async () => {
    const { queue, leave, turns, enter } = watch({ maxInFlight: 1, maxInFlightPerCaller: 1 });
    const leaving = lasting();
    enter('a', 'a1', leaving);
    enter('b', 'b1', leaving);
    enter('c', 'c1');
    leaving.end();
    await settled();
    expect(turns).toEqual(['a1', 'b1 over']);
    await leave('a');
    expect(turns).toEqual(['a1', 'b1 over', 'c1']);
    await leave('c');
    expect(queue.state()).toEqual({ inFlight: 0, waiting: 0 });
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
  const inFlight: { readonly caller: string; readonly leave: Leave }[] = [];
  const waiting = new Map<OwnedLifetime, string>();
  const enter = async (caller: string): Promise<void> => {
    const lifetime = createLifetime(60_000);
    waiting.set(lifetime, caller);
    const leave = await queue.enter(caller, lifetime);
    if (typeof leave !== 'string') inFlight.push({ caller, leave });
    waiting.delete(lifetime);
    lifetime.end();
  };
  const acts: Readonly<Record<Step['act'], (step: Step) => void>> = {
    enter: ({ caller }) => void enter(caller),
    leave: ({ pick }) => inFlight.splice(pick % Math.max(1, inFlight.length), 1)[0]?.leave(),
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
    const queue = createQueue(options);
    const model = createModel(queue);
    // Every place but the shared one, as the queue promises.
    const reach = Math.min(options.maxInFlightPerCaller, Math.max(1, options.maxInFlight - 1));
    for (const one of steps) {
      model.act(one);
      await settled();
      const free = options.maxInFlight - model.inFlight.length;
      const waiting = new Set(model.waiting.values());
      expect(queue.state()).toEqual({ inFlight: model.inFlight.length, waiting: model.waiting.size });
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

it('a call over HTTP is OVERLOADED at once, with nothing sent, where there is no room to wait', async () => {
  const { gateway, upstream, gate } = await startGated({ environment: { UPSTREAM_CONNECTIONS: '1' } }, ({ path }) =>
    success({ id: identifierIn(path), type: 'wallet' }),
  );
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
