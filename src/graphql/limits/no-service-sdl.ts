import { GraphQLError, type ASTVisitor, type ValidationContext } from 'graphql';

/** Validation rule: refuses `_service`, which prints the schema and which Apollo's `introspection: false` leaves on. */
export function noServiceSdl(context: ValidationContext): ASTVisitor {
  return {
    Field: (node) => {
      if (node.name.value !== '_service' || context.getParentType() !== context.getSchema().getQueryType()) return;
      context.reportError(new GraphQLError('Introspection is switched off.', { nodes: [node] }));
    },
  };
}
