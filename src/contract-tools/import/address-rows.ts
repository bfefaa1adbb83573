import { isDeepStrictEqual } from 'node:util';
import { isAddressed } from '../../contract/operation-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { recordsOfKind } from '../propose/field-rows.ts';
import type { Draft } from '../propose/draft.ts';
import type { Sample } from '../sample.ts';
import { normalizeName } from '../usual-names.ts';
import { openText } from './endpoint.ts';
import type { FoundMatch } from './match.ts';
import { readPointer } from './body-rows.ts';

/** Rows of addresses and of what every request has: prefix, paths, methods, media type, headers, credentials. */
export function proposeAddresses(matches: readonly FoundMatch[], draft: Draft<string>): void {
  proposePrefix(matches, draft);
  for (const match of matches) proposeAddress(match, draft);
  const types = matches.flatMap(({ endpoint }) => endpoint.body()?.mediaType ?? []);
  proposeOne('service.contentType', types, 'bodies have several media types', draft);
  const writes = matches.filter(({ endpoint }) => endpoint.method !== 'GET');
  const keys = writes.flatMap(({ endpoint }) => endpoint.headers.map(({ name }) => name).filter(isKey));
  proposeOne('writes.idempotencyHeader', keys, 'writes have several such headers', draft);
  askHeaders(matches, draft);
  proposeIdentifiers(matches, draft);
}

function proposeAddress({ operation, endpoint, path, idInBody }: FoundMatch, { take, ask }: Draft<string>): void {
  const isOpen = isAddressed(operation) && !path.includes('{') && idInBody === undefined;
  if (isOpen)
    ask(`${operation}.path`, `${path}, with ${operation}.idInBody: the field of its body that names the customer`);
  else take(`${operation}.path`, path);
  take(`${operation}.method`, endpoint.method);
  if (idInBody !== undefined) take(`${operation}.idInBody`, idInBody);
  if (endpoint.method === 'PUT')
    ask(`${operation}.method`, 'does PUT empty what is not sent? An update sends only the fields given');
}

/** The whole path of the server. Where the file leaves its base open, UPSTREAM_URL is that base. */
function proposePrefix(matches: readonly FoundMatch[], { take, ask }: Draft<string>): void {
  const bases = [...new Set(matches.flatMap(({ endpoint }) => (endpoint.bases.length === 0 ? [''] : endpoint.bases)))];
  const names = bases.map((base) => base || "''").join(' or ');
  if (bases.length === 1) take('service.prefix', bases[0]);
  if (bases.length > 1) ask('service.prefix', `servers of the file have different paths: ${names}`);
}

/** A row that all endpoints give one value, or a question where they differ. */
function proposeOne(row: string, values: readonly string[], question: string, { take, ask }: Draft<string>): void {
  const different = [...new Map(values.map((each) => [each.toLowerCase(), each])).values()];
  if (different.length === 1) take(row, different[0]);
  if (different.length > 1) ask(row, `${question}: ${different.join(', ')}`);
}

/** Whether a header carries the key of a repeated write. */
const isKey = (name: string): boolean => /idempoten/i.test(name);

function askHeaders(matches: readonly FoundMatch[], { ask }: Draft<string>): void {
  const required = matches.flatMap(({ endpoint }) => endpoint.headers.filter(({ isRequired }) => isRequired === true));
  const others = required.filter(({ name }) => !isKey(name) && !isCredential(name) && !usualHeader.test(name));
  const names = [...new Set(others.map(({ name }) => name))].join(', ');
  if (names !== '') ask('service.headers', `the file requires ${names}: which value has it?`);
}

/** Whether identifiers in bodies are JSON numbers: a service that wants them so may refuse texts. */
function proposeIdentifiers(matches: readonly FoundMatch[], { take, ask }: Draft<string>): void {
  const row = 'identifiers.inBody';
  const inBody = matches.filter(({ idInBody }) => idInBody !== undefined);
  const ids = inBody.map(({ endpoint, idInBody = '' }) => readPointer(endpoint.body()?.sample, idInBody));
  if (ids.length > 0 && ids.every((id) => typeof id === 'number')) take(row, 'number');
  else if (ids.some((id) => typeof id === 'number' || id === openText)) ask(row, 'number, perhaps: some are no texts');
}

const usualHeader =
  /^(?:authorization|content-(?:type|length)|accept(?:-\w+)?|user-agent|host|connection|cache-control|postman-token|x-request-id)$/i;

/** Whether a header other than Authorization, or a parameter, looks as if it carried a credential. */
export function isCredential(name: string): boolean {
  return /auth|key|token|secret/i.test(name) && !/idempoten|csrf|www-auth/i.test(name) && !usualHeader.test(name);
}

function isBearer(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

/** Authorization is the bearer token; the one other header is the private key, which is returned. */
export function proposeCredentials(matches: readonly FoundMatch[], { take, ask }: Draft<string>): string | undefined {
  const all = matches.map(({ operation, endpoint: { security, headers } }) => {
    const named = headers.map(({ name }) => name).filter((name) => isBearer(name) || isCredential(name));
    const names = [...security, ...named].filter((name) => /^[\w-]{1,100}$/.test(name));
    return {
      row: `${operation}.credentials`,
      hasBearer: names.some(isBearer),
      keys: names.filter((name) => !isBearer(name)),
    };
  });
  const headers = [...new Map(all.flatMap(({ keys }) => keys).map((name) => [name.toLowerCase(), name])).values()];
  const named = headers.filter((name) => /private[_-]?key/i.test(name));
  const [header, second] = named.length > 0 ? named : headers;
  if (second !== undefined) {
    const names = headers.join(', ');
    ask('getCustomer.credentials', `several headers carry credentials (${names}), the gateway has one private key`);
    return undefined;
  }
  const open = all.filter(({ row, hasBearer, keys }) => {
    const hasKey = keys.some((name) => name.toLowerCase() === header?.toLowerCase());
    const value = [...(hasBearer ? ['bearer'] : []), ...(hasKey ? ['privateKey'] : [])];
    if (value.length > 0) take(row, value);
    return value.length === 0;
  });
  const [first, ...others] = open.map(({ row }) => row);
  const further = others.map((row) => `, nor for ${row}`).join('');
  if (first !== undefined) ask(first, `the file names none that the gateway can send${further}`);
  return header;
}

/** Asks for an identifier that paths name and records have beside their id, such as `customer_code`. */
export function askIdentity(matches: readonly FoundMatch[], samples: readonly Sample[], draft: Draft<string>): void {
  const singles = { customer: 'getCustomer', settlementBank: 'getSettlementBank' } as const;
  for (const kind of ['customer', 'settlementBank'] as const) {
    const endpoint = matches.find(({ operation }) => operation === singles[kind])?.endpoint;
    const [, name = 'id'] = /\{(\w+)\}/.exec(endpoint?.path ?? '') ?? [];
    const keys = recordsOfKind(kind, samples, draft.contract).flatMap((record) => Object.keys(record as object));
    const field = keys.find((key) => !/id$/i.test(key) && normalizeName(key).endsWith(normalizeName(name)));
    if (field === undefined) continue;
    draft.ask(`${kind}.id`, `[/${field}], perhaps, since its path names it`);
    // It is no reference then, which every create would be held to.
    const row = 'customer.reference';
    if (isDeepStrictEqual(draft.contract[row], [`/${field}`])) draft.take(row, contractRows[row].value);
  }
}
