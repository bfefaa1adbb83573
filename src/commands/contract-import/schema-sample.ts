import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { listOf, type Json, type Note } from './api.ts';

const maxDepth = 12;
const maxNodes = 3_000;
const maxChoiceNodes = 20_000;
const maxChoices = 2_000;
const maxReferences = 20;
/** A text where a schema gives none. */
export const placeholderText = 'text';
/** The amount in samples that are made of schemas. */
export const placeholderAmount = '1';

/** The keyword of properties that a request (`readOnly`) or an answer (`writeOnly`) does not have. */
type OtherSide = 'readOnly' | 'writeOnly';

/** Reads `$ref`s and schemas of one document. */
export interface Schemas {
  /** Resolves a node's `$ref`; undefined for a target that is no object, outside the file, or circular. */
  readonly resolve: (node: unknown, place: string) => Json | undefined;
  /** A sample of a schema: its examples, else values by type, format and name; without the properties of the other side. */
  readonly sample: (schema: unknown, place: string, omitted: OtherSide) => unknown;
  /** A body for each value that `enum` and `const` allow, with nothing else in it. */
  readonly choices: (schema: unknown, place: string) => readonly unknown[];
  /** Pointers to required properties and to those with a single allowed value: at the top and in each level's only object. */
  readonly rules: (schema: unknown, place: string) => { required: readonly string[]; constants: Json };
}

/** Creates the reader of a document's schemas. Depth and number of the schemas that it reads for one sample are limited. */
export async function createSchemas(document: Json, note: Note): Promise<Schemas> {
  const fail = (place: string, why: string): undefined => {
    note(place, why);
  };
  const findTarget = await createTargets(document);
  const resolve: Schemas['resolve'] = (node, place) => {
    if (!isRecord(node)) return fail(place, 'no object');
    const target = typeof node['$ref'] === 'string' ? findTarget(node['$ref']) : node;
    return typeof target === 'string' ? fail(place, target) : target;
  };

  /** Creates the function that enters the schemas of one sample, of which it reads at most so many. */
  const createEnter = (place: string, maxCount: number) => {
    let remaining = maxCount;
    return (node: unknown, above: readonly Json[]): Json | undefined => {
      remaining -= 1;
      if (above.length > maxDepth || remaining < 0 || !isRecord(node)) return undefined;
      const schema = resolve(node, place);
      // A record that holds itself ends there: a sample of it would grow with every field that does.
      return schema === undefined || above.includes(schema) ? undefined : schema;
    };
  };

  const readOwn = createOwnReader(resolve);
  const sample: Schemas['sample'] = (root, place, omitted) => {
    const enter = createEnter(place, maxNodes);
    const sampleOf = (node: unknown, name: string, above: readonly Json[]): unknown => {
      const schema = enter(node, above);
      if (schema === undefined) return undefined;
      const below = (inner: unknown, innerName = name): unknown => sampleOf(inner, innerName, [...above, schema]);
      const { example, properties } = readOwn(schema, place, omitted);
      if (example !== undefined) return example;
      const parts = listOf(schema['allOf']).map((part) => below(part));
      const choices = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
      const chosen = choices.map((choice) => below(choice)).filter((value) => value !== undefined);
      const members = properties.map(([key, inner]) => [key, below(inner, key)] as const);
      const own = isRecord(schema['properties']) ? Object.fromEntries(members) : undefined;
      const records = [...parts, ...chosen.slice(0, 1), own].filter(isRecord);
      if (records.length > 0) return Object.fromEntries(records.flatMap((record) => Object.entries(record)));
      const type = [schema['type']].flat().find((each) => each !== 'null');
      if (type === 'array' || isRecord(schema['items']))
        return [below(schema['items'])].filter((item) => item !== undefined);
      if (type === undefined) return parts[0] ?? chosen[0];
      const value = valueOf(type, schema['format'], name);
      if (value === undefined) note(place, 'a schema has a type that JSON Schema does not know');
      return value;
    };
    return sampleOf(root, '', []);
  };

  const choices: Schemas['choices'] = (root, place) => {
    const enter = createEnter(place, maxChoiceNodes);
    const choicesOf = (node: unknown, above: readonly Json[]): readonly unknown[] => {
      const schema = enter(node, above);
      if (schema === undefined) return [];
      const below = (inner: unknown) => choicesOf(inner, [...above, schema]);
      const { const: fixed, enum: allowed } = schema;
      const values = [fixed, ...listOf(allowed)].filter((value) => value !== undefined && typeof value !== 'object');
      return [
        ...values,
        ...['allOf', 'oneOf', 'anyOf'].flatMap((key) => listOf(schema[key])).flatMap(below),
        ...propertiesOf(schema).flatMap(([key, inner]) => below(inner).map((value) => ({ [key]: value }))),
        ...(schema['items'] === undefined ? [] : below(schema['items']).map((value) => [value])),
      ];
    };
    const bodies = choicesOf(root, []);
    if (bodies.length > maxChoices) note(place, 'a schema allows too many values; not all are read');
    return bodies.slice(0, maxChoices);
  };

  return { resolve, sample, choices, rules: createRules(resolve) };
}

