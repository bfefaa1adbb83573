import { z } from 'zod';

type Schema = z.core.JSONSchema.JSONSchema;

const maxExampleLength = 100;

/** Describes the values that a row allows: `a list of JSON pointers, such as ["/id"]`. A short `example` is added. */
export function allowedWords(schema: z.ZodType, example: unknown): string {
  const words = toWords(z.toJSONSchema(schema));
  const isTelling = typeof example === 'object' ? Object.keys(example ?? {}).length > 0 : typeof example === 'string';
  const text = JSON.stringify(example);
  return isTelling && /^an?\b/.test(words) && text.length <= maxExampleLength ? `${words}, such as ${text}` : words;
}

function toWords(schema: Schema): string {
  const { description, anyOf, minimum, maximum } = schema;
  const items = schema.items as Schema | undefined; // Zod writes no tuples here
  const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (description !== undefined) return description;
  if (values !== undefined) return values.map((value) => (value === '' ? 'an empty text' : String(value))).join(', ');
  if (anyOf !== undefined) return anyOf.map(toWords).join(', or ');
  if (items?.not !== undefined) return 'an empty list'; // of an empty choice
  if (items !== undefined)
    return `a list${(schema.minItems ?? 0) > 0 ? ', not empty,' : ''} of ${toPlural(toWords(items))}`;
  if (schema.type === 'object') return toMap(schema);
  if (schema.type === 'boolean') return 'true, false';
  if (schema.type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  return [schema.type].flat().map(nameOfType).join(' or ');
}

function nameOfType(type: string | undefined): string {
  return type === 'null' ? 'null' : `a ${type === 'string' ? 'text' : type}`;
}

/** `a whole number from 1 to 9 or a text` → `whole numbers from 1 to 9 or texts` */
function toPlural(words: string): string {
  return words.replaceAll(/\ban? ((?:whole |JSON )?\w+)/g, '$1s');
}

function toMap({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    return typeof additionalProperties === 'object'
      ? `a map of names, each to ${toWords(additionalProperties)}`
      : 'a map';
  }
  const members = Object.entries(properties).map(([name, schema]) => [name, toWords(schema as Schema)] as const); // never true or false
  const parts = members.map(([name, words]) => `${name}${required.includes(name) ? '' : '?'}: ${words}`);
  const [word, ...others] = new Set(members.map(([, words]) => words));
  if (word !== undefined && others.length === 0)
    return `a map of ${Object.keys(properties).join(', ')}, each to ${word}`;
  return parts.length === 0 ? 'an empty map' : `a map { ${parts.join('; ')} }`;
}
