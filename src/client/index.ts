/** `settlement-graph/client`: type policies, generated lists and error types for frontends. It has no dependencies. */
export { possibleTypes, scalars, unkeyedTypes } from './schema.generated.ts';
export { createTypePolicies, typePolicies, type TypePolicy } from './type-policies.ts';
export type { FieldPolicy } from './connections.ts';
export {
  findGatewayError,
  gatewayErrors,
  isGatewayError,
  type ErrorCode,
  type GatewayError,
  type GatewayErrorCarrier,
} from './errors.ts';
