import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import {
  isCredentialHeader,
  isKeyHeader,
  isOtherHeader,
  listOf,
  maxNameLength,
  meaningOf,
  membersOf,
  openText,
  type ApiBody,
  type ApiDescription,
  type ApiOperation,
  type ApiParameter,
  type Json,
  type Note,
} from './api.ts';

const maxRequests = 5_000;
const parameterName = /id$|ref|code|uuid|customer$|bank$/i;

interface Context {
  readonly note: Note;
  readonly variables: ReadonlyMap<string, string>;
}

/** The credential of a request, and where it stands: many requests may have that of their folder or of the collection. */
interface Auth {
  readonly place: string;
  readonly value: unknown;
}

function authOf(node: Json, place: string, above: Auth): Auth {
  return node['auth'] == null ? above : { place: `${place}/auth`, value: node['auth'] };
}

/** The requests of a Postman collection 2.1, its folders opened. Saved responses are the samples. */
export function readPostman(collection: Json, note: Note): ApiDescription {
  const variables = listOf(collection['variable']).map((entry) => {
    const { key, value } = membersOf(entry);
    return [String(key), typeof value === 'string' && value.length <= maxNameLength ? value : ''] as const;
  });
  const context = { note, variables: new Map(variables) };
  const operations: ApiOperation[] = [];
  const visit = (items: unknown, place: string, authAbove: Auth): void => {
    for (const [index, each] of listOf(items).entries()) {
      const here = `${place}/item/${index}`;
      const item = membersOf(each);
      const auth = authOf(item, here, authAbove);
      if (operations.length >= maxRequests) return note(here, `not read: beyond ${maxRequests} requests`);
      if (Array.isArray(item['item'])) visit(item['item'], here, auth);
      else if (isRecord(item['request'])) operations.push(readRequest(context, item, item['request'], here, auth));
      else note(here, 'neither a folder nor a request');
    }
  };
  visit(collection['item'], '', { place: '/auth', value: collection['auth'] });
  return { format: 'Postman', host: undefined, operations };
}

type Url = Pick<ApiOperation, 'host' | 'bases' | 'path'>;

const noUrl: Url = { host: '', bases: [], path: '' };

/** Host and path of an address. A variable at its beginning stands for the base. */
function readUrl({ note, variables }: Context, url: unknown, place: string): Url {
  const raw = isRecord(url) ? (url['raw'] ?? [join(url['host'], '.'), join(url['path'], '/')].join('/')) : url;
  const [address = ''] = typeof raw === 'string' ? raw.split(/[?#]/, 1) : [];
  if (address.length > maxNameLength) note(place, `an address beyond ${maxNameLength} characters`);
  if (raw === '' || typeof raw !== 'string' || address.length > maxNameLength) return noUrl;
  const [, variable, host, rest = ''] =
    /^(?:\{\{\s*([^{}]+?)\s*\}\}|(\w+:\/\/[^/]*|[\w.-]*\.[\w.-]*(?::\d+)?|localhost(?::\d+)?))?(.*)$/s.exec(address) ??
    [];
  const base = variable === undefined ? (host ?? '') : (variables.get(variable) ?? '').replace(/\/+$/, '');
  // Without a scheme a host before its port would be taken for one.
  const parsed = base.includes('://') ? URL.parse(base) : null;
  const ofBase = (parsed?.pathname ?? '').replace(/\/+$/, '');
  const segments = rest.split('/').map((segment) => toSegment(segment, variables));
  const path = ofBase + (rest.startsWith('/') ? '' : '/') + segments.join('/');
  const isOpen = variable !== undefined && parsed === null;
  return { host: parsed?.origin ?? (isOpen ? `{{${variable}}}` : base), path, bases: isOpen ? [] : [ofBase] };
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
    return parameterName.test(name) || !/^[\w.-]+$/.test(value) ? `{${name}}` : value;
  });
}

