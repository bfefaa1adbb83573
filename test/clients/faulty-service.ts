import {
  execute,
  getNullableType,
  GraphQLError,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

/** One place of the schema that can be null: `Customer.email`, or the first entry of a list, `CustomerConnection.nodes[0]`. */
export interface Fault {
  readonly at: string;
  readonly kind: 'null' | 'error';
}

const code = 'UPSTREAM_UNAVAILABLE';
const pageSize = 2;
const total = 5;

/** Executes a document over invented records in pages of two; what the fault names is null, with an error or without. */
export function answer(
  schema: GraphQLSchema,
  document: string,
  variableValues: Readonly<Record<string, unknown>>,
  fault?: Fault,
): ExecutionResult {
  const failed = () =>
    fault?.kind === 'error' ? new GraphQLError('m', { extensions: { code, requestId: 'r-1' } }) : null;
  const fieldResolver: GraphQLFieldResolver<unknown, unknown> = (source, args, _context, info) => {
    const at = `${info.parentType.name}.${info.fieldName}`;
    if (at === fault?.at) return failed();
    const value = invent(info.fieldName, info.returnType, Object(source) as Source, args as Arguments);
    if (fault?.at === `${at}[0]` && Array.isArray(value)) return [failed(), ...(value as unknown[]).slice(1)];
    return value;
  };
  return execute({ schema, document: parsed(document), variableValues, fieldResolver }) as ExecutionResult; // no promises
}

const documents = new Map<string, DocumentNode>();

function parsed(text: string): DocumentNode {
  const document = documents.get(text) ?? parse(text, { noLocation: true });
  documents.set(text, document);
  return document;
}

type Source = Readonly<Record<string, unknown>>;
type Arguments = { readonly after?: string | null; readonly id?: string; readonly input?: { readonly id?: string } };

function invent(name: string, type: GraphQLOutputType, source: Source, args: Arguments): unknown {
  if (name in source) return source[name];
  const named = getNullableType(type);
  if (isListType(named)) return isObjectType(namedOf(named)) ? [{}] : ['input'];
  if (isEnumType(named)) return named.getValues()[0]?.value;
  if (!isObjectType(named)) return String(named) === 'Int' ? total : `${String(source['id'])}.${name}`;
  if (named.name.endsWith('Payload')) return { record: { id: args.input?.id ?? 'new' } };
  if (!named.name.endsWith('Connection'))
    return source['record'] ?? { id: args.id ?? `${String(source['id'])}.${name}` };
  const start = args.after == null ? 0 : Number(args.after);
  const ids = Array.from({ length: Math.min(pageSize, total - start) }, (_, index) => start + index);
  const nodes = ids.map((index) => ({ id: `${String(source['id'] ?? name)}.${index + 1}` }));
  const end = start + nodes.length;
  const pageInfo = {
    hasNextPage: end < total,
    hasPreviousPage: start > 0,
    startCursor: `${start}`,
    endCursor: `${end}`,
  };
  return { nodes, edges: nodes.map((node, index) => ({ node, cursor: `${start + index + 1}` })), pageInfo };
}

/** An operation that selects all that can be reached from one field, and the places in it that can be null. */
export interface Operation {
  readonly name: string;
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly places: readonly string[];
  /** The way to the list that is paged, where there is one. */
  readonly list: readonly string[] | undefined;
}

/** One operation for each root field, and one more for each list below a record. */
export function operationsOf(schema: GraphQLSchema): readonly Operation[] {
  const query = schema.getQueryType();
  const mutation = schema.getMutationType();
  const operations = Object.values(query?.getFields() ?? {}).flatMap(({ name, type }) => {
    const isRecord = isObjectType(type) && 'id' in type.getFields();
    if (!isRecord) return [build('query', query, name, [name])];
    const lists = Object.values(type.getFields()).filter((field) => String(field.type).endsWith('Connection'));
    return [
      build('query', query, name, undefined),
      ...lists.map((list) => build('query', query, name, [name, list.name])),
    ];
  });
  const writes = Object.keys(mutation?.getFields() ?? {}).map((name) => build('mutation', mutation, name, undefined));
  return [...operations, ...writes];
}

function build(
  keyword: string,
  root: GraphQLObjectType | null | undefined,
  name: string,
  list: readonly string[] | undefined,
): Operation {
  const field = root?.getFields()[name];
  if (root == null || field === undefined) throw new Error(`There is no ${name}.`);
  const places = new Set<string>();
  const [argument] = field.args.filter(({ type }) => isNonNullType(type));
  const declared = [
    ...(argument ? [`$${argument.name}: ${String(argument.type)}`] : []),
    ...(list ? ['$after: String'] : []),
  ];
  const given = [
    ...(argument ? [`${argument.name}: $${argument.name}`] : []),
    ...(list?.length === 1 ? ['after: $after'] : []),
  ];
  const selection = select(field.type, list?.[1], places);
  notePlaces(`${root.name}.${name}`, field.type, places);
  return {
    name: `${name}${list?.[1] ?? ''}`,
    text: `${keyword} ${name}${list?.[1] ?? ''}Operation${wrap(declared)} { ${name}${wrap(given)} ${selection} }`,
    variables: argument?.name === 'input' ? { input: inputFor(name) } : argument ? { id: 'record' } : {},
    places: [...places],
    list,
  };
}

const wrap = (parts: readonly string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
const inputFor = (name: string) =>
  name.startsWith('update') ? { id: 'customers.1' } : /Account$/.test(name) ? { customerId: 'customers.1' } : {};

function select(type: GraphQLOutputType, paged: string | undefined, places: Set<string>): string {
  const named = namedOf(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).map((field) => {
    notePlaces(`${named.name}.${field.name}`, field.type, places);
    const given = field.name === paged ? '(after: $after)' : '';
    return `${field.name}${given} ${select(field.type, undefined, places)}`;
  });
  return `{ ${fields.join(' ')} }`;
}

function notePlaces(at: string, type: GraphQLOutputType, places: Set<string>): void {
  if (!isNonNullType(type)) places.add(at);
  const list = getNullableType(type);
  if (isListType(list) && !isNonNullType(list.ofType)) places.add(`${at}[0]`);
}

function namedOf(type: GraphQLOutputType): GraphQLOutputType {
  const nullable = getNullableType(type);
  return isListType(nullable) ? namedOf(nullable.ofType as GraphQLOutputType) : nullable; // a list of output types
}

/** Every operation with every place of it that can be null, in both ways. */
export function* cells(of: readonly Operation[]): Generator<readonly [Operation, Fault]> {
  for (const operation of of)
    for (const at of operation.places) for (const kind of ['null', 'error'] as const) yield [operation, { at, kind }];
}

export const expectedCodes = (fault: Fault) => new Set(fault.kind === 'error' ? [code] : []);
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface List {
  readonly nodes: readonly ({ readonly id: string } | null)[];
  readonly edges: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** The list that an operation pages, in data of its shape. */
export const listIn = (data: unknown, { list = [] }: Pick<Operation, 'list'>) =>
  list.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), data) as List | null | undefined;
export const idsIn = (list: List | null | undefined) => (list?.nodes ?? []).map((node) => node?.id);
