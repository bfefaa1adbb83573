import { isRecord } from '../../upstream/index.ts';
import { toStep } from '../../contract/addressing.ts';
import {
  listOf,
  membersOf,
  textOf,
  type Answer,
  type ApiFile,
  type Endpoint,
  type Json,
  type Note,
  type Parameter,
  type RequestBody,
} from './endpoint.ts';
import { createSchemas, type Schemas } from './schema.ts';
import { isOld } from './words.ts';

const methods = ['get', 'post', 'put', 'patch'];

interface Context {
  readonly document: Json;
  readonly schemas: Schemas;
  readonly note: Note;
  readonly place: string;
}

/** The endpoints of an OpenAPI 3 or Swagger 2.0 document. */
export function readOpenApi(document: Json, format: 'OpenAPI' | 'Swagger', note: Note): ApiFile {
  const schemas = createSchemas(document, note);
  const server = readServers(format === 'Swagger' ? serversOfSwagger(document) : document['servers']);
  const endpoints = Object.entries(membersOf(document['paths'])).flatMap(([path, node]) => {
    const place = `/paths${toStep(path)}`;
    const item = textOf(path) === undefined ? {} : schemas.resolve(node, place);
    return methods.flatMap((method): readonly Endpoint[] => {
      const operation = item[method];
      if (!isRecord(operation)) return [];
      const servers = operation['servers'] ?? item['servers'];
      const base = servers === undefined ? server : readServers(servers);
      const context = { document, schemas, note, place: `${place}/${method}` };
      return [{ ...readOperation(context, operation, item), ...base, path, method: method.toUpperCase() }];
    });
  });
  if (endpoints.length === 0) note('/paths', 'no operation');
  return { format, endpoints };
}

function serversOfSwagger({ host, basePath, schemes }: Json): readonly Json[] {
  const scheme = listOf(schemes).includes('http') && !listOf(schemes).includes('https') ? 'http' : 'https';
  const origin = typeof host === 'string' ? `${scheme}://${host}` : '';
  const url = origin + (textOf(basePath) ?? '');
  return url === '' ? [] : [{ url }];
}

/** The first server that is no loopback address, and the whole paths of all servers; variables take their defaults. */
function readServers(servers: unknown): Pick<Endpoint, 'host' | 'bases'> {
  // Many path items may share one long list.
  const urls = listOf(servers).slice(0, 20).flatMap(readUrl);
  const outside = urls.find(({ host }) => !/^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(host)) ?? urls[0];
  if (outside === undefined) return { host: '', bases: [] };
  return { host: outside.host, bases: [...new Set([outside.path, ...urls.map(({ path }) => path)])] };
}

/** Origin and path of a server; none where its address cannot be read. */
function readUrl(server: unknown): readonly { readonly host: string; readonly path: string }[] {
  const variables = membersOf(membersOf(server)['variables']);
  const address = textOf(membersOf(server)['url'])?.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    return textOf(Object.hasOwn(variables, name) ? membersOf(variables[name])['default'] : undefined) ?? whole;
  });
  const url = URL.parse(address ?? '');
  const path = url?.pathname ?? (address?.startsWith('/') === true ? address : undefined);
  return path === undefined ? [] : [{ host: url?.origin ?? '', path: path.replace(/\/+$/, '') }];
}

type Described = Omit<Endpoint, 'path' | 'method' | 'host' | 'bases'>;

function readOperation(context: Context, operation: Json, item: Json): Described {
  const { document, schemas, place } = context;
  const { operationId, summary, deprecated } = operation;
  const given = [...listOf(item['parameters']), ...listOf(operation['parameters'])];
  const parameters = given.map((parameter) => schemas.resolve(parameter, `${place}/parameters`));
  const inPlace = (where: string) => parameters.filter((each) => each['in'] === where);
  const toParameters = (where: string) => inPlace(where).flatMap((each) => toParameter(context, each));
  // Swagger has the body among the parameters.
  const [ofBody] = inPlace('body');
  const type = textOf(listOf(operation['consumes'] ?? document['consumes'])[0]) ?? 'application/json';
  const requestBody = ofBody === undefined ? operation['requestBody'] : { content: { [type]: ofBody } };
  return {
    place,
    names: [operationId, summary, deprecated === true && 'deprecated'].flatMap((name) => textOf(name) ?? []),
    query: toParameters('query'),
    headers: toParameters('header'),
    security: readSecurity(context, operation),
    body: () => (requestBody === undefined ? undefined : readBody(context, requestBody)),
    answers: () => readAnswers(context, membersOf(operation['responses'])),
  };
}

