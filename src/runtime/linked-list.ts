/** What can stand in a chain, in one at a time. */
export interface Linked<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

/**
 * Items in the order they came, of which any can be taken out at once. What was taken out holds on to nothing: a Set
 * that grows and shrinks leaves old tables behind, and what those point to outlives many a garbage collection.
 */
export interface Chain<Item> {
  readonly first: () => Item | undefined;
  readonly append: (item: Item) => void;
  readonly remove: (item: Item) => void;
  readonly length: () => number;
}

export function createChain<Item extends Linked<Item>>(): Chain<Item> {
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
