import { isRecord } from '../../upstream/index.ts';
import {
  listOf,
  membersOf,
  openText,
  textOf,
  type ApiFile,
  type Endpoint,
  type Json,
  type Note,
  type Parameter,
  type RequestBody,
} from './endpoint.ts';
import { isOld, nounOf } from './words.ts';

interface Context {
  readonly note: Note;
  readonly variables: ReadonlyMap<string, string>;
}

/** The requests of a Postman collection 2, its folders opened. Saved responses are the samples. */
export function readPostman(collection: Json, note: Note): ApiFile {
  const variables = listOf(collection['variable']).map((entry) => {
    const { key, value } = membersOf(entry);
    return [String(key), textOf(value) ?? ''] as const;
  });
  const context = { note, variables: new Map(variables) };
  const visit = (items: unknown, place: string, authAbove: unknown): readonly Endpoint[] =>
    listOf(items).flatMap((each, index) => {
      const here = `${place}/item/${index}`;
      const item = membersOf(each);
      const auth = item['auth'] ?? authAbove;
      if (Array.isArray(item['item'])) return visit(item['item'], here, auth);
      return isRecord(item['request']) ? [readRequest(context, item, item['request'], here, auth)] : [];
    });
  return { format: 'Postman', endpoints: visit(collection['item'], '', collection['auth']) };
}

function readRequest(context: Context, item: Json, request: Json, place: string, authAbove: unknown): Endpoint {
  const given = listOf(request['header']).map(membersOf);
  const headers = given.filter(({ disabled }) => disabled !== true).flatMap(({ key }) => textOf(key) ?? []);
  const ofType = given.find(({ key }) => /^content-type$/i.test(String(key)));
  return {
    place,
    names: [textOf(item['name']) ?? ''],
    method: typeof request['method'] === 'string' ? request['method'].toUpperCase() : 'GET',
    ...readUrl(context, request['url'], place),
    query: readQuery(request['url']),
    headers: headers.map((name) => ({ name })),
    security: readAuth(context, request['auth'] ?? authAbove, place),
    body: () => readBody(context, membersOf(request['body']), place, textOf(ofType?.['value'])),
    answers: () =>
      listOf(item['response']).flatMap((response) => {
        const { name, code, body: text } = membersOf(response);
        if (isOld(textOf(name) ?? '')) return [];
        const [status, body] = [typeof code === 'number' ? code : 200, parseBody(text)];
        if (body === undefined && status !== 204)
          context.note(`${place}/response`, 'a saved response without readable JSON');
        return { status, body };
      }),
  };
}

