import type {
  DocumentNode,
  FormattedExecutionResult,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { Context } from './context.ts';

/** An operation whose document is known to be valid. */
export interface Asked {
  readonly schema: GraphQLSchema;
  /** The document's text. */
  readonly source: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As they came. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** What the request's `x-router-secret` says. */
  readonly routerSecret: string | undefined;
  readonly context: Context;
}

type Answer = { -readonly [Key in keyof FormattedExecutionResult]: FormattedExecutionResult[Key] };

/** Who hears of an operation on its way. Nothing in it waits: a hook that does costs every request a turn. */
export interface OperationListener {
  /** Before it runs, and before anything is sent for it. Throws to refuse it. */
  readonly onOperation?: (asked: Asked) => void;
  /** Of errors as they came, before what clients may see is made of them. */
  readonly onErrors?: (errors: readonly GraphQLError[], context: Context) => void;
  /** Of the answer, which may still be changed; `asked` is undefined where the document was refused. */
  readonly onAnswer?: (answer: Answer, context: Context, asked: Asked | undefined) => void;
}

/** All of them as one, in their order. */
export function listenAll(listeners: readonly OperationListener[]): Required<OperationListener> {
  return {
    onOperation: (asked) => {
      for (const { onOperation } of listeners) onOperation?.(asked);
    },
    onErrors: (errors, context) => {
      for (const { onErrors } of listeners) onErrors?.(errors, context);
    },
    onAnswer: (answer, context, asked) => {
      for (const { onAnswer } of listeners) onAnswer?.(answer, context, asked);
    },
  };
}
