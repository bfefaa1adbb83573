import { GatewayError } from '../../domain/errors.ts';
import type { ValueOrError } from '../../domain/records.ts';

/** Returns the value, or throws the error in its place. */
export function unwrap<Value>(value: ValueOrError<Value>): Value {
  if (value instanceof GatewayError) throw value;
  return value;
}
