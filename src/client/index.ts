/** `settlement-graph/client`: type policies, generated lists and error types for frontends. It has no dependencies. */
export { possibleTypes, scalars, unkeyedTypes } from './schema.generated.ts';
export { createTypePolicies, typePolicies, type TypePolicy } from './type-policies.ts';
export type { FieldPolicy } from './connections.ts';
export {
  findGatewayError,
  gatewayErrors,
  isGatewayError,
  type GatewayError,
  type GatewayErrorCarrier,
} from './errors.ts';
export { describeError, type ErrorDescription } from './describe-error.ts';
export { errorSentences, type ErrorCode, type Sentences } from './sentences.ts';
export { fieldErrors, type UserError } from './field-errors.ts';
export { formatMoney, type MoneyValue } from './money.ts';
export type { PendingWrite } from './pending-entry.ts';
export { createWriter, type UnknownResult, type Writer, type WriterOptions, type WriteResult } from './writer.ts';
