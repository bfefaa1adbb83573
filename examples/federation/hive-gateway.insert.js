import { getOperationAST, GraphQLError, Kind, OperationTypeNode } from 'graphql';

/**
 * Hive Gateway in front of settlement-graph, where the router holds the merchant's credentials and its callers are that
 * merchant's own people or programs, whom the router itself must know: without authentication in front of it, this
 * configuration opens the merchant's money to whoever reaches its port.
 * `SETTLEMENT_BEARER=… SETTLEMENT_PRIVATE_KEY=… ROUTER_SECRET=… hive-gateway supergraph supergraph.graphql --config-path hive-gateway.insert.js`
 */
const { SETTLEMENT_BEARER, SETTLEMENT_PRIVATE_KEY, ROUTER_SECRET } = process.env;
if (!SETTLEMENT_BEARER || !SETTLEMENT_PRIVATE_KEY) throw new Error('Set SETTLEMENT_BEARER and SETTLEMENT_PRIVATE_KEY.');

/** What is the caller's own: its key for creates, and how to find the request in logs. */
const forwarded = ['idempotency-key', 'x-request-id', 'traceparent'];

export const gatewayConfig = {
  propagateHeaders: {
    fromClientToSubgraphs({ request, subgraphName }) {
      // A merchant's credentials are nobody else's business: no other subgraph gets them.
      if (subgraphName !== 'settlement') return {};
      return {
        ...Object.fromEntries(forwarded.map((name) => [name, request.headers.get(name)])),
        // The router's, from its secrets. What the caller has sent under these names is an end user's and stays here.
        authorization: `Bearer ${SETTLEMENT_BEARER}`,
        svcprivatekey: SETTLEMENT_PRIVATE_KEY,
        // Tells settlement-graph that `_entities` is asked by the router (its own ROUTER_SECRET).
        'x-router-secret': ROUTER_SECRET,
      };
    },
  },
  // Equal queries in flight would share one call otherwise, and the first client's leaving would end it for all of them.
  transportEntries: { '*.http': { options: { deduplicateInflightRequests: false } } },
  maskedErrors: { maskError },
  plugins: () => [{ onExecute: refuseSharedKey }],
};

/**
 * This gateway sends each field of a mutation in a request of its own. One header would be the key of all its creates, and
 * of two equal ones only the first would be made.
 */
function refuseSharedKey({ args: { document, operationName, contextValue }, setResultAndStopExecution }) {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.MUTATION || !contextValue.request.headers.has('idempotency-key'))
    return;
  const [field, ...more] = operation.selectionSet.selections;
  if (field.kind === Kind.FIELD && more.length === 0) return;
  const message = 'The header Idempotency-Key needs a mutation with exactly one field. Send the keys in the inputs.';
  setResultAndStopExecution({ errors: [new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })] });
}

/**
 * Errors with a code, as all of settlement-graph's have, are let through as they are; only those of the gateway itself,
 * such as a subgraph that cannot be reached, become one fixed sentence. They have the request's body, with identity numbers
 * in its variables, which must not reach the gateway's log.
 */
function maskError(error, message) {
  for (let each = error; each; each = each.originalError) {
    delete each.extensions?.request;
    delete each.extensions?.response;
  }
  if (isFromSubgraph(error)) return error;
  return new GraphQLError(message, { path: error.path, extensions: { code: 'INTERNAL_SERVER_ERROR' } });
}

function isFromSubgraph({ name, originalError }) {
  return name === 'GraphQLError' && (!originalError || isFromSubgraph(originalError));
}
