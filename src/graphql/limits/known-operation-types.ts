import { GraphQLError, type ASTVisitor, type ValidationContext } from 'graphql';

/**
 * Validation rule: refuses an operation whose root type the schema does not have, such as a subscription. graphql-js 16
 * has no such rule and throws when it executes the operation, which a client would see as an internal error.
 */
export function knownOperationTypes(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition: (node) => {
      if (context.getSchema().getRootType(node.operation)) return;
      context.reportError(new GraphQLError(`The schema has no ${node.operation} operations.`, { nodes: node }));
    },
  };
}