/** Wrappers around the fields of a body that are opened. */
export const maxWrappers = 4;

function createRules(resolve: Schemas['resolve']): Schemas['rules'] {
  const resolveIn = (node: unknown, place: string) => (isRecord(node) ? resolve(node, place) : undefined);
  const rulesAt = (node: unknown, place: string, at: string, depth: number): ReturnType<Schemas['rules']> => {
    const schema = resolveIn(node, place);
    const parts = [schema, ...listOf(schema?.['allOf']).map((part) => resolve(part, place))].filter(isRecord);
    const properties = parts
      .flatMap(({ properties: own }) => (isRecord(own) ? Object.entries(own) : []))
      .map(([name, inner]) => ({ pointer: `${at}/${name}`, schema: resolveIn(inner, place) ?? {} }));
    const single = properties.flatMap(({ pointer, schema: { const: fixed, enum: choices } }) => {
      const value = fixed ?? (listOf(choices).length === 1 ? listOf(choices)[0] : undefined);
      return value === undefined ? [] : [[pointer, value] as const];
    });
    const names = parts.flatMap((part) => listOf(part['required'])).filter((name) => typeof name === 'string');
    const required = [...new Set(names.map((name) => `${at}/${name}`))];
    const constants = Object.fromEntries(single);
    const [object, ...others] = properties.filter(
      (each) => isRecord(each.schema['properties']) || each.schema['allOf'],
    );
    if (object === undefined || others.length > 0 || depth === maxWrappers) return { required, constants };
    const inner = rulesAt(object.schema, place, object.pointer, depth + 1);
    // A member of an object that may be left out is not required.
    const innerRequired = required.includes(object.pointer) ? inner.required : [];
    return { required: [...required, ...innerRequired], constants: { ...constants, ...inner.constants } };
  };
  return (node, place) => rulesAt(node, place, '', 0);
}

function propertiesOf({ properties }: Json): readonly (readonly [string, unknown])[] {
  return isRecord(properties) ? Object.entries(properties).slice(0, 500) : [];
}

/** How many parts of a schema with an example are read. */
const maxParts = 10;

/** What a schema itself shows to one side: its first value, and its properties. */
interface Own {
  readonly example: unknown;
  readonly properties: ReturnType<typeof propertiesOf>;
}

/**
 * Creates the function that leaves out the properties that have a keyword, themselves or where their `$ref` leads. It reads
 * each schema once: thousands of places may refer to a wide one.
 */
