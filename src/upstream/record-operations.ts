import { GatewayError, type Lookup } from '../domain/errors.ts';
import type { Contract, OperationName } from '../contract/contract.ts';
import { addressedBy, isCreate, type WriteName } from '../contract/operation-rows.ts';
import { contradiction, type Decoder } from './decoding/field-decoders.ts';
import { createEncoder } from './decoding/encode-input.ts';
import { textOrNumber } from './decoding/exact-json.ts';
import { createEnvelope } from './decoding/envelope.ts';
import { createMismatchCheck, requireIdentity } from './decoding/identification.ts';
import { createRecordFinder } from './decoding/record-evidence.ts';
import { isPathIdentifier } from './decoding/identifiers.ts';
import { compilePointers } from './decoding/json-pointer.ts';
import { operationBasics, type Identifiers } from './decoding/request-path.ts';
import { deletionMarks, unlessDeleted } from './decoding/signs.ts';
import {
  oneCall,
  type EntityRead,
  type Read,
  type UpstreamRequest,
  type WorstCase,
  type Write,
  type WrittenRecord,
} from './operation.ts';

const writeAndReadBack: WorstCase = { calls: 2, records: 1 };

/** The lookup of one customer, which needs one of its inputs; a list can be read through without them. */
const singleRecord = 'customer';

type ReadName = Extract<OperationName, `get${string}`>;

/**
 * A read of one record by the identifiers in its path. Throws where the record as a whole cannot be read, is another one
 * than the one asked for by its `id`, or is what the envelope takes from a list of several.
 */
export function createRecordRead<Input, Value>(
  contract: Contract,
  name: ReadName,
  identifiers: (input: Input) => Identifiers,
  decode: Decoder<Value>,
): Read<Input, Value> {
  const basics = operationBasics(contract, name);
  const { findRecord } = createEnvelope(contract);
  const data = compilePointers(contract['envelope.data']);
  const findMismatch = createMismatchCheck(contract, name);
  return {
    kind: 'read',
    name,
    credentials: basics.credentials,
    worstCase: () => oneCall,
    request: (input) => {
      requireIdentity(contract, name);
      const inPath = identifiers(input);
      return { ...basics.readRequest(inPath, {}), identifier: inPath['id'] ?? '' };
    },
    decode: (body, identifier) => {
      const { source, path, isBesideFlag } = findRecord(body);
      const location = { operation: name, path };
      if (data.isOneOfSeveral(body)) throw contradiction(location, 'envelope.data');
      const record = source === undefined ? undefined : decode(source, location);
      // What stands beside a flag need not be a record.
      const isNone = record === undefined || (isBesideFlag && record instanceof GatewayError);
      if (isNone) throw contradiction(location, 'envelope.data');
      if (record instanceof GatewayError) throw record;
      const mismatch = identifier === undefined ? undefined : findMismatch(source, [identifier], location);
      if (mismatch !== undefined) throw mismatch;
      return record;
    },
  };
}

/** Fields of the graph that a record does not carry, and those of them that are read together with it. */
export type OwnCalls = Pick<EntityRead<unknown>, 'ownCalls' | 'prefetched'>;

/** A read of a record that may be unknown, and that may be asked for by another identifier than its own id. */
export function createEntityRead<Value extends { readonly id: string }>(
  contract: Contract,
  name: ReadName,
  decode: Decoder<Value>,
  own: OwnCalls = { ownCalls: new Set(), prefetched: new Set() },
): EntityRead<Value> {
  const decodeLiving = unlessDeleted(deletionMarks(contract, name), decode);
  const read = createRecordRead(contract, name, (id: string) => ({ id }), decodeLiving);
  const allowed = contract['identifiers.allow'];
  const canonical = (record: Value | null): string | undefined =>
    record !== null && isPathIdentifier(record.id, allowed) ? record.id : undefined;
  return { ...read, absent: null, canonical, ...own };
}

type Values = Readonly<Record<string, unknown>>;

/**
 * A write whose body is its input under the contract's names, and whose answer is one record. `lookups`: how a client finds
 * out the outcome, the best way first, by those input fields that were given. `readBack`: the read that shows what an update
 * did, for services that answer without the record.
 */
export function createRecordWrite<Input extends object, Value>(
  contract: Contract,
  name: WriteName,
  decode: Decoder<Value>,
  lookups: readonly Lookup[],
  readBack?: Read<string, Value | null>,
): Write<Input, Value> {
  const basics = operationBasics(contract, name);
  const encoder = createEncoder(contract, name);
  const recordIn = createRecordFinder(contract, name);
  const toFields = (input: Input) => input as Values; // read by the contract's field names only
  const addressField = addressedBy(name);
  const findMismatch = createMismatchCheck(contract, name);
  /** The identifier of the record that the write is addressed to, by its name in the path. */
  const identifiers = (input: Input): Identifiers =>
    addressField === undefined ? {} : { id: String(toFields(input)[addressField]) };
  /** The error of a record that is another one than the write was addressed to, or belongs to another one. */
  const mismatchOf = ({ source, path, evidence }: WrittenRecord, input: Input): GatewayError | undefined =>
    evidence === 'proven' || evidence === 'unproven'
      ? findMismatch(source, Object.values(identifiers(input)), { operation: name, path })
      : undefined;
  return {
    kind: 'write',
    name,
    credentials: basics.credentials,
    worstCase: () => (readBack === undefined ? oneCall : writeAndReadBack),
    creates: isCreate(name),
    prepare: (input) => {
      requireIdentity(contract, name);
      const ids = identifiers(input);
      const { body, inPath, userErrors } = encoder.encode(toFields(input), basics.idFields(ids));
      const request: UpstreamRequest = { method: basics.method, path: basics.path({ ...inPath, ...ids }), body };
      return { request, userErrors };
    },
    sentTexts: (input) => {
      const fields = toFields(input);
      return Object.entries(encoder.wireValues(fields)).flatMap(([field, wire]) =>
        [wire, fields[field]].flatMap((value) => textOrNumber(value) ?? []),
      );
    },
    findRecord: (body, input) => {
      const record = recordIn(body, encoder.wireValues(toFields(input)));
      const mismatch = mismatchOf(record, input);
      return mismatch === undefined ? record : { ...record, mismatch };
    },
    decode: ({ source, path, mismatch }) => {
      if (source === undefined) return null;
      const value = decode(source, { operation: name, path });
      return value instanceof GatewayError ? value : (mismatch ?? value);
    },
    emptySuccess: contract[`${name}.emptySuccess`],
    inputPaths: encoder.inputPaths,
    lookup: (input) => {
      const fields = toFields(input);
      const usable = lookups.map(({ field, by }) => ({ field, by: by.filter((name) => (fields[name] ?? '') !== '') }));
      return usable.find(({ by }) => by.length > 0) ?? lookups.find(({ field }) => field !== singleRecord);
    },
    ...(readBack === undefined
      ? {}
      : { readBack: (input: Input) => ({ operation: readBack, input: identifiers(input)['id'] ?? '' }) }),
  };
}
