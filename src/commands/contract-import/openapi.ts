import { toStep } from '../../contract/addressing.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import {
  isCredentialHeader,
  isKeyHeader,
  isOtherHeader,
  listOf,
  maxNameLength,
  meaningOf,
  membersOf,
  type ApiAnswer,
  type ApiBody,
  type ApiDescription,
  type ApiOperation,
  type ApiParameter,
  type Json,
  type Note,
} from './api.ts';
import { createSchemas, type Schemas } from './schema-sample.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const maxOperations = 5_000;
/** How many entries of a `servers` list are read. Many path items may share one list. */
const maxServers = 100;

/** The operations of an OpenAPI 3.0 or 3.1 document. */
export async function readOpenApi(document: Json, note: Note): Promise<ApiDescription> {
  const schemas = await createSchemas(document, note);
  const server = readServer(document, note);
  const operations: ApiOperation[] = [];
  for (const [path, item] of Object.entries(membersOf(document['paths']))) {
    const place = `/paths${toStep(path)}`;
    const pathItem = isRecord(item) && path.length <= maxNameLength ? schemas.resolve(item, place) : undefined;
    if (pathItem === undefined) note(place, `no path item, or a path beyond ${maxNameLength} characters`);
    for (const method of methods) {
      const operation = pathItem?.[method];
      if (pathItem === undefined || !isRecord(operation)) continue;
      if (operations.length === maxOperations)
        note('/paths', `more than ${maxOperations} operations; the others are not read`);
      if (operations.length >= maxOperations) break;
      const context = { document, schemas, note, place: `${place}/${method}` };
      const servers = operation['servers'] ?? pathItem['servers'];
      const { host, bases } = servers === undefined ? server : readServer({ servers }, note, place);
      operations.push(
        readOperation(context, operation, pathItem, { method, path: (bases[0] ?? '') + path, host, bases }),
      );
    }
  }
  if (operations.length === 0) note('/paths', 'no operation');
  return { format: 'OpenAPI', host: server.host === '' ? undefined : server.host, operations };
}

type Base = Pick<ApiOperation, 'host' | 'bases'>;

/** The first server that is no loopback address, and the paths of all servers; variables take their defaults. */
function readServer(document: Json, note: Note, place = ''): Base {
  const urls = listOf(document['servers']).slice(0, maxServers).flatMap(readUrl);
  const outside = urls.find(({ host }) => !/^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(host)) ?? urls[0];
  if (urls.length > 1)
    note(`${place}/servers`, `several servers; the first${outside === urls[0] ? '' : ' that is no loopback'} is taken`);
  if (outside === undefined) return { host: '', bases: [] };
  const isOpen = outside.path === undefined;
  const paths = urls.flatMap(({ path }) => path ?? []);
  return { host: outside.host, bases: isOpen ? [] : [...new Set([outside.path ?? '', ...paths])] };
}

/** Origin and path of a server; no path where its address cannot be read. */
function readUrl(server: unknown): readonly { readonly host: string; readonly path: string | undefined }[] {
  const address = isRecord(server) ? server['url'] : undefined;
  if (!isRecord(server) || typeof address !== 'string' || address.length > maxNameLength) return [];
  const variables = membersOf(server['variables']);
  const text = address.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isRecord(variable) && typeof variable['default'] === 'string' ? variable['default'] : whole;
  });
  const url = URL.parse(text);
  const path = url?.pathname ?? (text.startsWith('/') ? text : undefined);
  return [{ host: url?.origin ?? '', path: path?.replace(/\/+$/, '') }];
}

interface Context {
  readonly document: Json;
  readonly schemas: Schemas;
  readonly note: Note;
  readonly place: string;
}

function readOperation(
  context: Context,
  operation: Json,
  pathItem: Json,
  base: Base & { readonly method: string; readonly path: string },
): ApiOperation {
  const { schemas, place } = context;
  const parameters = [...listOf(pathItem['parameters']), ...listOf(operation['parameters'])]
    .map((parameter) => schemas.resolve(parameter, `${place}/parameters`))
    .filter(isRecord);
  const names = [operation['operationId'], operation['summary']].filter((name) => typeof name === 'string');
  const headers = parameters.flatMap(({ in: where, name, required }) => {
    if (where !== 'header') return [];
    if (required === true && isOtherHeader(String(name)))
      context.note(`${place}/parameters`, 'requires a header that the gateway does not send');
    return String(name);
  });
  return {
    place,
    names: names.map((name) => name.slice(0, maxNameLength)),
    ...base,
    method: base.method.toUpperCase(),
    credentialHeaders: [...new Set([...readSecurity(context, operation), ...headers.filter(isCredentialHeader)])],
    keyHeaders: headers.filter(isKeyHeader),
    query: parameters.flatMap((parameter) => toParameter(context, parameter)),
    body: readBody(context, operation['requestBody']),
    answers: readAnswers(context, operation['responses']),
    statuses: Object.keys(membersOf(operation['responses'])).map(Number),
  };
}

function toParameter(context: Context, parameter: Json): readonly ApiParameter[] {
  const { in: where, name, schema, required } = parameter;
  if (where !== 'query' || typeof name !== 'string') return [];
  const { schemas, place } = context;
  const { minimum, maximum, default: usual } = (isRecord(schema) && schemas.resolve(schema, place)) || {};
  const greatest = typeof maximum === 'number' ? maximum : undefined;
  // A parameter has its samples as a media type has them.
  const [, sample] = readSamples(context, parameter, place, 'readOnly')[0] ?? [];
  const isFromZero = usual == null ? minimum === 0 || sample === 0 : usual === 0;
  return [{ name, isRequired: required === true, isFromZero, greatest }];
}

