import { isAddressed } from '../../contract/operation-rows.ts';
import type { Contract } from '../../contract/contract.ts';
import { recordsOfKind } from '../propose/field-rows.ts';
import type { Proposal } from '../propose/proposal.ts';
import type { Sample } from '../sample.ts';
import { normalizeName } from '../usual-names.ts';
import { openText } from './endpoint.ts';
import type { FoundMatch } from './match.ts';
import { readPointer } from './body-rows.ts';

/** Rows of addresses and of what every request has: prefix, paths, methods, media type, headers, credentials. */
export function proposeAddresses(matches: readonly FoundMatch[]) {
  const { header, proposals } = proposeCredentials(matches);
  const types = matches.flatMap(({ endpoint }) => endpoint.body()?.mediaType ?? []);
  const writes = matches.filter(({ endpoint }) => endpoint.method !== 'GET');
  const keys = writes.flatMap(({ endpoint }) => endpoint.headers.map(({ name }) => name).filter(isKey));
  return {
    privateKeyHeader: header,
    proposals: [
      ...proposePrefix(matches),
      ...matches.flatMap(proposeAddress),
      ...proposeOne('service.contentType', types, 'bodies have several media types'),
      ...proposeOne('writes.idempotencyHeader', keys, 'writes have several such headers'),
      ...askHeaders(matches),
      ...proposeIdentifiers(matches),
      ...proposals,
    ],
  };
}

function proposeAddress({ operation, endpoint: { method }, path, idInBody }: FoundMatch): readonly Proposal<string>[] {
  const rows: Proposal<string>[] = [{ row: `${operation}.method`, value: method }];
  if (idInBody !== undefined) rows.push({ row: `${operation}.idInBody`, value: idInBody });
  if (method === 'PUT')
    rows.push({
      row: `${operation}.method`,
      question: 'does PUT empty what is not sent? An update sends only the fields given',
    });
  const isOpen = isAddressed(operation) && !path.includes('{') && idInBody === undefined;
  const question = `${path}, with ${operation}.idInBody: the field of its body that names the customer`;
  return [isOpen ? { row: `${operation}.path`, question } : { row: `${operation}.path`, value: path }, ...rows];
}

/** The whole path of the server. Where the file leaves its base open, UPSTREAM_URL is that base. */
function proposePrefix(matches: readonly FoundMatch[]): readonly Proposal<string>[] {
  const bases = [...new Set(matches.flatMap(({ endpoint }) => (endpoint.bases.length === 0 ? [''] : endpoint.bases)))];
  if (bases.length < 2) return bases.map((value) => ({ row: 'service.prefix', value }));
  const question = `servers of the file have different paths: ${bases.map((base) => base || "''").join(' or ')}`;
  return [{ row: 'service.prefix', question }];
}

/** A row that all endpoints give one value, or a question where they differ. */
function proposeOne(row: string, values: readonly string[], question: string): readonly Proposal<string>[] {
  const [value, ...others] = new Map(values.map((each) => [each.toLowerCase(), each])).values();
  if (value === undefined) return [];
  return others.length === 0 ? [{ row, value }] : [{ row, question: `${question}: ${[value, ...others].join(', ')}` }];
}

/** Whether a header carries the key of a repeated write. */
const isKey = (name: string): boolean => /idempoten/i.test(name);

function askHeaders(matches: readonly FoundMatch[]): readonly Proposal<string>[] {
  const required = matches.flatMap(({ endpoint }) => endpoint.headers.filter(({ isRequired }) => isRequired === true));
  const others = required.filter(({ name }) => !isKey(name) && !isCredential(name) && !usualHeader.test(name));
  const names = [...new Set(others.map(({ name }) => name))];
  const question = `the file requires ${names.join(', ')}: which value has it?`;
  return names.length === 0 ? [] : [{ row: 'service.headers', question }];
}

/** Whether identifiers in bodies are JSON numbers: a service that wants them so may refuse texts. */
function proposeIdentifiers(matches: readonly FoundMatch[]): readonly Proposal<string>[] {
  const row = 'identifiers.inBody';
  const inBody = matches.filter(({ idInBody }) => idInBody !== undefined);
  const ids = inBody.map(({ endpoint, idInBody = '' }) => readPointer(endpoint.body()?.sample, idInBody));
  if (!ids.some((id) => typeof id === 'number' || id === openText)) return [];
  const isSure = ids.every((id) => typeof id === 'number');
  return [isSure ? { row, value: 'number' } : { row, question: 'number, perhaps: some are no texts' }];
}

const usualHeader =
  /^(?:authorization|content-(?:type|length)|accept(?:-\w+)?|user-agent|host|connection|cache-control|postman-token|x-request-id)$/i;

/** Whether a header other than Authorization looks as if it carried a credential. */
function isCredential(name: string): boolean {
  return /auth|key|token|secret/i.test(name) && !/idempoten|csrf|www-auth/i.test(name) && !usualHeader.test(name);
}

function isBearer(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

/** Authorization is the bearer token; the one other header is the private key. */
function proposeCredentials(matches: readonly FoundMatch[]) {
  const all = matches.map(({ operation, endpoint: { security, headers } }) => {
    const named = headers.map(({ name }) => name).filter((name) => isBearer(name) || isCredential(name));
    return {
      row: `${operation}.credentials`,
      names: [...security, ...named].filter((name) => /^[\w-]{1,100}$/.test(name)),
    };
  });
  const keys = all.flatMap(({ names }) => names.filter((name) => !isBearer(name)));
  const headers = [...new Map(keys.map((name) => [name.toLowerCase(), name])).values()];
  const named = headers.filter((name) => /private[_-]?key/i.test(name));
  const [header, second] = named.length > 0 ? named : headers;
  const several = `several headers carry credentials (${headers.join(', ')}), the gateway has one private key`;
  if (second !== undefined)
    return { header: undefined, proposals: [{ row: 'getCustomer.credentials', question: several }] };
  const rows = all.map(({ row, names }) => {
    const isKey = names.some((name) => name.toLowerCase() === header?.toLowerCase());
    return { row, value: [...(names.some(isBearer) ? ['bearer'] : []), ...(isKey ? ['privateKey'] : [])] };
  });
  const [first, ...others] = rows.filter(({ value }) => value.length === 0).map(({ row }) => row);
  const question = `the file names none that the gateway can send${others.map((row) => `, nor for ${row}`).join('')}`;
  const proposals: readonly Proposal<string>[] = rows.filter(({ value }) => value.length > 0);
  return { header, proposals: first === undefined ? proposals : [...proposals, { row: first, question }] };
}

/** Asks for an identifier that paths name and records have beside their id, such as `customer_code`. */
export function askIdentity(
  matches: readonly FoundMatch[],
  samples: readonly Sample[],
  contract: Contract,
): readonly Proposal<string>[] {
  const single = { customer: 'getCustomer', settlementBank: 'getSettlementBank' } as const;
  return (['customer', 'settlementBank'] as const).flatMap((kind) => {
    const endpoint = matches.find(({ operation }) => operation === single[kind])?.endpoint;
    const [, name = 'id'] = /\{(\w+)\}/.exec(endpoint?.path ?? '') ?? [];
    const keys = recordsOfKind(kind, samples, contract).flatMap((record) => Object.keys(record as object));
    const field = keys.find((key) => !/id$/i.test(key) && normalizeName(key).endsWith(normalizeName(name)));
    return field === undefined
      ? []
      : [{ row: `${kind}.id`, question: `[/${field}], perhaps, since its path names it` }];
  });
}
