import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSharedTimer, type Timed } from '../../src/runtime/shared-timer.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function limited(onTimeout: () => void = () => {}): Timed {
  return { dueAt: 0, previous: undefined, next: undefined, onTimeout };
}

/** A limit for what begins at the moment. */
function start(durationMs: number) {
  const { start: begin, clear: end } = createSharedTimer(durationMs);
  return { begin: (own: Timed) => begin(own, performance.now()), end };
}

describe('a time limit', () => {
  it('tells each that is late, when it is late and once', () => {
    const { begin } = start(100);
    const told: string[] = [];
    begin(limited(() => told.push('first')));
    vi.advanceTimersByTime(60);
    begin(limited(() => told.push('second')));
    vi.advanceTimersByTime(38);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(4);
    expect(told).toEqual(['first']);
    vi.advanceTimersByTime(56);
    expect(told).toEqual(['first']);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual(['first', 'second']);
  });

  it('tells nobody who has ended, and may begin again after a time without any', () => {
    const { begin, end } = start(100);
    const told: string[] = [];
    const ended = limited(() => told.push('ended'));
    begin(ended);
    end(ended);
    end(ended);
    vi.advanceTimersByTime(1_000);
    begin(limited(() => told.push('begun later')));
    vi.advanceTimersByTime(90);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(told).toEqual(['begun later']);
  });

  it('lets those who are told of their own lateness end others and begin anew', () => {
    const { begin, end } = start(100);
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
    vi.advanceTimersByTime(150);
    expect(told).toEqual(['first']);
    vi.advanceTimersByTime(100);
    expect(told).toEqual(['first', 'again']);
  });

  it('tells nobody later because another one begins while somebody is told', () => {
    const { begin } = start(100);
    const told: string[] = [];
    begin(
      limited(() => {
        told.push('first');
        begin(limited(() => told.push('begun meanwhile')));
      }),
    );
    vi.advanceTimersByTime(10);
    begin(limited(() => told.push('second')));
    vi.advanceTimersByTime(95);
    expect(told).toEqual(['first']);
    vi.advanceTimersByTime(10);
    expect(told).toEqual(['first', 'second']);
    vi.advanceTimersByTime(100);
    expect(told).toEqual(['first', 'second', 'begun meanwhile']);
  });

  it('goes on telling where telling one has failed', () => {
    const { begin } = start(100);
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
    const { begin } = start(100);
    for (let count = 0; count < 1_000; count += 1) begin(limited());
    expect(vi.getTimerCount()).toBe(1);
  });
});
