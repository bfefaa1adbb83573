/** Reads the value at the first of several JSON pointers at which there is one that is not null. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** The pointer of the value that `read` returns, or the first pointer where there is none: for error messages. */
  readonly locate: (source: unknown) => string;
  /** The object or list that directly holds what `read` found. */
  readonly holder: (source: unknown) => unknown;
  /** Whether `read` took one of several entries of a list, which its pointer chose by nothing but their order. */
  readonly isOneOfSeveral: (source: unknown) => boolean;
}

/** Splits pointers into names once. Only own properties are read, never those of a prototype. */
export function compilePointers(pointers: readonly string[]): PointerReader {
  const paths = pointers.map(toNames);
  const hasIndex = paths.some((names) => names.some((name) => /^\d+$/.test(name)));
  const pathOf = (source: unknown) => paths.find((names) => (follow(source, names) ?? null) !== null) ?? [];
  const readAny = (source: unknown): unknown => {
    for (const names of paths) {
      const value = follow(source, names);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  };
  return {
    read: createMemberReader(paths) ?? readAny,
    locate: (source) =>
      pointers[paths.findIndex((names) => (follow(source, names) ?? null) !== null)] ?? pointers[0] ?? '',
    holder: (source) => follow(source, pathOf(source).slice(0, -1)),
    isOneOfSeveral: (source) => {
      if (!hasIndex) return false;
      const names = pathOf(source);
      return names.some((_, depth) => {
        const list = follow(source, names.slice(0, depth));
        return Array.isArray(list) && list.length > 1;
      });
    },
  };
}

/** The reader of a single pointer to a member of the record itself, which most rows are; undefined for all others. */
function createMemberReader([first, second]: readonly (readonly string[])[]): PointerReader['read'] | undefined {
  const [name, deeper] = first ?? [];
  // Only a name that every object or list inherits needs a look at whose property it is.
  if (name === undefined || deeper !== undefined || second !== undefined || name in []) return undefined;
  return (source) =>
    typeof source === 'object' && source !== null
      ? ((source as Readonly<Record<string, unknown>>)[name] ?? undefined) // of parsed JSON, which has no other prototype
      : undefined;
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
