import { isRecord } from '../../upstream/index.ts';
import { toStep } from '../../contract/addressing.ts';
import { listOf, membersOf, type Json, type Note } from './endpoint.ts';

const maxDepth = 12;
const maxNodes = 3_000;
const maxReferences = 20;

/** The keyword of properties that a request (`readOnly`) or an answer (`writeOnly`) does not have. */
type OtherSide = 'readOnly' | 'writeOnly';

/** Reads `$ref`s and schemas of one document. What it reads for one sample is limited in depth and number. */
export interface Schemas {
  /** A node's target, `$ref`s followed; empty for what is no object, outside the file, or circular. */
  readonly resolve: (node: unknown, place: string) => Json;
  /** A sample of a schema: its examples, else values by type, format and name. */
  readonly sample: (schema: unknown, place: string, omitted: OtherSide) => unknown;
  /** Pointers to required properties, and to those of them with a single allowed value. */
  readonly rules: (
    schema: unknown,
    place: string,
  ) => { readonly required: readonly string[]; readonly constants: Json };
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
      target = findTarget(document, target['$ref']);
      if (!isRecord(target)) note(place, '$ref leads to nothing, or no object');
    }
    return membersOf(target);
  };
  return { resolve, sample: createSampler(resolve), rules: createRules(resolve) };
}

/** Follows a JSON pointer into the document. */
function findTarget(document: Json, reference: string): unknown {
  const steps = reference.slice(1).split('/').slice(1);
  const names = steps.map((step) =>
    step.replaceAll('%7B', '{').replaceAll('%7D', '}').replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  const memberOf = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  return names.reduce<unknown>(memberOf, document);
}

function createSampler(resolve: Schemas['resolve']): Schemas['sample'] {
  return (root, place, omitted) => {
    let remaining = maxNodes;
    const isKept = ([, node]: readonly [string, unknown]): boolean => {
      const { [omitted]: isOther, deprecated } = resolve(node, place);
      return isOther !== true && deprecated !== true;
    };
    const sampleOf = (node: unknown, name: string, above: readonly Json[]): unknown => {
      remaining -= 1;
      const schema = resolve(node, place);
      // A record that holds itself ends there: a sample of it would grow with every field that does.
      if (above.length > maxDepth || remaining < 0 || above.includes(schema)) return undefined;
      const below = (inner: unknown, innerName = name): unknown => sampleOf(inner, innerName, [...above, schema]);
      const properties = Object.entries(membersOf(schema['properties']));
      const example = exampleIn(schema);
      const leftOut = new Set(isRecord(example) ? properties.filter((each) => !isKept(each)).map(([key]) => key) : []);
      if (isRecord(example)) return Object.fromEntries(Object.entries(example).filter(([key]) => !leftOut.has(key)));
      if (example !== undefined) return example;
      const parts = listOf(schema['allOf']).map((part) => below(part));
      const choices = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].map((choice) => below(choice));
      const all = [...parts, choices.find((value) => value !== undefined)];
      const own = properties.filter(isKept).map(([key, inner]) => [key, below(inner, key)] as const);
      if (all.some(isRecord) || own.length > 0)
        return Object.fromEntries([...all.filter(isRecord).flatMap((part) => Object.entries(part)), ...own]);
      const type = [schema['type']].flat().find((each) => each !== 'null');
      if (type === 'array' || isRecord(schema['items']))
        return [below(schema['items'])].filter((item) => item !== undefined);
      return type === undefined ? all.find((value) => value !== undefined) : valueOf(type, schema['format'], name);
    };
    return sampleOf(root, '', []);
  };
}

function createRules(resolve: Schemas['resolve']): Schemas['rules'] {
  return (root, place) => {
    const required: string[] = [];
    const constants: Record<string, unknown> = {};
    const visit = (node: unknown, at: string, depth: number): void => {
      if (depth > maxDepth || required.length > maxNodes) return;
      const schema = resolve(node, place);
      for (const part of listOf(schema['allOf'])) visit(part, at, depth + 1);
      const properties = membersOf(schema['properties']);
      for (const name of listOf(schema['required'])) {
        if (typeof name !== 'string') continue;
        const pointer = at + toStep(name);
        required.push(pointer);
        if (!Object.hasOwn(properties, name)) continue; // of another part
        const { const: fixed, enum: choices } = resolve(properties[name], place);
        const value = fixed ?? (listOf(choices).length === 1 ? listOf(choices)[0] : undefined);
        if (value !== undefined) constants[pointer] = value;
        visit(properties[name], pointer, depth + 1);
      }
    };
    visit(root, '', 0);
    return { required: [...new Set(required)], constants };
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