function createOwnReader(resolve: Schemas['resolve']) {
  const seen = { readOnly: new Map<Json, Own>(), writeOnly: new Map<Json, Own>() };
  const read = (schema: Json, place: string, omitted: OtherSide): Own => {
    const hasKeyword = (inner: unknown): boolean =>
      isRecord(inner) && (inner[omitted] === true || resolve(inner, place)?.[omitted] === true);
    const value = givenValue(schema);
    // An example shows the properties of the schema's parts, too.
    const parts = isRecord(value) ? listOf(schema['allOf']).slice(0, maxParts) : [];
    const described = [schema, ...parts.map((part) => resolve(part, place))].filter(isRecord).flatMap(propertiesOf);
    const names = new Set(described.flatMap(([name, inner]) => (hasKeyword(inner) ? name : [])));
    const isOwn = ([name]: readonly [string, unknown]): boolean => !names.has(name);
    const example = isRecord(value) ? Object.fromEntries(Object.entries(value).filter(isOwn)) : value;
    return { example, properties: propertiesOf(schema).filter(isOwn) };
  };
  return (schema: Json, place: string, omitted: OtherSide): Own => {
    const own = seen[omitted].get(schema) ?? read(schema, place, omitted);
    seen[omitted].set(schema, own);
    return own;
  };
}

/** The first value that a schema itself gives. */
function givenValue({ example, examples, const: fixed, enum: choices }: Json): unknown {
  return [example, listOf(examples)[0], fixed, listOf(choices)[0]].find((value) => (value ?? null) !== null);
}

/**
 * Looks up `$ref`s of a document: the target, or as a text why there is none. Nothing outside the document is read. Each
 * one is looked up once, since thousands of operations may share it.
 */
async function createTargets(document: Json): Promise<(reference: string) => Json | string> {
  const options = {
    resolve: { external: false, file: false, http: false },
    dereference: { maxDepth: maxReferences },
  };
  const references = await $RefParser.resolve(document, options);
  const targets = new Map<string, Json | string>();
  return (reference) => {
    const target = targets.get(reference) ?? lookUp(() => references.get(reference, options));
    targets.set(reference, target);
    return target;
  };
}

function lookUp(find: () => unknown): Json | string {
  try {
    const target = find();
    if (!isRecord(target)) return '$ref leads to nothing';
    // The library answers a reference to itself by the reference.
    return typeof target['$ref'] === 'string' ? '$ref leads in a circle' : target;
  } catch (error) {
    if (error instanceof RangeError) return `$ref leads in a circle, or over more than ${maxReferences} others`;
    // Errors of the library have a code; that of a file that was not loaded has none.
    if (error instanceof Error && 'code' in error) return '$ref leads to nothing';
    return '$ref leads out of the file; it is not followed';
  }
}

const timeName = /(?:_at|At|_on|[a-z]On|[dD]ate|[tT]ime|timestamp|created|updated|expiry)$|^date/;
const birthName = /dob|birth/i;
/** Flags that are false in an answer of success that is the only page. */
const falseName = /err|fail|more|next/i;

/** Whether a field is one of times by its name. */
export function isTimeName(name: string): boolean {
  return timeName.test(name) && !birthName.test(name);
}

/** The text for an input of the graph in place of a vendor's "string". */
export function inputText(field: string): string {
  return String(valueOf('string', undefined, field));
}

/** A value of a type. A text takes the form that its format or its field's name says, since a row may depend on it. */
function valueOf(type: unknown, format: unknown, name: string): unknown {
  if (type === 'integer' || type === 'number') return Number(placeholderAmount);
  if (type === 'boolean') return !falseName.test(name);
  if (type === 'object') return {};
  if (type !== 'string') return undefined;
  if (format === 'date-time') return '2000-01-01T00:00:00Z';
  if (format === 'date' || birthName.test(name)) return '2000-01-01';
  if (isTimeName(name)) return '2000-01-01T00:00:00Z';
  // A case of a write is of use only where its inputs are accepted.
  if (format === 'email' || /mail/i.test(name)) return 'ada@example.com';
  if (/phone|mobile|msisdn/i.test(name)) return '+2340000000000';
  if (/nuban|^nin$|^bvn$|(?:account|bank)[_-]?(?:no|number|code)$/i.test(name)) return '00000000000';
  if (/currency|^ccy$/i.test(name)) return 'USD';
  return /amount|balance|available|ledger/i.test(name) ? placeholderAmount : placeholderText;
}
