import { GatewayError } from '../../domain/errors.ts';
import type { Scope } from './attempt.ts';
import type { Caller } from './read.ts';

/**
 * Lets one request make so many calls and no more. Its cost was known before by the page sizes that were believed then;
 * a service that turns out to make smaller pages needs more, and gets the rest of the budget only. Writes are counted
 * and never refused: what was estimated for them is exact.
 */
export function withBudget(caller: Caller, maxCalls: number): Caller {
  const count = ({ spent }: Scope): number => {
    spent.calls += 1;
    return spent.calls;
  };
  return {
    read: (operation, request, scope) =>
      count(scope) > maxCalls
        ? Promise.reject(overBudget(operation.name, maxCalls))
        : caller.read(operation, request, scope),
    write: (operation, input, scope, key) => {
      count(scope);
      return caller.write(operation, input, scope, key);
    },
  };
}

function overBudget(operation: string, maximum: number): GatewayError {
  const message = `The payments service gave smaller pages than expected, and ${maximum} calls were not enough.`;
  return new GatewayError('COST_ESTIMATED_TOO_EXPENSIVE', { operation, maximum }, { message });
}
