import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { numberText } from '../../upstream/decoding/exact-json.ts';

const maxDepth = 4;
const maxNodes = 2_000;

const plainName = /^[A-Za-z_][A-Za-z_-]{0,39}$/;

/** A value inside parsed JSON with the JSON pointer that leads to it. */
export interface Found {
  readonly pointer: string;
  readonly name: string;
  readonly value: unknown;
}

/** Every value inside a body, nearest first, at most 4 levels deep and 2,000 in all; arrays are not entered. */
export function walk(body: unknown): readonly Found[] {
  const found: Found[] = [];
  let level: readonly Found[] = [{ pointer: '', name: '', value: body }];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    found.push(...level);
    level = level.flatMap(({ pointer, value }) => (isRecord(value) ? children(pointer, value) : []));
    if (found.length + level.length > maxNodes) break;
  }
  return found;
}

/** A key that is no name may be a record's value, such as an account number: it is neither followed nor shown. */
export function isPlainName(key: string): boolean {
  return plainName.test(key);
}

function children(pointer: string, record: Readonly<Record<string, unknown>>): readonly Found[] {
  return Object.entries(record)
    .slice(0, 500)
    .filter(([name]) => isPlainName(name))
    .map(([name, value]) => ({ pointer: `${pointer}/${name}`, name, value }));
}

/** A value's type in words, without the value. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (numberText(value) !== undefined) return 'number';
  return typeof value === 'symbol' ? 'broken string' : typeof value;
}

/** The names at the top of a value with their types: `{id: number, name: string}`. */
export function shapeOf(value: unknown): string {
  if (!isRecord(value)) return typeOf(value);
  const names = children('', value).map(({ name, value: inner }) => `${name}: ${typeOf(inner)}`);
  return `{${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}}`;
}

/** A name without case, hyphens and underscores: `first_name` and `firstName` are one. */
export function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
