/** An item of at most one list at a time. */
export interface Linked<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

/**
 * Intrusive doubly linked list (FIFO) with O(1) removal. Used instead of a Set because a Set that grows and shrinks
 * keeps old hash tables alive across garbage collections: docs/performance.md has what that costs.
 */
export interface LinkedList<Item> {
  readonly first: () => Item | undefined;
  readonly append: (item: Item) => void;
  readonly remove: (item: Item) => void;
  readonly length: () => number;
}

export function createLinkedList<Item extends Linked<Item>>(): LinkedList<Item> {
  let first: Item | undefined;
  let last: Item | undefined;
  let length = 0;
  return {
    first: () => first,
    append: (item) => {
      item.previous = last;
      if (last === undefined) first = item;
      else last.next = item;
      last = item;
      length += 1;
    },
    remove: (item) => {
      const { previous, next } = item;
      if (previous === undefined) first = next;
      else previous.next = next;
      if (next === undefined) last = previous;
      else next.previous = previous;
      item.previous = undefined;
      item.next = undefined;
      length -= 1;
    },
    length: () => length,
  };
}
