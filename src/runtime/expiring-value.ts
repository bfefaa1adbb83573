const lifespanMs = 10 * 60_000;

/** A value that is created anew every ten minutes, for what was observed of a service that may change. */
export function createExpiringValue<Value>(create: () => Value): () => Value {
  let value = create();
  let createdAt = performance.now();
  return () => {
    if (performance.now() - createdAt > lifespanMs) {
      value = create();
      createdAt = performance.now();
    }
    return value;
  };
}
