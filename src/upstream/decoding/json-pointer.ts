import { nameOfStep, toPointer } from '../../contract/addressing.ts';
import { textOrNumber } from './exact-json.ts';

/** Reads the value at the first of several JSON pointers at which there is one that is not null. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** The pointer of the value that `read` returns, or the first pointer where there is none: for error messages. */
  readonly locate: (source: unknown) => string;
  /** The object or list that directly holds what `read` found. */
  readonly holder: (source: unknown) => unknown;
  /** Whether each pointer is a member of the source itself. */
  readonly isDirect: boolean;
  /** Every object or list that encloses what `read` found, from the source inwards; empty where it found nothing. */
  readonly holders: (source: unknown) => readonly unknown[];
  /** Whether `read` took an entry by index out of a list of several. */
  readonly isOneOfSeveral: (source: unknown) => boolean;
}

/** The entry of a list whose member has this value: `[currency=NGN]`, `[primary=true]`. */
interface Choice {
  readonly member: string;
  readonly value: string;
}

type Step = string | Choice;

/** Splits pointers into steps once. Only own properties are read, never those of a prototype. */
export function compilePointers(pointers: readonly string[]): PointerReader {
  const paths = pointers.map(toSteps);
  const follow = paths.every(isOwnInJson) ? followMembers : followSteps;
  const hasIndex = paths.some((steps) => steps.some((step) => typeof step === 'string' && /^\d+$/.test(step)));
  const indexOf = (source: unknown) => paths.findIndex((names) => (follow(source, names) ?? null) !== null);
  const pathOf = (source: unknown) => paths[indexOf(source)] ?? [];
  const readAny = (source: unknown): unknown => {
    for (const names of paths) {
      const value = follow(source, names);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  };
  return {
    read: createMemberReader(paths) ?? readAny,
    locate: (source) => pointers[indexOf(source)] ?? pointers[0] ?? '',
    holder: (source) => follow(source, pathOf(source).slice(0, -1)),
    isDirect: paths.every(({ length }) => length === 1),
    holders: (source) => {
      const steps = pathOf(source);
      return steps.map((_, depth) => follow(source, steps.slice(0, depth)));
    },
    isOneOfSeveral: (source) => {
      if (!hasIndex) return false;
      const steps = pathOf(source);
      return steps.some((step, depth) => {
        const list = typeof step === 'string' ? follow(source, steps.slice(0, depth)) : undefined;
        return Array.isArray(list) && list.length > 1;
      });
    },
  };
}

/** Reads the value at each of several JSON pointers at which there is one that is not null. */
export function compileEach(pointers: readonly string[]): (source: unknown) => readonly unknown[] {
  const readers = pointers.map((pointer) => compilePointers([pointer]));
  return (source) => readers.map(({ read }) => read(source)).filter((value) => value !== undefined);
}

/** The reader of a single pointer to a member of the record itself, which most rows are; undefined for all others. */
function createMemberReader(paths: readonly (readonly Step[])[]): PointerReader['read'] | undefined {
  const [name, ...others] = paths.flat();
  if (typeof name !== 'string' || paths.length > 1 || others.length > 0 || name in []) return undefined;
  return (source) =>
    typeof source === 'object' && source !== null
      ? ((source as Readonly<Record<string, unknown>>)[name] ?? undefined) // isOwnInJson
      : undefined;
}

/** Whether only names stand on a path that no object or list inherits, so that what is found there is its own. */
function isOwnInJson(steps: readonly Step[]): steps is readonly string[] {
  return steps.every((step) => typeof step === 'string' && !(step in []));
}

function toSteps(pointer: string): readonly Step[] {
  const steps = pointer.split('/').slice(1);
  return steps.map(nameOfStep).map((name) => {
    const [, member, value] = /^\[([^=\]]+)=([^\]]*)\]$/.exec(name) ?? [];
    return member === undefined || value === undefined ? name : { member, value };
  });
}

/** Follows names that parsed JSON cannot inherit. Testing each property with `hasOwn` takes twice as long. */
function followMembers(source: unknown, steps: readonly Step[]): unknown {
  let value = source;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step as string]; // isOwnInJson
  }
  return value;
}

function followSteps(source: unknown, steps: readonly Step[]): unknown {
  let value = source;
  for (const step of steps) {
    if (typeof step === 'object') value = choose(value, step);
    else if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    else value = (value as Readonly<Record<string, unknown>>)[step]; // hasOwn has proved the name
  }
  return value;
}

/** The one entry with that value; undefined where there is none, or more than one. */
function choose(list: unknown, { member, value }: Choice): unknown {
  if (!Array.isArray(list)) return undefined;
  const [entry, ...others] = list.filter((each) => {
    const memberValue = followSteps(each, [member]);
    return (typeof memberValue === 'boolean' ? String(memberValue) : textOrNumber(memberValue)) === value;
  });
  return others.length === 0 ? entry : undefined;
}

/** An object without a prototype, which no pointer can reach. */
export function bareObject(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>; // typed any
}

/** Puts a value into a body that is to be sent: under a name, or where a JSON pointer leads. */
export function placeAt(body: Record<string, unknown>, at: string, value: unknown): void {
  const names = toPointer(at).slice(1).split('/').map(nameOfStep);
  const parent = names
    .slice(0, -1)
    .reduce((object, name) => (object[name] ??= bareObject()) as Record<string, unknown>, body); // only objects stand above: findAddressFaults
  parent[names.at(-1) ?? ''] = value;
}