/** A parameter; an object of several, such as `page[limit]`, is each of its members. */
function toParameter(context: Context, parameter: Json): readonly Parameter[] {
  const { schemas, place } = context;
  const name = textOf(parameter['name']);
  const schema = parameter['schema'] === undefined ? parameter : schemas.resolve(parameter['schema'], place);
  const members = Object.entries(membersOf(schema['properties']));
  if (name === undefined || members.length > 0)
    return members.flatMap(([member, inner]) => toParameter(context, { name: `${name}[${member}]`, schema: inner }));
  const { minimum, maximum, default: usual, example } = schema;
  const isFromZero = (usual ?? parameter['example'] ?? example ?? minimum) === 0;
  const greatest = typeof maximum === 'number' ? maximum : undefined;
  return [{ name, isRequired: parameter['required'] === true, isFromZero, greatest }];
}

/** The credential headers of an operation, by its own `security` or the document's: the first alternative that can be sent. */
function readSecurity({ document, schemas, note, place }: Context, operation: Json): readonly string[] {
  const schemes = membersOf(membersOf(document['components'])['securitySchemes'] ?? document['securityDefinitions']);
  const headerOf = (name: string): string | undefined => {
    const scheme = schemas.resolve(Object.hasOwn(schemes, name) ? schemes[name] : undefined, place);
    const isBearer = scheme['type'] === 'http' && String(scheme['scheme']).toLowerCase() === 'bearer';
    if (isBearer || scheme['type'] === 'oauth2' || scheme['type'] === 'openIdConnect') return 'Authorization';
    return scheme['type'] === 'apiKey' && scheme['in'] === 'header' ? textOf(scheme['name']) : undefined;
  };
  const alternatives = listOf(operation['security'] ?? document['security'])
    .map((each) => Object.keys(membersOf(each)).map(headerOf))
    .filter(({ length }) => length > 0);
  const chosen = alternatives.find((headers) => headers.every((name) => name !== undefined));
  if (chosen === undefined && alternatives.length > 0)
    note(place, 'a credential that is no bearer token and no header');
  return (chosen ?? []).filter((name) => name !== undefined);
}

/** The JSON of a content map: by its plain media type before any other. */
function jsonOf({ note }: Context, content: Json, place: string): { type: string; media: Json } | undefined {
  const types = Object.keys(content).filter((each) => textOf(each) !== undefined);
  const ofJson = types.filter((each) => /[/+]json\b|^\*\/\*$/.test(each));
  const type = ofJson.find((each) => each.startsWith('application/json')) ?? ofJson[0];
  if (type !== undefined) return { type, media: membersOf(content[type]) };
  if (types.length > 0) note(place, 'no JSON; the gateway sends and reads JSON only');
  return undefined;
}

/** The examples of a media type, but for those that are called old. */
function examplesIn({ schemas }: Context, media: Json, place: string): readonly unknown[] {
  const named = Object.entries(membersOf(media['examples'])).map(([name, node]) => {
    const { summary, value } = schemas.resolve(node, place);
    return isOld(`${name} ${textOf(summary)}`) ? undefined : value;
  });
  return [media['example'], ...named].filter((value) => value !== undefined);
}

function readBody(context: Context, requestBody: unknown): RequestBody | undefined {
  const place = `${context.place}/requestBody`;
  const json = jsonOf(context, membersOf(context.schemas.resolve(requestBody, place)['content']), place);
  if (json === undefined) return undefined;
  // A schema names every property; an example may leave some out.
  const { sample, ...rules } = context.schemas.describe(json.media['schema'], place, 'readOnly');
  const [example = sample] = examplesIn(context, json.media, place);
  const mediaType = json.type === '*/*' ? undefined : json.type.split(';', 1)[0]?.trim();
  return { ...rules, mediaType, sample: isRecord(sample) && isRecord(example) ? { ...sample, ...example } : example };
}

function readAnswers(context: Context, responses: Json): readonly Answer[] {
  // Beside an answer of success, the default one is that of failures.
  const defaultStatus = Object.keys(responses).some((code) => code.startsWith('2')) ? 500 : 200;
  return Object.entries(responses).flatMap(([code, node]): readonly Answer[] => {
    const place = `${context.place}/responses/${code}`;
    const response = context.schemas.resolve(node, place);
    // Swagger has the schema in the answer itself, and examples by media type.
    const example = membersOf(response['examples'])['application/json'];
    const ofSwagger =
      response['schema'] === undefined ? {} : { 'application/json': { schema: response['schema'], example } };
    const { media } = jsonOf(context, membersOf(response['content'] ?? ofSwagger), place) ?? {};
    const status = code === 'default' ? defaultStatus : Number(code.replace(/XX$/i, '00'));
    if (!Number.isInteger(status)) return [];
    if (media === undefined) return [{ status, body: undefined }];
    const examples = examplesIn(context, media, place);
    const { sample } = context.schemas.describe(media['schema'], place, 'writeOnly');
    return (examples.length > 0 ? examples : [sample]).map((body) => ({ status, body }));
  });
}
