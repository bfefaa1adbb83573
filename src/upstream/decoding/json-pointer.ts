import { nameOfStep, toPointer } from '../../contract/addressing.ts';
import { textOrNumber } from './exact-json.ts';

/** Reads the value at the first of several JSON pointers at which there is one that is not null. */
export interface PointerReader {
  readonly read: (source: unknown) => unknown;
  /** The pointer of the value that `read` returns, or the first pointer where there is none: for error messages. */
  readonly locate: (source: unknown) => string;
  /** Every object or list that encloses what `read` found, from the source inwards; empty where it found nothing. */
  readonly holders: (source: unknown) => readonly unknown[];
  /** Whether `read` took an entry by index out of a list of several. */
  readonly isOneOfSeveral: (source: unknown) => boolean;
}

interface Step {
  readonly name: string;
  /** Whether arrays inherit a member of that name, such as `length`, which is not read. */
  readonly isInherited: boolean;
  /** Set for the entry of a list whose member `name` has this value: `[currency=NGN]`, `[primary=true]`. */
  readonly chosen: string | undefined;
  /** Set for `[text]`: the value itself, where it is a text. */
  readonly isText: boolean;
}

/** Splits pointers into steps once. Only own properties are read, never those of a prototype. */
export function compilePointers(pointers: readonly string[]): PointerReader {
  const paths = pointers.map(toSteps);
  const hasIndex = pointers.some((pointer) => /\/\d+(?:\/|$)/.test(pointer));
  const indexOf = (source: unknown) => paths.findIndex((steps) => (follow(source, steps) ?? null) !== null);
  const holders = (source: unknown): readonly unknown[] => {
    const steps = paths[indexOf(source)] ?? [];
    return steps.map((_, depth) => follow(source, steps.slice(0, depth)));
  };
  return {
    read: (source) => {
      for (const steps of paths) {
        const value = follow(source, steps);
        if (value !== undefined && value !== null) return value;
      }
      return undefined;
    },
    locate: (source) => pointers[indexOf(source)] ?? pointers[0] ?? '',
    holders,
    isOneOfSeveral: (source) => {
      if (!hasIndex) return false;
      const steps = paths[indexOf(source)] ?? [];
      return holders(source).some(
        (holder, depth) => steps[depth]?.chosen === undefined && Array.isArray(holder) && holder.length > 1,
      );
    },
  };
}

/** Reads the value at each of several JSON pointers at which there is one that is not null. */
export function compileEach(pointers: readonly string[]): (source: unknown) => readonly unknown[] {
  const read = compileSlots(pointers);
  return (source) => read(source).filter((value) => value !== null);
}

/** Reads the value at each of several JSON pointers at which there is one, be it null. */
export function compileSlots(pointers: readonly string[]): (source: unknown) => readonly unknown[] {
  const paths = pointers.map(toSteps);
  return (source) => {
    const values: unknown[] = [];
    for (const steps of paths) {
      const value = follow(source, steps);
      if (value !== undefined) values.push(value);
    }
    return values;
  };
}

function toSteps(pointer: string): readonly Step[] {
  // A header is read as a member of that name, `header:link`, which its reader puts beside those of the body.
  const names = (pointer.startsWith('header:') ? `/${pointer}` : pointer).split('/').slice(1).map(nameOfStep);
  return names.map((step) => {
    const [, name = step, chosen] = /^\[([^=\]]+)=([^\]]*)\]$/.exec(step) ?? [];
    return { name, isInherited: name in [], chosen, isText: step === '[text]' };
  });
}

function follow(source: unknown, steps: readonly Step[]): unknown {
  let value = source;
  for (const step of steps) {
    if (step.isText) value = typeof value === 'string' ? value : undefined;
    else value = step.chosen === undefined ? memberOf(value, step) : choose(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

function memberOf(value: unknown, { name, isInherited }: Step): unknown {
  if (typeof value !== 'object' || value === null || (isInherited && !Object.hasOwn(value, name))) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name]; // its own: nothing that JSON makes inherits another name
}

/** The one entry with that value; undefined where there is none, or more than one. */
function choose(list: unknown, step: Step): unknown {
  if (!Array.isArray(list)) return undefined;
  const [entry, ...others] = list.filter((each) => {
    const value = memberOf(each, step);
    return (typeof value === 'boolean' ? String(value) : textOrNumber(value)) === step.chosen;
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
