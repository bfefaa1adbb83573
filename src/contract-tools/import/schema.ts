import { compilePointers, isRecord } from '../../upstream/index.ts';
import { toStep } from '../../contract/addressing.ts';
import { listOf, membersOf, type Json, type Note } from './endpoint.ts';

const maxDepth = 12;
const maxNodes = 3_000;
const maxReferences = 20;

/** The keyword of properties that a request (`readOnly`) or an answer (`writeOnly`) does not have. */
type OtherSide = 'readOnly' | 'writeOnly';

/** What a schema says of its values, and by JSON pointers what it says of their members. */
interface Description {
  /** The schema's examples, else values by type, format and name. */
  readonly sample: unknown;
  /** Members that are required in all that is required above them. */
  readonly required: readonly string[];
  /** Those of them for which one value is allowed only, with that value. */
  readonly constants: Json;
}

/** Reads `$ref`s and schemas of one document. What it reads of one schema is limited in depth and number. */
export interface Schemas {
  /** A node's target, `$ref`s followed; empty for what is no object, outside the file, or circular. */
  readonly resolve: (node: unknown, place: string) => Json;
  readonly describe: (schema: unknown, place: string, omitted: OtherSide) => Description;
}

export function createSchemas(document: Json, note: Note): Schemas {
  const resolve = (node: unknown, place: string): Json => {
    let target: unknown = node;
    for (let hops = 0; isRecord(target) && typeof target['$ref'] === 'string'; hops += 1) {
      const isOutside = !target['$ref'].startsWith('#');
      if (isOutside)
        note(place, '$ref leads out of the file; it is not followed (a bundler makes one file of several)');
      else if (hops === maxReferences) note(place, '$ref leads in a circle, or over too many others');
      if (isOutside || hops === maxReferences) return {};
      const pointer = target['$ref'].slice(1).replaceAll('%7B', '{').replaceAll('%7D', '}');
      target = compilePointers([pointer]).read(document);
      if (!isRecord(target)) note(place, '$ref leads to nothing, or no object');
    }
    return membersOf(target);
  };
  return { resolve, describe: createDescriber(resolve) };
}

function createDescriber(resolve: Schemas['resolve']): Schemas['describe'] {
  return (root, place, omitted) => {
    let remaining = maxNodes;
    const required = new Set<string>();
    const constants: Record<string, unknown> = {};
    const isKept = ([, node]: readonly [string, unknown]): boolean => {
      const { [omitted]: isOther, deprecated } = resolve(node, place);
      return isOther !== true && deprecated !== true;
    };
    /** `at`: the value's pointer, where it and all around it are required. */
    const visit = (node: unknown, name: string, at: string | undefined, above: readonly Json[]): unknown => {
      remaining -= 1;
      const schema = resolve(node, place);
      // A record that holds itself ends there: a sample of it would grow with every field that does.
      if (above.length > maxDepth || remaining < 0 || above.includes(schema)) return undefined;
      const below = (inner: unknown, innerAt?: string, innerName = name): unknown =>
        visit(inner, innerName, innerAt, [...above, schema]);
      const needed = listOf(schema['required']).map(String);
      const pointerOf = (key: string) => (at !== undefined && needed.includes(key) ? at + toStep(key) : undefined);
      for (const key of needed) if (at !== undefined) required.add(at + toStep(key));
      const only = schema['const'] ?? (listOf(schema['enum']).length === 1 ? listOf(schema['enum'])[0] : undefined);
      if (at !== undefined && at !== '' && only !== undefined) constants[at] = only;
      const properties = Object.entries(membersOf(schema['properties']));
      const kept = properties.filter(isKept);
      const own = kept.map(([key, inner]) => [key, below(inner, pointerOf(key), key)] as const);
      const parts = listOf(schema['allOf']).map((part) => below(part, at));
      const choices = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].map((choice) => below(choice));
      const all = [...parts, choices.find((value) => value !== undefined)];
      const example = exampleIn(schema);
      const leftOut = new Set(properties.filter((each) => !kept.includes(each)).map(([key]) => key));
      if (isRecord(example)) return Object.fromEntries(Object.entries(example).filter(([key]) => !leftOut.has(key)));
      if (example !== undefined) return example;
      if (all.some(isRecord) || own.length > 0)
        return Object.fromEntries([...all.filter(isRecord).flatMap((part) => Object.entries(part)), ...own]);
      const type = [schema['type']].flat().find((each) => each !== 'null');
      if (type === 'array' || isRecord(schema['items']))
        return [below(schema['items'])].filter((item) => item !== undefined);
      return type === undefined ? all.find((value) => value !== undefined) : valueOf(type, schema['format'], name);
    };
    return { sample: visit(root, '', '', []), required: [...required], constants };
  };
}

/** The first value that a schema itself gives. */
function exampleIn({ example, examples, const: fixed, default: usual, enum: choices }: Json): unknown {
  return [example, listOf(examples)[0], fixed, listOf(choices)[0], usual].find((value) => (value ?? null) !== null);
}

const timeName = /(?:_at|At|_on|[a-z]On|[dD]ate|[tT]ime|timestamp|created|updated|expiry)$|^date/;

/** A value of a type. A text takes the form that its format or its field's name says, since a row may depend on it. */
function valueOf(type: unknown, format: unknown, name: string): unknown {
  if (type === 'integer' || type === 'number') return 1;
  // Flags of a next page and of failure are false in an answer of success that is the only page.
  if (type === 'boolean') return !/err|fail|more|next/i.test(name);
  if (type !== 'string') return type === 'object' ? {} : undefined;
  if (format === 'date' || /dob|birth/i.test(name)) return '2000-01-01';
  if (format === 'date-time' || timeName.test(name)) return '2000-01-01T00:00:00Z';
  if (format === 'email' || /e?mail/i.test(name)) return 'ada@example.com';
  if (/phone|mobile|msisdn/i.test(name)) return '+2340000000000';
  if (/nuban|^nin$|^bvn$|(?:account|bank)[_-]?(?:no|number|code)$/i.test(name)) return '00000000000';
  if (/currency|^ccy$/i.test(name)) return 'USD';
  // Whether it is a link or a token, a schema does not say.
  if (format === 'uri' || /^(?:next|prev|previous|self|href|first|last)$|ur[il]$|link$/i.test(name))
    return 'https://example.com/';
  return /amount|balance|available|ledger|^(?:per_?page|page|total|count|limit|size)/i.test(name) ? '1' : 'text';
}
