/** Loaded before the gateway (`node --expose-gc --import`): says over IPC what the process holds, after a collection. */
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Holdings } from './soak.ts';

/** Idle ones too, which Node does not count as active. */
const openSockets = (): number =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith('socket:');
    } catch {
      return false; // the one that listed them
    }
  }).length;

process.on('message', () => void report());

async function report(): Promise<void> {
  // What finalizers let go of is collected by the next one.
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await delay(50);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const holdings: Holdings = {
    rss: rss / 2 ** 20,
    heapUsed: heapUsed / 2 ** 20,
    external: external / 2 ** 20,
    sockets: openSockets(),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
  process.send?.(holdings);
}