function readRequest(context: Context, item: Json, request: Json, place: string, authAbove: Auth): ApiOperation {
  const headers = listOf(request['header']).flatMap((header, index) => {
    if (!isRecord(header) || header['disabled'] === true) return [];
    const name = String(header['key']);
    const here = `${place}/request/header/${index}`;
    if (isOtherHeader(name)) context.note(here, 'a header that the gateway does not send');
    noteKey(context, here, name, header['value']);
    return name;
  });
  const ofAuth = readAuth(context, authOf(request, `${place}/request`, authAbove));
  return {
    place,
    names: typeof item['name'] === 'string' ? [item['name'].slice(0, maxNameLength)] : [],
    method: typeof request['method'] === 'string' ? request['method'].toUpperCase() : 'GET',
    ...readUrl(context, request['url'], `${place}/request/url`),
    credentialHeaders: [...new Set([...ofAuth, ...headers.filter(isCredentialHeader)])],
    keyHeaders: headers.filter(isKeyHeader),
    query: readQuery(request['url']),
    body: readBody(context, request['body'], `${place}/request/body`),
    answers: listOf(item['response']).flatMap((response, index) => {
      if (!isRecord(response)) return [];
      const { code, name, body: text } = response;
      const body = parseBody(text);
      if (body === undefined && code !== 204)
        context.note(`${place}/response/${index}`, 'a saved response without readable JSON');
      const status = typeof code === 'number' ? code : 200;
      return body === undefined ? [] : [{ status, meaning: meaningOf(status, String(name)), body }];
    }),
    statuses: listOf(item['response']).map((response) => Number(membersOf(response)['code'])),
  };
}

/** Notes an Authorization whose value shows that it is no bearer token. A variable without a value does not show it. */
function noteKey({ note, variables }: Context, place: string, header: string, value: unknown): void {
  if (header.toLowerCase() !== 'authorization' || typeof value !== 'string') return;
  const text = value.replace(/^\{\{\s*([^{}]+?)\s*\}\}/, (_, name: string) => variables.get(name) || 'bearer');
  if (!/^\s*(?:$|bearer\b)/i.test(text)) note(place, 'a key in Authorization; the gateway sends a bearer token there');
}

/** The parameters of an address: those listed, else those of the text. */
function readQuery(url: unknown): readonly ApiParameter[] {
  const { query, raw } = isRecord(url) ? url : { query: undefined, raw: url };
  const [, text = ''] = /\?([^#]*)/.exec(typeof raw === 'string' ? raw : '') ?? [];
  const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(query)
    ? query.filter(isRecord).map(({ key, value }) => [key, value])
    : [...new URLSearchParams(text)];
  return entries.flatMap(([name, value]) => (typeof name === 'string' ? { name, isFromZero: value === '0' } : []));
}

function readAuth(context: Context, { place, value: auth }: Auth): readonly string[] {
  const { note, variables } = context;
  if (!isRecord(auth) || auth['type'] === 'noauth') return [];
  if (auth['type'] === 'bearer' || auth['type'] === 'oauth2') return ['Authorization'];
  const entries = listOf(auth['apikey']).filter(isRecord);
  const key = new Map(entries.map(({ key: name, value }) => [name, typeof value === 'string' ? value : '']));
  const name = (key.get('key') ?? '').replace(/^\{\{\s*([^{}]+?)\s*\}\}$/, (_, of: string) => variables.get(of) ?? '');
  if (auth['type'] === 'apikey' && name !== '' && key.get('in') !== 'query') {
    noteKey(context, place, name, key.get('value'));
    return [name];
  }
  note(place, 'a credential that is no bearer token and no header; the gateway cannot send it');
  return [];
}

function readBody({ note }: Context, body: unknown, place: string): ApiBody | undefined {
  if (!isRecord(body) || body['mode'] === undefined) return undefined;
  const sample = body['mode'] === 'raw' ? parseBody(body['raw']) : undefined;
  if (sample !== undefined) return { sample, required: [], constants: {}, mediaType: undefined };
  if (body['mode'] !== 'raw' || body['raw'] !== '') note(place, 'no readable JSON; the gateway sends JSON');
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
