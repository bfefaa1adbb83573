import { GraphQLError, type ASTVisitor, type ValidationContext } from 'graphql';

/** Apollo's own switch hides `__schema` and `__type` but not the federation's `_service`, which prints all of them. */
export function noServiceSdl(context: ValidationContext): ASTVisitor {
  return {
    Field: (node) => {
      if (node.name.value !== '_service' || context.getParentType() !== context.getSchema().getQueryType()) return;
      context.reportError(new GraphQLError('Introspection is switched off.', { nodes: [node] }));
    },
  };
}
