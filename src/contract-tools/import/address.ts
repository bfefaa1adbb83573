import { isRecord } from '../../upstream/index.ts';
import { toStep } from '../../contract/addressing.ts';
import { isAddressed } from '../../contract/operation-rows.ts';
import type { OperationName } from '../../contract/contract.ts';
import { normalizeName } from '../usual-names.ts';
import type { Endpoint } from './endpoint.ts';
import { isVerb, nounOf, targets, type Noun } from './words.ts';

/** Where a request says which record is meant. */
export interface Address {
  /** Below the service's prefix, with `{id}`, perhaps in its query. */
  readonly path: string;
  /** The name or JSON pointer of the field that holds the identifier, where the path has none. */
  readonly idInBody?: string;
  /** `other`: the path's only parameter stands for something else than the record or customer. */
  readonly shape: 'path' | 'query' | 'body' | 'other';
}

const ofCustomer = /^(?:customer|client)(?:id|code|uuid|reference|ref)?$/;
const ofBank = /^(?:settlement)?(?:bank|account)(?:id|code|uuid)$/;

/** The address of an endpoint as an operation's; undefined where it has no identifier, or several. */
export function placeIdentifier(operation: OperationName, endpoint: Endpoint): Address | undefined {
  const { noun, verb } = targets[operation];
  const { path, name, before, isLast, count } = readPath(endpoint.path);
  if (!isAddressed(operation)) return count === 0 ? { path, shape: 'path' } : undefined;
  if (count > 1) return undefined;
  if (count === 1) {
    const isOne = (noun === 'customer' || noun === 'bank') && (verb === 'get' || verb === 'update');
    const isOfCustomer = nounOf(before) === 'customer' || ofCustomer.test(normalizeName(name));
    const isUsual = isOne ? isLast : isOfCustomer;
    // Below a customer, a path that ends in another identifier is about one record, and none of its list.
    if (!isOne && !isOfCustomer && isLast && noun !== 'balance') return undefined;
    return { path, shape: isUsual ? 'path' : 'other' };
  }
  const inQuery = onlyOne(endpoint.query.map((each) => each.name).filter((each) => namesRecord(operation, each)));
  if (inQuery !== undefined) return { path: `${path}?${inQuery}={id}`, shape: 'query' };
  const pointers = endpoint.method === 'GET' ? [] : findIdentifiers(operation, endpoint.body()?.sample);
  const inBody = onlyOne(pointers);
  return inBody === undefined ? undefined : { path, idInBody: inBody, shape: 'body' };
}

/** A path with its only parameter as `{id}`. */
function readPath(template: string) {
  const segments = template.split('/');
  const at = segments.findIndex((segment) => segment.includes('{'));
  const further = segments.slice(at + 1).filter((segment) => segment !== '' && !isVerb(segment));
  return {
    path: template.replace(/\{[^{}]*\}/, '{id}'),
    name: /\{([^{}]*)\}/.exec(template)?.[1] ?? '',
    before: segments.slice(0, Math.max(0, at)).findLast((segment) => !isVerb(segment)) ?? '',
    isLast: further.length === 0,
    count: template.match(/\{/g)?.length ?? 0,
  };
}

/** Whether a parameter or field is the identifier of the operation's customer or record. */
export function namesRecord(operation: OperationName, name: string): boolean {
  const { noun, verb } = targets[operation];
  const isOwn = noun === 'bank' || (noun === 'customer' && verb !== 'list');
  // `filter[customerId]` filters by the name in brackets.
  const letters = normalizeName(/\[(\w+)\]$/.exec(name)?.[1] ?? name);
  return (noun === 'bank' ? ofBank : ofCustomer).test(letters) || (isOwn && letters === 'id');
}

/** The one text, or of several the one that ends in `id`: a body may hold the code of a bank beside the id of the record. */
function onlyOne(names: readonly string[]): string | undefined {
  const ids = names.filter((name) => /id$/i.test(name));
  return names.length === 1 ? names[0] : ids.length === 1 ? ids[0] : undefined;
}

const maxDepth = 6;

/** Names or pointers of the fields of a body that identify the record: `customer_id`, `/customer/id`. */
function findIdentifiers(operation: OperationName, body: unknown): readonly string[] {
  const nounName: Noun = targets[operation].noun === 'bank' ? 'bank' : 'customer';
  const visit = (value: unknown, at: string, above: string, depth: number): readonly string[] =>
    isRecord(value) && depth < maxDepth
      ? Object.entries(value).flatMap(([name, inner]) => {
          const pointer = at + toStep(name);
          if (isRecord(inner)) return visit(inner, pointer, name === 'data' ? above : name, depth + 1);
          const isBelow = nounOf(above) === nounName && /^(?:id|code)$/i.test(name);
          if (typeof inner === 'object' || !(depth === 0 ? namesRecord(operation, name) : isBelow)) return [];
          return depth === 0 ? name : pointer;
        })
      : [];
  return visit(body, '', '', 0);
}
