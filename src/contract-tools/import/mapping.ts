import { isAddressed } from '../../contract/operation-rows.ts';
import type { OperationName } from '../../contract/contract.ts';
import { nearestName } from '../../runtime/nearest-name.ts';
import { placeIdentifier, type Address } from './address.ts';
import type { Endpoint } from './endpoint.ts';
import { describeEndpoint, isRow, type FoundMatch } from './match.ts';
import { targets } from './words.ts';

/** Reads what a person has settled: `OPERATION=METHOD /path`, once for each operation. Throws an Error with what is allowed. */
export function readMappings(
  texts: readonly string[],
  endpoints: readonly Endpoint[],
): ReadonlyMap<OperationName, FoundMatch> {
  const matches = texts.map((text) => {
    const [, operation = '', method = '', path = ''] = /^\s*(\w+)\s*=\s*([A-Za-z]+)\s+(\/\S*)\s*$/.exec(text) ?? [];
    const fail = (found: string, allowed: string): never => {
      throw new Error(`--map ${text}: found ${found}; allowed: ${allowed}.`);
    };
    if (operation === '') return fail('something else', "OPERATION='METHOD /path', as the file has them");
    if (!isOperation(operation))
      return fail(operation, `an operation such as ${nearestName(operation, Object.keys(targets)).name}`);
    const endpoint = findEndpoint(method.toUpperCase(), path, endpoints);
    if (endpoint === undefined)
      return fail('no such endpoint in the file', `one of the file, such as ${nearest(method, path, endpoints)}`);
    const { path: row, ...place } = withQuery(path, endpoint) ??
      placeIdentifier(operation, endpoint) ?? { path: endpoint.path, shape: 'other' };
    const address = { ...place, path: row };
    const needs = isAddressed(operation) ? 'one identifier, as {id}' : 'no parameter';
    // Which field of a body has the identifier may be left open: a row says it.
    const isOpen = isAddressed(operation) && !row.includes('{') && method.toUpperCase() !== 'GET';
    if (!isRow(operation, address) && !isOpen)
      return fail(
        `a path that ${operation} cannot have`,
        `a path with ${needs}; the identifier of a customer may stand in the query: /path?name={id}`,
      );
    return [operation, { operation, certainty: 'given', why: 'by --map', rivals: [], endpoint, ...address }] as const;
  });
  const twice = matches.find(([operation], index) => matches.findIndex(([other]) => other === operation) !== index);
  if (twice !== undefined) throw new Error(`--map ${twice[0]}: found it twice; allowed: once for each operation.`);
  return new Map(matches);
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(targets, name);
}

/** A path as it is compared: below its server, whatever its parameters are called. */
function comparable(path: string): string {
  return path
    .replace(/\?.*$/s, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replace(/\/+$/, '');
}

function findEndpoint(method: string, path: string, endpoints: readonly Endpoint[]): Endpoint | undefined {
  const wanted = comparable(path);
  return endpoints.find((endpoint) => {
    const spellings = ['', ...endpoint.bases].map((base) => comparable(base + endpoint.path));
    return endpoint.method === method && spellings.includes(wanted);
  });
}

/** The address by a query that the person wrote, such as `?customer={id}`. */
function withQuery(path: string, { path: template }: Endpoint): Address | undefined {
  const [, query] = /\?(.+)$/s.exec(path) ?? [];
  return query === undefined ? undefined : { path: `${template}?${query.replace(/\{\w*\}/, '{id}')}`, shape: 'query' };
}

function nearest(method: string, path: string, endpoints: readonly Endpoint[]): string {
  return nearestName(`${method.toUpperCase()} ${path}`.slice(0, 100), endpoints.slice(0, 500).map(describeEndpoint))
    .name;
}