/** The credential headers of an operation, by its own `security` or the document's: the first alternative that can be sent. */
function readSecurity({ document, schemas, note, place }: Context, operation: Json): readonly string[] {
  const schemes = membersOf(membersOf(document['components'])['securitySchemes']);
  const isOwn = operation['security'] !== undefined;
  const here = isOwn ? `${place}/security` : '/security';
  const headerOf = (name: string): string | undefined => {
    const scheme = schemas.resolve(Object.hasOwn(schemes, name) ? schemes[name] : undefined, here) ?? {};
    const isBearer = scheme['type'] === 'http' && String(scheme['scheme']).toLowerCase() === 'bearer';
    if (isBearer || scheme['type'] === 'oauth2' || scheme['type'] === 'openIdConnect') return 'Authorization';
    if (scheme['type'] === 'apiKey' && String(scheme['name']).toLowerCase() === 'authorization')
      note(here, 'a key in Authorization; the gateway sends a bearer token there');
    const isHeader = scheme['type'] === 'apiKey' && scheme['in'] === 'header' && typeof scheme['name'] === 'string';
    return isHeader ? String(scheme['name']) : undefined;
  };
  const alternatives = listOf(isOwn ? operation['security'] : document['security'])
    .map((each) => Object.keys(membersOf(each)))
    .filter(({ length }) => length > 0)
    .map((names) => names.map(headerOf));
  const chosen = alternatives.find((headers) => headers.every((name) => name !== undefined));
  if (chosen === undefined && alternatives.length > 0)
    note(here, 'a credential that is no bearer token and no header; the gateway cannot send it');
  else if (alternatives.length > 1) note(here, 'several alternatives; the first that the gateway can send is taken');
  return (chosen ?? alternatives[0] ?? []).filter((name) => name !== undefined);
}

/** The JSON of a content map: by its plain media type before any other. */
function jsonOf({ note }: Context, content: unknown, place: string): { type: string; media: Json } | undefined {
  if (!isRecord(content)) return undefined;
  const ofJson = Object.entries(content).filter(
    ([type]) => type.length <= maxNameLength && /[/+]json\b|^\*\/\*$/.test(type),
  );
  const [type, media] = ofJson.find(([each]) => each.startsWith('application/json')) ?? ofJson[0] ?? [];
  if (type !== undefined && isRecord(media)) return { type, media };
  if (Object.keys(content).length > 0) note(place, 'no JSON; the gateway sends and reads JSON only');
  return undefined;
}

/** The samples of a media type with their names: its examples, else one made of its schema. */
function readSamples(
  { schemas }: Context,
  media: Json,
  place: string,
  omitted: 'readOnly' | 'writeOnly',
): readonly (readonly [string, unknown])[] {
  const namedSamples = Object.entries(membersOf(media['examples'])).flatMap(([name, example]) => {
    const { value, summary } = schemas.resolve(example, `${place}/examples`) ?? {};
    return value === undefined ? [] : [[`${name} ${typeof summary === 'string' ? summary : ''}`, value] as const];
  });
  const samples = media['example'] === undefined ? namedSamples : [['', media['example']] as const, ...namedSamples];
  return samples.length > 0 ? samples : [['', schemas.sample(media['schema'], `${place}/schema`, omitted)]];
}

function readBody(context: Context, requestBody: unknown): ApiBody | undefined {
  if (!isRecord(requestBody)) return undefined;
  const place = `${context.place}/requestBody`;
  const json = jsonOf(context, context.schemas.resolve(requestBody, place)?.['content'], place);
  if (json === undefined) return undefined;
  const { type, media } = json;
  // A schema names every property; an example may leave some out.
  const schemaSample = context.schemas.sample(media['schema'], place, 'readOnly');
  const [, sample] = readSamples(context, media, place, 'readOnly')[0] ?? [];
  const both = isRecord(schemaSample) && isRecord(sample) ? { ...schemaSample, ...sample } : (sample ?? schemaSample);
  const mediaType = type === '*/*' ? undefined : type.split(';', 1)[0]?.trim();
  return { sample: both, mediaType, ...context.schemas.rules(media['schema'], place) };
}

function readAnswers(context: Context, responses: unknown): readonly ApiAnswer[] {
  const codes = Object.keys(membersOf(responses));
  // Beside an answer of success, the default one is that of failures.
  const defaultStatus = codes.some((code) => code.startsWith('2')) ? 500 : 200;
  return Object.entries(membersOf(responses)).flatMap(([code, response]) => {
    const place = `${context.place}/responses/${code}`;
    const answer = context.schemas.resolve(response, place);
    const { media } = jsonOf(context, answer?.['content'], place) ?? {};
    const status = code === 'default' ? defaultStatus : Number(code.replace(/XX$/i, '00'));
    if (media === undefined || !Number.isInteger(status)) return [];
    const choices = (): readonly unknown[] => context.schemas.choices(media['schema'], place);
    return readSamples(context, media, place, 'writeOnly')
      .filter(([, body]) => body !== undefined)
      .map(([name, body]) => ({ status, meaning: meaningOf(status, name), body, choices }));
  });
}
