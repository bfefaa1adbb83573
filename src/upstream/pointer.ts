/** Reads the first of a row's JSON pointers at which something present and not null stands. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** Which pointer `read` found its value at, or the first one where it found none: for error messages. */
  readonly locate: (source: unknown) => string;
}

type Step = readonly string[];

/** Compiles a row's pointers once. Only own properties are read, so a prototype can never answer. */
export function compilePointers(pointers: readonly string[]): PointerReader {
  const steps: readonly Step[] = pointers.map(toStep);
  const find = (source: unknown): number => steps.findIndex((step) => isGiven(follow(source, step)));
  return {
    read: (source) => {
      for (const step of steps) {
        const value = follow(source, step);
        if (isGiven(value)) return value;
      }
      return undefined;
    },
    locate: (source) => pointers[Math.max(find(source), 0)] ?? '',
  };
}

function toStep(pointer: string): Step {
  const segments = pointer.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function follow(source: unknown, step: Step): unknown {
  let value = source;
  for (const key of step) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key]; // hasOwn has just found the key
  }
  return value;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
