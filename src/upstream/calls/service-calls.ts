import type { WriteResult } from '../../domain/records.ts';
import type { Read, UpstreamRequest, Write } from '../operation.ts';
import type { Scope } from './scope.ts';

/** Calls the service and turns each outcome into a value, user errors, or the one GatewayError that fits. */
export interface ServiceCalls {
  readonly read: ReadCall;
  readonly write: WriteCall;
}

export type ReadCall = <Input, Value>(
  operation: Read<Input, Value>,
  request: UpstreamRequest,
  scope: Scope,
) => Promise<Value>;

/** Sends a write at most once; with an idempotency key at most once for all requests that carry the key. */
export type WriteCall = <Input extends object, Value>(
  operation: Write<Input, Value>,
  input: Input,
  scope: Scope,
  key: string | undefined,
) => Promise<WriteResult<Value>>;