/** Host and path of an address. A variable at its beginning stands for the base. */
function readUrl({ note, variables }: Context, url: unknown, place: string): Pick<Endpoint, 'host' | 'bases' | 'path'> {
  const raw = isRecord(url) ? (url['raw'] ?? [join(url['host'], '.'), join(url['path'], '/')].join('/')) : url;
  const address = textOf(raw)?.split(/[?#]/, 1)[0];
  if (address === undefined) note(place, 'no address, or one that is too long');
  const [, variable, host, rest = ''] =
    /^(?:\{\{\s*([^{}]+?)\s*\}\}|(\w+:\/\/[^/]*|[\w.-]*\.[\w.-]*(?::\d+)?|localhost(?::\d+)?))?(.*)$/s.exec(
      address ?? '',
    ) ?? [];
  const base = variable === undefined ? (host ?? '') : (variables.get(variable) ?? '').replace(/\/+$/, '');
  // Without a scheme a host before its port would be taken for one.
  const parsed = base.includes('://') ? URL.parse(base) : null;
  const isOpen = variable !== undefined && parsed === null;
  const segments = rest.replace(/^\//, '').split('/');
  // A segment with a digit behind a resource is the identifier of a sample.
  const isIdentifier = (segment: string, index: number): boolean =>
    /^[^{:]*\d/.test(segment) && nounOf(segments[index - 1] ?? '') !== undefined;
  const named = segments.map((each, index) => (isIdentifier(each, index) ? '{id}' : toSegment(each, variables)));
  return {
    host: parsed?.origin ?? (isOpen ? `{{${variable}}}` : base),
    path: `/${named.join('/')}`,
    bases: isOpen ? [] : [(parsed?.pathname ?? '').replace(/\/+$/, '')],
  };
}

/** Parts of an address that is saved in parts: texts, or objects with a `value`. */
function join(parts: unknown, separator: string): string {
  if (!Array.isArray(parts)) return typeof parts === 'string' ? parts : '';
  return parts.map((part: unknown) => String(isRecord(part) ? part['value'] : part)).join(separator);
}

/** One segment of a path: `:id` and most `{{variables}}` are parameters, a variable such as `{{version}}` its value. */
function toSegment(segment: string, variables: ReadonlyMap<string, string>): string {
  const colon = /^:([\w-]+)$/.exec(segment)?.[1];
  if (colon !== undefined) return `{${colon}}`;
  return segment.replaceAll(/\{\{\s*([^{}]+?)\s*\}\}/g, (_, name: string) => {
    const value = variables.get(name) ?? '';
    const isParameter = /id$|ref|code|uuid|customer$|bank$/i.test(name) || !/^[\w.-]+$/.test(value);
    return isParameter ? `{${name.replaceAll(/\W/g, '_')}}` : value;
  });
}

/** The parameters of an address: those listed, else those of the text. */
function readQuery(url: unknown): readonly Parameter[] {
  const { query, raw } = isRecord(url) ? url : { query: undefined, raw: url };
  const [, text = ''] = /\?([^#]*)/.exec(textOf(raw) ?? '') ?? [];
  const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(query)
    ? query.filter(isRecord).map(({ key, value }) => [key, value])
    : [...new URLSearchParams(text)];
  return entries.flatMap(([name, value]) => (typeof name === 'string' ? { name, isFromZero: value === '0' } : []));
}

function readAuth({ note, variables }: Context, auth: unknown, place: string): readonly string[] {
  const { type, apikey } = membersOf(auth);
  if (type === undefined || type === 'noauth') return [];
  if (type === 'bearer' || type === 'oauth2') return ['Authorization'];
  // Collections 2.0 have an object where later ones have a list.
  const entries = listOf(apikey).map(membersOf);
  const settings = new Map(
    isRecord(apikey) ? Object.entries(apikey) : entries.map((each) => [String(each['key']), each['value']]),
  );
  const key = (textOf(settings.get('key')) ?? '').replace(
    /^\{\{\s*([^{}]+?)\s*\}\}$/,
    (_, name: string) => variables.get(name) ?? '',
  );
  if (type === 'apikey' && key !== '' && settings.get('in') !== 'query') return [key];
  note(place, 'a credential that is no bearer token and no header');
  return [];
}

function readBody({ note }: Context, { mode, raw }: Json, place: string, type = ''): RequestBody | undefined {
  if (mode === undefined || (mode === 'raw' && (raw ?? '') === '')) return undefined;
  const sample = mode === 'raw' ? parseBody(raw) : undefined;
  const mediaType = /[/+]json\b/.test(type) ? type.split(';', 1)[0]?.trim() : undefined;
  if (sample !== undefined) return { sample, required: [], constants: {}, mediaType };
  note(`${place}/request/body`, 'no readable JSON; the gateway sends JSON');
  return undefined;
}

const string = /"(?:[^"\\]|\\.)*(?:"|\\?$)/;
// A part that is not closed matches to the end of the text: an expression that backtracks would not end on a hostile file.
const oddParts = new RegExp(
  `(${string.source})|//[^\\n]*|/\\*[^*]*(?:\\*(?!/)[^*]*)*(?:\\*/|$)|(\\{\\{[^{}"]*\\}\\})`,
  'gs',
);
const lastCommas = new RegExp(`(${string.source})|,(?=\\s*[}\\]])`, 'gs');

/** A body as JSON, without the comments and last commas that Postman allows. */
function parseBody(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  const plain = text.replaceAll(oddParts, (_, quoted: string | undefined, variable: string | undefined) => {
    return quoted ?? (variable === undefined ? '' : JSON.stringify(openText));
  });
  try {
    // A reviver calls itself for each level, so what is nested too deeply for that is refused here.
    return JSON.parse(plain.replaceAll(lastCommas, '$1'), (_, value: unknown) => value) as unknown;
  } catch {
    return undefined;
  }
}
