import { isAddressed } from '../../contract/addressing.ts';
import type { OperationName } from '../../contract/contract.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { isPlainName, normalizeName } from '../contract-check/json-shape.ts';
import type { ApiOperation } from './api.ts';

/** Where a request names its record. */
export interface Address {
  /** The path, with the parameter in braces in a segment or in the query. */
  readonly path: string;
  /** The field of the body that is the identifier, where the path has none. */
  readonly idInBody?: string;
}

const ofCustomer = /^(?:customer|client)(?:id|code|uuid|reference|ref)?$/;
const ofBank = /^(?:settlement)?(?:bank|account)(?:id|code|uuid)$/;

/**
 * The address of an operation on a record whose path has no parameter: a query parameter or a field of the body with the
 * name of an identifier. Undefined where there is none, or more than one.
 */
export function placeIdentifier(operation: OperationName, path: string, api: ApiOperation): Address | undefined {
  if (!isAddressed(operation) || path.includes('{')) return { path };
  const isOfBank = operation.endsWith('Bank');
  const names = isOfBank ? ofBank : ofCustomer;
  // A record's own `id`, or `code`; below a customer that could be another record's.
  const isOwn = operation === 'getCustomer' || operation === 'updateCustomer' || isOfBank;
  const isIdentifier = (name: string): boolean =>
    isPlainName(name) && (names.test(normalizeName(name)) || (isOwn && normalizeName(name) === 'id'));
  // A body may hold the code of a bank beside the id of the record.
  const preferId = (found: readonly string[]): readonly string[] => {
    const ids = found.filter((name) => /id$/i.test(name));
    return ids.length === 1 ? ids : found;
  };
  const inQuery = preferId(api.query.map(({ name }) => name).filter(isIdentifier));
  const sample = isRecord(api.body?.sample) ? api.body.sample : {};
  const fields = Object.keys(sample).filter((name) => typeof sample[name] !== 'object');
  const inBody = api.method === 'GET' ? [] : preferId(fields.filter(isIdentifier));
  const [query] = inQuery;
  const [field] = inBody;
  if (inQuery.length + inBody.length !== 1) return undefined;
  return query === undefined ? { path, idInBody: field ?? '' } : { path: `${path}?${query}={id}` };
}
