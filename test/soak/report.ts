/** Loaded before the gateway (`node --expose-gc --import`): says over IPC what the process holds, after a collection. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Holdings } from './soak.ts';

const counted = (kind: RegExp): number => process.getActiveResourcesInfo().filter((name) => kind.test(name)).length;

process.on('message', () => {
  void (async () => {
    // What finalizers let go of is collected by the next one.
    for (let time = 0; time < 3; time += 1) {
      globalThis.gc?.();
      await delay(50);
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const holdings: Holdings = {
      rss: rss / 2 ** 20,
      heapUsed: heapUsed / 2 ** 20,
      external: external / 2 ** 20,
      sockets: counted(/^TCPSocketWrap$/),
      timers: counted(/^Timeout$/),
      listeners,
    };
    process.send?.(holdings);
  })();
});
