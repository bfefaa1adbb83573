import { compileCode, literal } from '../../runtime/generated-code.ts';

/** Reads the first of a row's JSON pointers at which something present and not null stands. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** Which pointer `read` found its value at, or the first one where it found none: for error messages. */
  readonly locate: (source: unknown) => string;
  /** The pointers as names, where each is one name that is simply read. */
  readonly names: readonly string[] | undefined;
}

type Names = readonly string[];
type Follow = (source: unknown) => unknown;

/**
 * Compiles a row's pointers once. Only own properties are read, so a prototype can never answer. Each row has code of its
 * own, so that every name is read where only this row's objects pass, which is what V8 reads fast.
 */
export function compilePointers(pointers: readonly string[]): PointerReader {
  const paths = pointers.map(toNames);
  // One by one they are followed for error messages only.
  let follows: readonly Follow[] | undefined;
  const find = (source: unknown): number => {
    follows ??= paths.map((path) => compileFollow([path]));
    return follows.findIndex((follow) => follow(source) !== undefined);
  };
  const names = paths.map(([name, ...more]) => (more.length === 0 && isPlain(name) ? name : undefined));
  return {
    read: compileFollow(paths),
    locate: (source) => pointers[Math.max(find(source), 0)] ?? '',
    names: names.every((name) => name !== undefined) ? names : undefined,
  };
}

function toNames(pointer: string): Names {
  const segments = pointer.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether no object has a name unless it is its own, as is so with most: such a one is simply read. */
function isPlain(name: string | undefined): boolean {
  return name !== undefined && !(name in Object.prototype || name in Array.prototype);
}

function compileFollow(paths: readonly Names[]): Follow {
  const code = `(source) => {
    let value;
    ${paths.map((names) => codeOf(names, 'source')).join('\n')}
    return undefined;
  }`;
  return compileCode(code, {}) as Follow; // what the code is the text of
}

/** Reads one name after the other; JSON's objects inherit no plain one. */
function codeOf([name, ...more]: Names, holder: string): string {
  if (name === undefined) return `if (${holder} !== undefined && ${holder} !== null) return ${holder};`;
  const key = literal(name);
  const read = isPlain(name) ? `value[${key}]` : `Object.hasOwn(value, ${key}) ? value[${key}] : undefined`;
  return `value = ${holder};
    if (typeof value === 'object' && value !== null) {
      value = ${read};
      ${codeOf(more, 'value')}
    }`;
}
