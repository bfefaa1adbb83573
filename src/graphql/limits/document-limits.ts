import {
  GraphQLError,
  Kind,
  type ASTVisitor,
  type DocumentNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { GatewayError, type LimitName } from '../../domain/errors.ts';

/** Maximum sizes of a document, and of the characters and errors in its answer. A setting limits its references. */
export const limits: Readonly<Record<Exclude<LimitName, 'representations'>, number>> = {
  length: 32 * 1024,
  lines: 4_000,
  tokens: 1_000,
  depth: 12,
  aliases: 50,
  rootFields: 20,
  directives: 20,
  answerLength: 16 * 1024 * 1024,
  errors: 10_000,
};

export const maxValidationErrors = 10;

/** Each error of a variable prints its whole object, which may have tens of thousands of fields that the schema lacks. */
export const maxCoercionErrors = 5;

export function limitError(limit: LimitName, maximum: number): GatewayError {
  const message = `The request exceeds this gateway's limit of ${maximum} for ${limit}. Make it smaller.`;
  return new GatewayError('LIMIT_EXCEEDED', { limit, maximum }, { message });
}

/** The error of a text that is too long, in bytes or in lines; it is not parsed. */
export function findTextExcess(text: string): GatewayError | undefined {
  if (Buffer.byteLength(text) > limits.length) return limitError('length', limits.length);
  return text.split(/\r\n|[\n\r]/).length > limits.lines ? limitError('lines', limits.lines) : undefined;
}

/**
 * The size of a selection with fragments inlined: a fragment that is spread twenty times counts twenty times.
 * `rootFields` counts the fields at its top level.
 */
type Size = Readonly<Record<'depth' | 'aliases' | 'directives' | 'rootFields', number>>;

const emptySize: Size = { depth: 0, aliases: 0, directives: 0, rootFields: 0 };

/** Validation rule: refuses a document over a limit, for the first that it exceeds, and lets no other rule see it. */
export function documentLimits(context: ValidationContext): ASTVisitor {
  return {
    Document: (document) => {
      const error = findExcess(document, context);
      if (error === undefined) return undefined;
      context.reportError(new GraphQLError(error.message, { originalError: error }));
      return { ...document, definitions: [] };
    },
  };
}

/**
 * Each fragment is measured once, so that documents that would expand to billions of fields take no longer. Introspection
 * counts as one level, since graphql-js has a rule for its depth.
 */
function findExcess({ definitions }: DocumentNode, context: ValidationContext): GatewayError | undefined {
  const fragments = new Map<string, Size>();
  const measureFragment = (name: string): Size => {
    const cached = fragments.get(name);
    if (cached !== undefined) return cached;
    fragments.set(name, emptySize); // ends recursion; validation refuses a fragment within itself anyway
    const size = measureSet(context.getFragment(name)?.selectionSet, measureFragment);
    fragments.set(name, size);
    return size;
  };
  for (const operation of definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = measureSet(operation.selectionSet, measureFragment);
    const nodes = [operation, ...(operation.variableDefinitions ?? [])];
    const directives = size.directives + nodes.reduce((sum, node) => sum + (node.directives?.length ?? 0), 0);
    for (const [limit, count] of Object.entries({ ...size, directives }) as [keyof Size, number][]) {
      if (count > limits[limit]) return limitError(limit, limits[limit]);
    }
  }
  return undefined;
}

type MeasureFragment = (name: string) => Size;

function measureSet(set: SelectionSetNode | undefined, measureFragment: MeasureFragment): Size {
  return (set?.selections ?? []).reduce((sum, selection) => {
    const size = measureSelection(selection, measureFragment);
    return {
      depth: Math.max(sum.depth, size.depth),
      aliases: sum.aliases + size.aliases,
      directives: sum.directives + size.directives + (selection.directives?.length ?? 0),
      rootFields: sum.rootFields + size.rootFields,
    };
  }, emptySize);
}

function measureSelection(selection: SelectionNode, measureFragment: MeasureFragment): Size {
  if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
  const below = measureSet(selection.selectionSet, measureFragment);
  if (selection.kind === Kind.INLINE_FRAGMENT) return below;
  const isIntrospection = selection.name.value === '__schema' || selection.name.value === '__type';
  return {
    depth: isIntrospection ? 1 : below.depth + 1,
    aliases: below.aliases + (selection.alias === undefined ? 0 : 1),
    directives: below.directives,
    rootFields: 1,
  };
}

/** LIMIT_EXCEEDED where a parse error means that the document has too many tokens, which graphql-js says in its message. */
export function tokenLimitError(error: unknown): GatewayError | undefined {
  const { message = '' } = error as Partial<GraphQLError>; // by shape, since graphql may be installed twice
  const isOver = /^Syntax Error: Document contains more tha[nt] \d+ tokens/.test(message);
  return isOver ? limitError('tokens', limits.tokens) : undefined;
}
