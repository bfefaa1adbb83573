import { GatewayError } from '../../domain/errors.ts';
import type { Scope } from './scope.ts';
import type { ServiceCalls } from './service-calls.ts';
import { prefetchFailed, type UpstreamRequest } from '../operation.ts';

/**
 * Limits the calls of one request. Its cost was estimated for pages as they are asked for; where the service gives smaller
 * ones, calls beyond the limit fail with COST_ESTIMATED_TOO_EXPENSIVE. Prefetches have a budget of the same size; one
 * beyond it is sent only when it is needed. Writes are counted and never refused, since their estimate is exact. Retries
 * are not counted.
 */
export function withBudget(serviceCalls: ServiceCalls, maxCalls: number): ServiceCalls {
  const count = ({ spent }: Scope, { isPrefetch = false }: Partial<UpstreamRequest> = {}): number => {
    spent[isPrefetch ? 'prefetch' : 'estimated'] += 1;
    return spent[isPrefetch ? 'prefetch' : 'estimated'];
  };
  return {
    read: (operation, request, scope) =>
      count(scope, request) > maxCalls
        ? Promise.reject(request.isPrefetch === true ? prefetchFailed : overBudget(operation.name, maxCalls))
        : serviceCalls.read(operation, request, scope),
    write: (operation, input, scope, key) => {
      count(scope);
      return serviceCalls.write(operation, input, scope, key);
    },
  };
}

function overBudget(operation: string, maximum: number): GatewayError {
  const message = `The payments service returned smaller pages than expected: this operation needs more than the ${maximum} allowed calls.`;
  return new GatewayError('COST_ESTIMATED_TOO_EXPENSIVE', { operation, maximum }, { message });
}
