import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSharedTimer, type Timed } from '../../src/runtime/shared-timer.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const durationMs = 100;
/** How early and how late a timer may tell. */
const [earlyMs, lateMs] = [1, 4];

function limited(onTimeout: () => void = () => {}): Timed {
  return { dueAt: 0, previous: undefined, next: undefined, onTimeout };
}

/** A limit for what begins at the moment. */
function start() {
  const { start: begin, clear: end } = createSharedTimer(durationMs);
  return { begin: (own: Timed) => begin(own, performance.now()), end };
}

describe('a time limit', () => {
  it('tells each that is late, when it is late and once, and nobody who has ended', () => {
    const steps = array(tuple(integer({ min: 0, max: 60 }), constantFrom('begin', 'end', 'end again')), {
      maxLength: 30,
    });
    assert(
      property(steps, (given) => {
        const { begin, end } = start();
        const limits: { readonly own: Timed; readonly dueAt: number; told: number[]; endedAt: number }[] = [];
        for (const [waitMs, act] of given) {
          vi.advanceTimersByTime(waitMs);
          const oldest = limits.find(({ endedAt, told }) => told.length === 0 && endedAt === Infinity);
          if (act === 'begin' || oldest === undefined) {
            const told: number[] = [];
            const own = limited(() => told.push(performance.now()));
            limits.push({ own, dueAt: performance.now() + durationMs, told, endedAt: Infinity });
            begin(own);
          } else {
            end(oldest.own);
            oldest.endedAt = performance.now();
            if (act === 'end again') end(oldest.own);
          }
        }
        vi.advanceTimersByTime(1_000);
        for (const { dueAt, told, endedAt } of limits) {
          expect(told.length).toBe(Number(endedAt === Infinity));
          expect(told.filter((at) => at < dueAt - earlyMs || at > dueAt + lateMs)).toEqual([]);
        }
        expect(vi.getTimerCount()).toBe(0);
      }),
      { seed: 20_260_101, numRuns: 200 },
    );
  });

  it('lets those who are told of their own lateness end others and begin anew, and tells the next in time', () => {
    const { begin, end } = start();
    const told: string[] = [];
    const other = limited(() => told.push('other'));
    begin(
      limited(() => {
        told.push('first');
        end(other);
        begin(limited(() => told.push('again')));
      }),
    );
    begin(other);
    vi.advanceTimersByTime(10);
    begin(limited(() => told.push('second')));
    vi.advanceTimersByTime(95);
    expect(told).toEqual(['first']);
    vi.advanceTimersByTime(10);
    expect(told).toEqual(['first', 'second']);
    vi.advanceTimersByTime(100);
    expect(told).toEqual(['first', 'second', 'again']);
  });

  it('goes on telling where telling one has failed', () => {
    const { begin } = start();
    const told: string[] = [];
    begin(
      limited(() => {
        throw new Error('told in vain');
      }),
    );
    begin(limited(() => told.push('second')));
    expect(() => vi.advanceTimersByTime(105)).toThrow('told in vain');
    vi.advanceTimersByTime(5);
    expect(told).toEqual(['second']);
  });

  it('needs one timer, however many there are', () => {
    const { begin } = start();
    for (let count = 0; count < 1_000; count += 1) begin(limited());
    expect(vi.getTimerCount()).toBe(1);
  });
});
