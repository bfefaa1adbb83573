import { onTestFinished, vi } from 'vitest';

/** Stops `performance.now()`, and nothing else, for this test; the returned function moves it on. */
export function stopClock(): (durationMs: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (durationMs) => void vi.advanceTimersByTime(durationMs);
}
