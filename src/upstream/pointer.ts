/** Reads the first of a row's JSON pointers at which something present and not null stands. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** Which pointer `read` found its value at, or the first one where it found none: for error messages. */
  readonly locate: (source: unknown) => string;
}

type Step = readonly string[];
type Follow = (source: unknown) => unknown;

/** Compiles a row's pointers once. Only own properties are read, so a prototype can never answer. */
export function compilePointers(pointers: readonly string[]): PointerReader {
  const follows = pointers.map(toStep).map(compileStep);
  const find = (source: unknown): number => follows.findIndex((follow) => isGiven(follow(source)));
  const [only] = follows;
  return {
    read:
      only !== undefined && follows.length === 1
        ? (source) => only(source) ?? undefined
        : (source) => {
            for (const follow of follows) {
              const value = follow(source);
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

/** Most pointers are one name, and no object has most names unless they are its own: those are simply read. */
function compileStep(step: Step): Follow {
  const [name] = step;
  if (name === undefined || step.length > 1 || name in Object.prototype || name in Array.prototype) {
    return (source) => follow(source, step);
  }
  return (source) =>
    typeof source === 'object' && source !== null ? (source as Record<string, unknown>)[name] : undefined; // JSON's objects inherit no such name
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
