import type {
  FieldNode,
  GraphQLAbstractType,
  GraphQLError,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLLeafType,
  GraphQLObjectType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { Fragments } from '../collect-fields.ts';

/** Coerced variables, or coerced arguments of one field, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Throws where graphql-js would report an error: the query is then left to graphql-js, which words it. */
export type Reader<Result> = (variables: Values) => Result;

/** The path to a value, linked from its end: field names and list indexes. */
export type Path = GraphQLResolveInfo['path'];

/** The selection on one object type, with conditions and fragments resolved. */
export type ObjectPlan = readonly FieldPlan[];

export interface FieldPlan {
  /** The name in the response: the alias, or else the field's name. */
  readonly responseName: string;
  /** The property of the source object that holds the value of a field without a resolver. */
  readonly property: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
  /** The value of `__typename`; undefined for every other field. */
  readonly constant: string | undefined;
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  /** Index of the field's arguments in the list that `readArguments` returns. */
  readonly argumentIndex: number;
  readonly value: ValuePlan;
}

/** How a resolved value is completed. Exactly one of `leaf`, `item`, `object` and `abstract` is set. */
export interface ValuePlan {
  readonly isNonNull: boolean;
  readonly leaf: GraphQLLeafType | undefined;
  /** Whether the leaf serializes every string as itself, so that `serialize` need not be called. */
  readonly isText: boolean;
  readonly item: ValuePlan | undefined;
  readonly object: ObjectPlan | undefined;
  readonly abstract: AbstractPlan | undefined;
}

export interface AbstractPlan {
  readonly type: GraphQLAbstractType;
  readonly objects: ReadonlyMap<string, ObjectPlan>;
}

/** A query as it runs under certain values of its `@skip` and `@include` variables. */
export interface OperationPlan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly root: ObjectPlan;
  /** The arguments of all fields, by `argumentIndex`. Throws where a variable holds a value that an argument refuses. */
  readonly readArguments: (variables: Values) => readonly Values[];
}

export interface ExecutionResult {
  /** Undefined where nothing was executed. */
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLError[];
}

/** One run of a plan. */
export interface Execution {
  readonly plan: OperationPlan;
  readonly context: unknown;
  readonly variables: Values;
  readonly args: readonly Values[];
  readonly errors: GraphQLError[];
  /** Response paths already nulled by an error. Later errors at or below such a path are dropped (GraphQL 6.4.4). */
  nulledPaths: Set<string> | undefined;
  /** Characters written so far: response names and texts; an upper bound of other values. */
  length: number;
  /** Number of nullable values still awaited. */
  pending: number;
  /** Called when the last of them has arrived. */
  resolve: (result: ExecutionResult) => void;
  data: unknown;
}
