/** Reads the first of a row's JSON pointers at which a value stands that is present and not null. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** The pointer at which `read` found its value, or the first one where it found none: for error messages. */
  readonly locate: (source: unknown) => string;
}

/** Splits a row's pointers into names once. Only own properties are read, so a prototype can never answer. */
export function compilePointers(pointers: readonly string[]): PointerReader {
  const paths = pointers.map(toNames);
  return {
    read: (source) => {
      for (const names of paths) {
        const value = follow(source, names);
        if (value !== undefined && value !== null) return value;
      }
      return undefined;
    },
    locate: (source) =>
      pointers[paths.findIndex((names) => (follow(source, names) ?? null) !== null)] ?? pointers[0] ?? '',
  };
}

function toNames(pointer: string): readonly string[] {
  const segments = pointer.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function follow(source: unknown, names: readonly string[]): unknown {
  let value = source;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name]; // hasOwn has found the name
  }
  return value;
}

/** The JSON pointer of a member with this name at the top of an object. */
export function toPointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
