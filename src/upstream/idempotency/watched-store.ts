import { plainCause } from '../../domain/errors.ts';
import { claimTimeoutMs, faultIn, storeError, type IdempotencyStore, type StoreEvent } from './store.ts';

/**
 * Reports every command of a store, and bounds a claim to 400 ms. One that is committed after that is freed, since
 * its client got `IDEMPOTENCY_STORE_UNAVAILABLE`.
 */
export function watchStore(store: IdempotencyStore, onCommand: (event: StoreEvent) => void): IdempotencyStore {
  const watched = async <Value>(command: StoreEvent['command'], work: Promise<Value>): Promise<Value> => {
    const startedAt = performance.now();
    const report = (fault?: StoreEvent['fault'], cause?: string): void =>
      onCommand({ command, durationMs: performance.now() - startedAt, fault, cause });
    try {
      const value = await work;
      report();
      return value;
    } catch (error) {
      const fault = faultIn(error);
      report(fault, fault === 'away' ? plainCause(error).message : undefined);
      throw error;
    }
  };
  return {
    claim: (id, intent) => {
      const claiming = store.claim(id, intent);
      const late = Promise.withResolvers<never>();
      let isAnswered = false;
      const giveUp = (): void => {
        if (isAnswered) return;
        late.reject(storeError('slow'));
        const withdraw = (): Promise<void> => store.withdraw(id, intent.attempt);
        claiming.then((entry) => (entry === undefined ? withdraw().catch(withdraw) : undefined)).catch(() => {});
      };
      // One turn of the event loop later: in a busy process an answer that has arrived is read first.
      const timer = setTimeout(() => setImmediate(giveUp), claimTimeoutMs);
      const answered = claiming.finally(() => {
        isAnswered = true;
        clearTimeout(timer);
      });
      return watched('claim', Promise.race([answered, late.promise]));
    },
    settle: (id, entry) => watched('settle', store.settle(id, entry)),
    free: (...args) => watched('free', store.free(...args)),
    withdraw: (...args) => watched('free', store.withdraw(...args)),
    close: store.close,
  };
}
