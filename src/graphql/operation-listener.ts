import type {
  DocumentNode,
  FormattedExecutionResult,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { Context } from './context.ts';

/** An operation of a valid document, before it runs. */
export interface ResolvedOperation {
  readonly schema: GraphQLSchema;
  /** The document's text. */
  readonly source: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As the client sent them, not coerced. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: Context;
}

type Answer = { -readonly [Key in keyof FormattedExecutionResult]: FormattedExecutionResult[Key] };

/** Hooks that are called while an operation is handled. They are synchronous: an async hook would add a microtask to every request. */
export interface OperationListener {
  /** Called before the operation runs and before anything is sent for it. Throws to refuse it. */
  readonly onOperation?: (operation: ResolvedOperation) => void;
  /** Called with the errors of the execution, before they are formatted for the client. */
  readonly onErrors?: (errors: readonly GraphQLError[], context: Context) => void;
  /** Called with the answer, which may still be changed; `operation` is undefined where the document was refused. */
  readonly onAnswer?: (answer: Answer, context: Context, operation: ResolvedOperation | undefined) => void;
}

/** Combines listeners; they are called in their order. */
export function combineListeners(listeners: readonly OperationListener[]): Required<OperationListener> {
  return {
    onOperation: (operation) => {
      for (const { onOperation } of listeners) onOperation?.(operation);
    },
    onErrors: (errors, context) => {
      for (const { onErrors } of listeners) onErrors?.(errors, context);
    },
    onAnswer: (answer, context, operation) => {
      for (const { onAnswer } of listeners) onAnswer?.(answer, context, operation);
    },
  };
}
