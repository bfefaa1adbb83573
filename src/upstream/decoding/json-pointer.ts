/** Reads the value at the first of several JSON pointers at which there is one that is not null. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** The pointer of the value that `read` returns, or the first pointer where there is none: for error messages. */
  readonly locate: (source: unknown) => string;
}

/** Splits pointers into names once. Only own properties are read, never those of a prototype. */
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
    value = (value as Readonly<Record<string, unknown>>)[name]; // hasOwn has proved the name
  }
  return value;
}

/** The JSON pointer of a member with this name at the top of an object. */
export function toPointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
