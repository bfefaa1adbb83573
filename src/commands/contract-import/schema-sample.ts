import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import type { Note } from './api.ts';

const maxDepth = 12;
const maxNodes = 3_000;
const maxReferences = 20;

type Json = Readonly<Record<string, unknown>>;

/** Reads `$ref`s and schemas of one document. */
export interface Schemas {
  /** Resolves a node's `$ref`s; undefined for a target that is no object, outside the file, or circular. */
  readonly resolve: (node: unknown, place: string) => Json | undefined;
  /** A sample of a schema: its examples, else values by type, format and name. */
  readonly sample: (schema: unknown, place: string) => unknown;
  /** The properties that a schema requires, and those that can have one value only; of `allOf` together. */
  readonly rules: (schema: unknown, place: string) => { required: readonly string[]; constants: Json };
}

/** References are followed within the file only; neither a circle nor a wide schema is followed without end. */
export function createSchemas(document: unknown, note: Note): Schemas {
  const fail = (place: string, why: string): undefined => {
    note(place, why);
  };
  const resolve: Schemas['resolve'] = (node, place) => {
    let current = node;
    for (let count = 0; count < maxReferences && isRecord(current); count += 1) {
      const reference = current['$ref'];
      if (typeof reference !== 'string') return current;
      const pointer = toPointer(reference);
      if (pointer === undefined) return fail(place, '$ref leads out of the file; it is not followed');
      current = compilePointers([pointer]).read(document);
    }
    return fail(place, isRecord(current) ? '$ref leads in a circle' : '$ref leads to nothing');
  };

  const sampleWithin = (
    node: unknown,
    place: string,
    name: string,
    depth: number,
    budget: { left: number },
  ): unknown => {
    budget.left -= 1;
    if (depth > maxDepth || budget.left < 0) return undefined;
    const schema = isRecord(node) ? resolve(node, place) : undefined;
    if (schema === undefined) return undefined;
    const below = (inner: unknown, innerName = name): unknown =>
      sampleWithin(inner, place, innerName, depth + 1, budget);
    const given = givenValue(schema);
    if (given !== undefined) return given;
    const parts = listOf(schema['allOf']).map((part) => below(part));
    const choices = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
    const chosen =
      choices.length === 0 ? [] : [choices.map((choice) => below(choice)).find((value) => value !== undefined)];
    const own = isRecord(schema['properties'])
      ? Object.fromEntries(
          Object.entries(schema['properties'])
            .slice(0, 500)
            .map(([key, inner]) => [key, below(inner, key)]),
        )
      : undefined;
    const records = [...parts, ...chosen, own].filter(isRecord);
    if (records.length > 0) return Object.fromEntries(records.flatMap((record) => Object.entries(record)));
    const type = listOf(schema['type']).find((each) => each !== 'null') ?? schema['type'];
    if (type === 'array' || isRecord(schema['items']))
      return [below(schema['items'])].filter((item) => item !== undefined);
    if (type === undefined) return parts[0] ?? chosen[0];
    const value = valueOf(type, schema['format'], name);
    if (value === undefined) note(place, 'a schema has a type that JSON Schema does not know');
    return value;
  };

  const rules: Schemas['rules'] = (node, place) => {
    const schema = isRecord(node) ? resolve(node, place) : undefined;
    const parts = [schema, ...listOf(schema?.['allOf']).map((part) => resolve(part, place))].filter(isRecord);
    const properties = parts.flatMap(({ properties: own }) => (isRecord(own) ? Object.entries(own) : []));
    const single = properties.flatMap(([name, inner]) => {
      const { const: fixed, enum: choices } = (isRecord(inner) ? resolve(inner, place) : undefined) ?? {};
      const value = fixed ?? (listOf(choices).length === 1 ? listOf(choices)[0] : undefined);
      return value === undefined ? [] : [[name, value] as const];
    });
    const required = parts.flatMap((part) => listOf(part['required'])).filter((name) => typeof name === 'string');
    return { required: [...new Set(required)], constants: Object.fromEntries(single) };
  };

  return {
    resolve,
    sample: (schema, place) => sampleWithin(schema, place, '', 0, { left: maxNodes }),
    rules,
  };
}

/** The first value that a schema itself gives. */
function givenValue({ example, examples, const: fixed, enum: choices }: Json): unknown {
  return [example, listOf(examples)[0], fixed, listOf(choices)[0]].find((value) => (value ?? null) !== null);
}

function toPointer(reference: string): string | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const timeName = /(?:_at|At|_on|[a-z]On|[dD]ate|[tT]ime|timestamp|created|updated|expiry)$|^date/;
const birthName = /dob|birth/i;
const failureName = /err|fail/i;

/** Whether a field is one of times by its name. */
export function isTimeName(name: string): boolean {
  return timeName.test(name) && !birthName.test(name);
}

/** A value of a type. A text takes the form that its format or its field's name says, since a row may depend on it. */
function valueOf(type: unknown, format: unknown, name: string): unknown {
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return !failureName.test(name);
  if (type === 'object') return {};
  if (type !== 'string') return undefined;
  if (format === 'date-time') return '2000-01-01T00:00:00Z';
  if (format === 'date' || birthName.test(name)) return '2000-01-01';
  if (isTimeName(name)) return '2000-01-01T00:00:00Z';
  return /amount|balance|available|ledger/i.test(name) ? '1' : 'text';
}
