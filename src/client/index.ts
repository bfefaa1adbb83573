/** `settlement-graph/client`: what a frontend needs of the gateway at build time and in its cache. It imports nothing. */
export { possibleTypes, scalars, unkeyedTypes } from './schema.generated.ts';
export { createTypePolicies, typePolicies, type TypePolicy } from './type-policies.ts';
export type { ConnectionPolicy } from './connections.ts';
export {
  findGatewayError,
  gatewayErrors,
  isGatewayError,
  type ErrorCode,
  type GatewayError,
  type GatewayErrorCarrier,
} from './errors.ts';
