/** Reads the first of a row's JSON pointers at which something present and not null stands. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** Which pointer `read` found its value at, or the first one where it found none: for error messages. */
  readonly locate: (source: unknown) => string;
  /** The pointers as names, where each is one name that is simply read. */
  readonly names: readonly string[] | undefined;
}

type Step = readonly string[];
type Follow = (source: unknown) => unknown;

/** Compiles a row's pointers once. Only own properties are read, so a prototype can never answer. */
export function compilePointers(pointers: readonly string[]): PointerReader {
  const steps = pointers.map(toStep);
  const names = steps.map(plainName).filter((name) => name !== undefined);
  const follows = steps.map(compileStep);
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
    names: names.length === steps.length ? names : undefined,
  };
}

function toStep(pointer: string): Step {
  const segments = pointer.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Most pointers are one name, and no object has most names unless they are its own: those are simply read. */
function plainName([name, ...more]: Step): string | undefined {
  const isInherited = name !== undefined && (name in Object.prototype || name in Array.prototype);
  return more.length > 0 || isInherited ? undefined : name;
}

function compileStep(step: Step): Follow {
  const name = plainName(step);
  if (name === undefined) return (source) => follow(source, step);
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
