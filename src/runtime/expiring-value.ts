/** How long what was seen of a service is believed: one that once answered oddly gets another chance. */
const memoryMs = 10 * 60_000;

/** What has been learnt of a service, begun afresh every ten minutes. */
export function createMemory<Value>(begin: () => Value): () => Value {
  let value = begin();
  let begunAt = performance.now();
  return () => {
    if (performance.now() - begunAt > memoryMs) {
      value = begin();
      begunAt = performance.now();
    }
    return value;
  };
}
