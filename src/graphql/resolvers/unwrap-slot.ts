import type { ValueOrError } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';

/** What stands in a slot; throws the error that stands there instead. */
export function valueIn<Value>(slot: ValueOrError<Value>): Value {
  if (slot instanceof GatewayError) throw slot;
  return slot;
}
