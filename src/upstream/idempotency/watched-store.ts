import { plainCause } from '../../domain/errors.ts';
import { faultIn, storeError, type IdempotencyStore, type StoreEvent } from './store.ts';

/** The longest that a client waits for its key to be claimed, and a stop for an outcome to be recorded. */
const limitsMs = { claim: 400, settle: 2_000, free: 2_000 } as const;

/** Limits the time of every command, and reports it. One that takes longer fails, and may still be carried out. */
export function watchStore(store: IdempotencyStore, onCommand: (event: StoreEvent) => void): IdempotencyStore {
  const watched = async <Value>(command: StoreEvent['command'], work: Promise<Value>): Promise<Value> => {
    const startedAt = performance.now();
    const report = (fault?: StoreEvent['fault'], cause?: string): void =>
      onCommand({ command, durationMs: performance.now() - startedAt, fault, cause });
    const late = Promise.withResolvers<never>();
    // One turn of the event loop later: in a busy process an answer that has arrived is read first.
    const fail = (): void => void setImmediate(() => late.reject(storeError('slow')));
    const timer = setTimeout(fail, limitsMs[command]);
    try {
      const value = await Promise.race([work, late.promise]);
      report();
      return value;
    } catch (error) {
      const fault = faultIn(error);
      report(fault, fault === 'away' ? plainCause(error).message : undefined);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    claim: (...args) => watched('claim', store.claim(...args)),
    settle: (...args) => watched('settle', store.settle(...args)),
    free: (...args) => watched('free', store.free(...args)),
    close: store.close,
  };
}
