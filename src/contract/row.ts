import { z } from 'zod';

/**
 * One property of the payments service: its default value, and the schema of the values that may override it. A fact is
 * published (its source is the section of the interface document); an assumption is ours, with its reason; a decision is
 * left to the deployer, because the meaning of money depends on it.
 */
export interface Row<Value> {
  readonly kind: 'fact' | 'assumption' | 'decision';
  readonly source: string;
  readonly value: Value;
  readonly schema: z.ZodType<Value>;
}

export type CredentialName = 'bearer' | 'privateKey';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';
export type MoneyUnit = 'major' | 'minor';
export const pageStyles = ['page', 'offset', 'cursor', 'none', 'undecided'] as const;
export type PageStyle = (typeof pageStyles)[number];
/** Forms of dates. `YYYY-MM-DD` is always read as well. */
export const dateForms = ['YYYY-MM-DD', 'DD-MM-YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;
export type DateForm = (typeof dateForms)[number];
/** Characters that end or divide a path segment where a proxy decodes it. An identifier may have those in `identifiers.allow`. */
export const pathCharacters = ['/', '\\', '%', '?', '#', ';'] as const;
export type PathCharacter = (typeof pathCharacters)[number];

export const wireName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^(?!__proto__$)/, 'not __proto__')
  .meta({ description: 'a name of 1 to 100 characters' });
export const pointer = z
  .string()
  .regex(/^(?:\/(?:[^~]|~[01])*)?$/, 'a JSON pointer: empty, or / and names, with ~ as ~0')
  .refine(
    (text) => text.split('/').every((name) => !name.startsWith('[') || /^\[(?:text|[^=\]]+=[^\]]*)\]$/.test(name)),
    'an entry of a list as [member=value], a value only where it is a text as [text]',
  )
  .meta({ description: 'a JSON pointer' });
export const pointers = z.array(pointer);
/** Places in an answer: in its body, or in a header. */
export const places = z.array(
  pointer
    .or(z.string().regex(/^header:[a-z0-9-]{1,100}$/, 'a header as header:x-total-count'))
    .meta({ description: 'a JSON pointer or header:name' }),
);
export const readMethod: z.ZodType<Method> = z.enum(['GET', 'POST']);
export const writeMethod: z.ZodType<Method> = z.enum(['POST', 'PUT', 'PATCH']);
export const credentials: z.ZodType<readonly CredentialName[]> = z
  .array(z.enum(['bearer', 'privateKey']))
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'each credential once');
/**
 * The schema of a path template with these parameters, each at most once. A missing parameter is sent in the body
 * (`idInBody`). With `mayNameFields` the template may also name fields, which `findAddressFaults` checks: fields of the
 * parent record for a read, of the input for a write.
 */
export function pathSchema(parameters: readonly string[], mayNameFields: boolean): z.ZodType<string> {
  const isOneOf = (name: string): boolean => mayNameFields || parameters.includes(name);
  return z
    .string()
    .regex(/^\/[!-~]*$/, 'a path of visible ASCII')
    .regex(
      /^(?:[^{}?#]|\{\w+\})*(?:\?(?:[^{}?#]|\{\w+\})*)?$/,
      'a path, perhaps with a query, without # and single braces',
    )
    .refine(
      (value) => parametersIn(value).every((name, index, all) => isOneOf(name) && all.indexOf(name) === index),
      mayNameFields
        ? 'a path with each name in braces once'
        : `a path with exactly one ${parameters.map((name) => `{${name}}`).join(' and one ')}`,
    );
}

/** The path of a create without a parent record; it may contain fields of the input. */
export const createPath = pathSchema([], true);

export function parametersIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

export const collectionPath = z
  .string()
  .regex(/^\/(?:[!-~](?<![{}?#]))*$/, 'a path of visible ASCII without parameters');
/** A `collectionPath`, perhaps with a constant query. */
export const collectionTarget = z
  .string()
  .regex(
    /^\/(?:[!-~](?<![{}?#]))*(?:\?(?:[!-~](?<![{}?#]))*)?$/,
    'a path of visible ASCII without parameters in braces',
  );
export const words = z.array(z.string().min(1));

export function fact<Value>(section: string, value: Value, schema: z.ZodType<Value>): Row<Value> {
  return { kind: 'fact', source: `section ${section}`, value, schema };
}
export function assumption<Value>(reason: string, value: Value, schema: z.ZodType<Value>): Row<Value> {
  return { kind: 'assumption', source: reason, value, schema };
}
export function decision<Value>(reason: string, schema: z.ZodType<Value | null>): Row<Value | null> {
  return { kind: 'decision', source: reason, value: null, schema };
}
/** An assumption that is one of a few words; the first is the default. */
export const choice = <const Names extends readonly [string, ...string[]]>(
  reason: string,
  names: Names,
): Row<Names[number]> => assumption<Names[number]>(reason, names[0], z.enum(names));
/** The places of names as services write them: `/total_count` and `/totalCount`. */
export function spelt(...names: readonly string[]): readonly string[] {
  const toCamel = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return [...new Set(names.flatMap((name) => [`/${name}`, `/${toCamel(name)}`]))];
}
/** Where a field stands in a record. */
export const at = (...list: string[]): Row<readonly string[]> =>
  assumption('the first of these that is present and not null', list, pointers);
