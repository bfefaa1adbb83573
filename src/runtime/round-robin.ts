/** Queues by key that take turns: `next` takes the oldest item of the key that was served longest ago. */
export interface RoundRobin<Item> {
  readonly add: (key: string, item: Item) => void;
  /** Passes by keys that may not go now. Undefined where no item may. */
  readonly next: (mayGo: (key: string) => boolean) => Item | undefined;
  /** Takes one item of a key out. */
  readonly take: (key: string, item: Item) => void;
  /** Takes all items of one key out. */
  readonly remove: (key: string) => readonly Item[];
  readonly length: () => number;
  readonly lengthOf: (key: string) => number;
  readonly keys: () => number;
}

export function createRoundRobin<Item>(): RoundRobin<Item> {
  const queues = new Map<string, Item[]>();
  let length = 0;
  return {
    add: (key, item) => {
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, [item]);
      else queue.push(item);
      length += 1;
    },
    next: (mayGo) => {
      for (const [key, queue] of queues) {
        if (!mayGo(key)) continue;
        // A Map lists its keys in the order in which they were set.
        queues.delete(key);
        if (queue.length > 1) queues.set(key, queue);
        length -= 1;
        return queue.shift();
      }
      return undefined;
    },
    take: (key, item) => {
      const queue = queues.get(key) ?? [];
      const index = queue.indexOf(item);
      if (index === -1) return;
      queue.splice(index, 1);
      length -= 1;
      if (queue.length === 0) queues.delete(key);
    },
    remove: (key) => {
      const queue = queues.get(key) ?? [];
      queues.delete(key);
      length -= queue.length;
      return queue;
    },
    length: () => length,
    lengthOf: (key) => queues.get(key)?.length ?? 0,
    keys: () => queues.size,
  };
}
