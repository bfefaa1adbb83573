import { GatewayError, type Lookup } from '../domain/errors.ts';
import type { Contract, OperationName } from '../contract/contract.ts';
import type { NameById, PathIdentifiers, WriteName } from '../contract/operation-rows.ts';
import { contractSurprise, type Decoder } from './decoding/field-decoders.ts';
import { createEncoder } from './decoding/encode-input.ts';
import { textOrNumber } from './decoding/exact-json.ts';
import { createEnvelope } from './decoding/envelope.ts';
import { noMismatch, requireIdentity, type FindMismatch } from './decoding/identification.ts';
import { createRecordEvidence } from './decoding/record-evidence.ts';
import { isPathIdentifier, operationBasics, type Identifiers } from './decoding/request-path.ts';
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
 * A read of one record by the identifiers in its path. Throws where the record as a whole cannot be read. `findMismatch`
 * says whether the record is the one asked for by its `id`.
 */
export function createRecordRead<Input, Value, Name extends ReadName>(
  contract: Contract,
  name: Name,
  identifiers: (input: Input) => Identifiers & PathIdentifiers<Name>,
  decode: Decoder<Value>,
  findMismatch: FindMismatch,
): Read<Input, Value> {
  const basics = operationBasics(contract, name);
  const { findRecord } = createEnvelope(contract);
  return {
    kind: 'read',
    name,
    credentials: basics.credentials,
    worstCase: () => oneCall,
    request: (input) => {
      requireIdentity(contract, name);
      const inPath = identifiers(input);
      return { ...basics.readRequest(inPath, ''), identifier: inPath['id'] ?? '' };
    },
    decode: (body, identifier) => {
      const { source, path, isBesideFlag } = findRecord(body);
      const location = { operation: name, path };
      const record = source === undefined ? undefined : decode(source, location);
      // What stands beside a flag need not be a record.
      const isNone = record === undefined || (isBesideFlag && record instanceof GatewayError);
      if (isNone) throw contractSurprise(location, 'envelope.data');
      if (record instanceof GatewayError) throw record;
      const mismatch = identifier === undefined ? undefined : findMismatch(source, [identifier], location);
      if (mismatch !== undefined) throw mismatch;
      return record;
    },
  };
}

/**
 * A read of a record that may be unknown, and that may be asked for by another identifier than its own id. `ownCalls`
 * are the fields of the graph that its record does not carry, `readAhead` those that are read together with it.
 */
export function createEntityRead<Value extends { readonly id: string }>(
  contract: Contract,
  name: ReadName & NameById,
  decode: Decoder<Value>,
  findMismatch: FindMismatch,
  ownCalls: ReadonlySet<string> = new Set(),
  readAhead: ReadonlySet<string> = new Set(),
): EntityRead<Value> {
  const read = createRecordRead(contract, name, (id: string) => ({ id }), decode, findMismatch);
  const allowed = contract['identifiers.allow'];
  const canonical = (record: Value | null): string | undefined =>
    record !== null && isPathIdentifier(record.id, allowed) ? record.id : undefined;
  return { ...read, absent: null, canonical, ownCalls, readAhead };
}

interface RecordWriteOptions<Input, Value, Name extends WriteName> {
  readonly decode: Decoder<Value>;
  /** How a client finds out the outcome, the best way first: by those input fields that were given. */
  readonly lookups: readonly Lookup[];
  /** Whether it is a create, which takes idempotency keys. */
  readonly creates: boolean;
  /** The identifiers in the path, by the names in its braces; the last one names the record addressed. */
  readonly identifiers: (input: Input) => PathIdentifiers<Name>;
  /** The read that shows what an update did, for services that answer without the record. */
  readonly readBack?: Read<string, Value | null>;
  /** Whether the record is the one addressed, or belongs to it. */
  readonly findMismatch?: FindMismatch;
}

type Values = Readonly<Record<string, unknown>>;

/** Compiles how the record of a write's answer is found, with what it proves of the input, sent as `wire`. */
function createRecordFinder(contract: Contract, name: WriteName) {
  const { findRecord } = createEnvelope(contract);
  const recordEvidence = createRecordEvidence(contract, name);
  return (body: unknown, wire: Values): WrittenRecord => {
    const { source, path, isBesideFlag } = findRecord(body);
    const record = recordEvidence(source, path, wire);
    // What stands beside a flag is a record only if it shows that.
    return isBesideFlag && record.evidence === 'unproven' ? recordEvidence(undefined, path, wire) : record;
  };
}

/** A write whose body is its input under the contract's names, and whose answer is one record. */
export function createRecordWrite<Input extends object, Value, Name extends WriteName>(
  contract: Contract,
  name: Name,
  options: RecordWriteOptions<Input, Value, Name>,
): Write<Input, Value> {
  const { decode, creates, lookups, identifiers, readBack, findMismatch = noMismatch } = options;
  const basics = operationBasics(contract, name);
  const encoder = createEncoder(contract, name);
  const recordIn = createRecordFinder(contract, name);
  const toFields = (input: Input) => input as Values; // read by the contract's field names only
  const identifiersIn = (input: Input): readonly string[] => Object.values<string>(identifiers(input));
  const addressedId = (input: Input): string | undefined => identifiersIn(input).at(-1);
  /** The error of a record that is another one than the write was addressed to, or belongs to another one. */
  const mismatchOf = ({ source, path, evidence }: WrittenRecord, input: Input): GatewayError | undefined =>
    evidence === 'proven' || evidence === 'unproven'
      ? findMismatch(source, identifiersIn(input), { operation: name, path })
      : undefined;
  return {
    kind: 'write',
    name,
    credentials: basics.credentials,
    worstCase: () => (readBack === undefined ? oneCall : writeAndReadBack),
    creates,
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
      : { readBack: (input: Input) => ({ operation: readBack, input: addressedId(input) ?? '' }) }),
  };
}
