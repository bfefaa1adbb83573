import { isRecord } from '../upstream/decode.ts';
import { numberText } from '../upstream/json.ts';

const maxDepth = 4;
const maxNodes = 2_000;
const maxNameLength = 60;

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

function children(pointer: string, record: Readonly<Record<string, unknown>>): readonly Found[] {
  return Object.entries(record)
    .slice(0, 500)
    .map(([name, value]) => ({ pointer: `${pointer}/${escapeSegment(name)}`, name, value }));
}

function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A value's type in words, without the value. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (numberText(value) !== undefined) return 'number';
  return typeof value;
}

/** The names at the top of a value with their types: `{id: number, name: text}`. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `array of ${value.length === 0 ? 'nothing' : shapeOf(value[0])}`;
  if (!isRecord(value)) return typeOf(value);
  const entries = Object.entries(value).slice(0, 12);
  const names = entries.map(([name, inner]) => `${printable(name)}: ${typeOf(inner)}`);
  return `{${names.join(', ')}${Object.keys(value).length > 12 ? ', …' : ''}}`;
}

/** A field's name is no value, but a hostile service may put one there: digits runs and odd characters are taken out. */
export function printable(name: string): string {
  return name
    .replaceAll(/[^\w.~/-]/g, '?')
    .replaceAll(/\d{6,}/g, '…')
    .slice(0, maxNameLength);
}

/** A name without case, hyphens and underscores: `first_name` and `firstName` are one. */
export function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
