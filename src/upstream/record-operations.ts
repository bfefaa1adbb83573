import { GatewayError, type Lookup } from '../domain/errors.ts';
import type { Contract, OperationName } from '../contract/contract.ts';
import { contractSurprise, type Decoder } from './decoding/field-decoders.ts';
import { createEncoder } from './decoding/encode-input.ts';
import { createEnvelope } from './decoding/envelope.ts';
import { isPathIdentifier, operationBasics } from './decoding/request-path.ts';
import { oneCall, type EntityRead, type Read, type UpstreamRequest, type WorstCase, type Write } from './operation.ts';

const writeAndReadBack: WorstCase = { calls: 2, records: 1 };

type ReadName = Extract<OperationName, `get${string}`>;
type WriteName = Exclude<OperationName, `get${string}` | `list${string}`>;

/** A read of one record by an identifier in its path. Throws where the record as a whole cannot be read. */
export function createRecordRead<Value>(
  contract: Contract,
  name: ReadName,
  decode: Decoder<Value>,
): Read<string, Value> {
  const basics = operationBasics(contract, name);
  const envelope = createEnvelope(contract);
  return {
    kind: 'read',
    name,
    credentials: basics.credentials,
    worstCase: () => oneCall,
    request: (identifier) => ({ method: basics.method, path: basics.path(identifier) }),
    decode: (body) => {
      const location = { operation: name, path: envelope.recordPath(body) };
      const source = envelope.record(body);
      const record = source === undefined ? contractSurprise(location, 'envelope.data') : decode(source, location);
      if (record instanceof GatewayError) throw record;
      return record;
    },
  };
}

/**
 * A read of a record that may be unknown, and that may be asked for by another name than its own id. `ownCalls` are the
 * fields of the graph that its record does not carry.
 */
export function createEntityRead<Value extends { readonly id: string }>(
  contract: Contract,
  name: ReadName,
  decode: Decoder<Value>,
  ownCalls: ReadonlySet<string> = new Set(),
): EntityRead<Value> {
  const read: Read<string, Value | null> = createRecordRead<Value | null>(contract, name, decode);
  const allowed = contract['identifiers.allow'];
  const canonical = (record: Value | null): string | undefined =>
    record !== null && isPathIdentifier(record.id, allowed) ? record.id : undefined;
  return { ...read, absent: null, canonical, ownCalls };
}

interface RecordWriteOptions<Input, Value> {
  readonly decode: Decoder<Value>;
  readonly lookup: Lookup | null;
  /** The identifier in the path; absent for a write to the collection. */
  readonly identifier?: (input: Input) => string;
  /** The read that shows what an update did, for services that answer without the record. */
  readonly readBack?: Read<string, Value | null>;
  /** Brings input values into the form of the wire. Throws BAD_USER_INPUT or CONTRACT_UNDECIDED. */
  readonly toWire?: (input: Input) => Input;
}

/** A write whose body is its input under the contract's names, and whose answer is one record. */
export function createRecordWrite<Input extends object, Value>(
  contract: Contract,
  name: WriteName,
  { decode, lookup, identifier, readBack, toWire }: RecordWriteOptions<Input, Value>,
): Write<Input, Value> {
  const basics = operationBasics(contract, name);
  const envelope = createEnvelope(contract);
  const encoder = createEncoder(contract, name);
  const path = (input: Input): string => (identifier ? basics.path(identifier(input)) : basics.collectionPath);
  return {
    kind: 'write',
    name,
    credentials: basics.credentials,
    worstCase: () => (readBack === undefined ? oneCall : writeAndReadBack),
    creates: readBack === undefined,
    prepare: (input) => {
      const target = path(input);
      const { body, userErrors } = encoder.encode((toWire?.(input) ?? input) as Readonly<Record<string, unknown>>); // read by the contract's field names only
      const request: UpstreamRequest = { method: basics.method, path: target, body };
      return { request, userErrors };
    },
    decode: (body) => {
      const source = envelope.record(body);
      return source === undefined ? null : decode(source, { operation: name, path: envelope.recordPath(body) });
    },
    inputPaths: encoder.inputPaths,
    lookup,
    ...(readBack === undefined || identifier === undefined
      ? {}
      : { readBack: (input: Input) => ({ operation: readBack, input: identifier(input) }) }),
  };
}
