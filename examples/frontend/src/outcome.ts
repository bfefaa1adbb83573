import { gatewayErrors, isGatewayError } from 'settlement-graph/client';
import type { CreateCustomerMutation } from './gql/graphql.ts';

type Payload = NonNullable<CreateCustomerMutation['createCustomer']>;

/** Everything that can become of a registration. */
export type Outcome =
  | { readonly is: 'created'; readonly id: string }
  /** Nothing was registered, and the person can correct why. */
  | { readonly is: 'refused'; readonly userErrors: Payload['userErrors'] }
  /** Nothing was registered, for a reason that is not in the form. */
  | { readonly is: 'failed'; readonly error: unknown }
  /** No answer reached this page. A repeat under the same key is safe, and tells. */
  | { readonly is: 'interrupted' }
  /** The service was asked and nobody knows what it did: it must be looked up. */
  | { readonly is: 'unknown' };

export function outcomeOf(payload: Payload | null | undefined, error: unknown): Outcome {
  if (isGatewayError(error, 'OUTCOME_UNKNOWN')) return { is: 'unknown' };
  const isInterrupted = gatewayErrors(error).length === 0 || isGatewayError(error, 'INTERNAL_SERVER_ERROR');
  if (payload == null) return isInterrupted ? { is: 'interrupted' } : { is: 'failed', error };
  const { customer, userErrors } = payload;
  if (userErrors.length > 0) return { is: 'refused', userErrors };
  // Accepted without saying more: the record is found in the same way as one of unknown outcome.
  return customer === null ? { is: 'unknown' } : { is: 'created', id: customer.id };
}
