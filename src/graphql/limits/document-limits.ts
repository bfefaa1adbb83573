import {
  getLocation,
  GraphQLError,
  Kind,
  Lexer,
  TokenKind,
  type ASTNode,
  type ASTVisitor,
  type SelectionNode,
  type SelectionSetNode,
  type Source,
  type ValidationContext,
} from 'graphql';
import { GatewayError, type LimitName } from '../../domain/errors.ts';

/** Maximum sizes of a document, and of the errors in its answer. Settings limit its references and its answer's length. */
export const limits: Readonly<Record<Exclude<LimitName, 'representations' | 'answerLength'>, number>> = {
  tokens: 2_000,
  lines: 4_000,
  depth: 12,
  aliases: 50,
  aliasLength: 100,
  rootFields: 20,
  directives: 20,
  errors: 10_000,
};

/** Characters that aliases may add to an answer: for each allowed call twice a full page with all fields of its records. */
export function maxAnswerLength(maxUpstreamCalls: number): number {
  return Math.max(maxUpstreamCalls * 100_000, 20_000_000);
}

/** For each error graphql-js counts the lines of the document before it, and again where Apollo wraps the error. */
export const maxValidationErrors = 10;

/** Each error of a variable prints its whole object, which may have tens of thousands of fields that the schema lacks. */
export const maxCoercionErrors = 5;

export function limitError(limit: LimitName, maximum: number): GatewayError {
  const message = `The request exceeds this gateway's limit of ${maximum} for ${limit}. Make it smaller.`;
  return new GatewayError('LIMIT_EXCEEDED', { limit, maximum }, { message });
}

/** Limits not on a selection: the parser counts tokens, the rule below lines, the executor errors, the gate the others. */
type MeasuredElsewhere = 'tokens' | 'lines' | 'representations' | 'answerLength' | 'errors';

/**
 * The size of a selection with fragments inlined: a fragment that is spread twenty times counts twenty times.
 * `rootFields` counts the fields at its top level. A new limit does not compile until it is measured.
 */
type Size = Readonly<Record<Exclude<LimitName, MeasuredElsewhere>, number>>;

const emptySize: Size = { depth: 0, aliases: 0, aliasLength: 0, directives: 0, rootFields: 0 };

/**
 * Validation rule: refuses documents over a limit. Each fragment is measured once, so that documents that would expand to
 * billions of fields take no longer. Introspection counts as one level, since graphql-js has a rule for its depth.
 */
export function documentLimits(context: ValidationContext): ASTVisitor {
  const fragments = new Map<string, Size>();
  const measureFragment = (name: string): Size => {
    const cached = fragments.get(name);
    if (cached !== undefined) return cached;
    fragments.set(name, emptySize); // ends recursion; validation refuses a fragment within itself anyway
    const size = measureSet(context.getFragment(name)?.selectionSet, measureFragment);
    fragments.set(name, size);
    return size;
  };
  const report = (limit: LimitName, maximum: number, nodes: readonly ASTNode[]): void => {
    const error = limitError(limit, maximum);
    context.reportError(new GraphQLError(error.message, { nodes, originalError: error }));
  };
  return {
    // At the document's start, so before the errors of other rules: validation ends after ten errors.
    Document: ({ loc, definitions }) => {
      // graphql-js counts the lines again for each error, also while it executes.
      const lines = loc === undefined ? 1 : getLocation(loc.source, loc.end).line;
      if (lines > limits.lines) report('lines', limits.lines, []);
      for (const operation of definitions) {
        if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
        const size = measureSet(operation.selectionSet, measureFragment);
        const nodes = [operation, ...(operation.variableDefinitions ?? [])];
        const directives = size.directives + nodes.reduce((sum, node) => sum + (node.directives?.length ?? 0), 0);
        for (const [limit, count] of Object.entries({ ...size, directives }) as [keyof Size, number][]) {
          if (count > limits[limit]) report(limit, limits[limit], [operation]);
        }
      }
    },
  };
}

type MeasureFragment = (name: string) => Size;

function measureSet(set: SelectionSetNode | undefined, measureFragment: MeasureFragment): Size {
  return (set?.selections ?? []).reduce((sum, selection) => {
    const size = measureSelection(selection, measureFragment);
    return {
      depth: Math.max(sum.depth, size.depth),
      aliases: sum.aliases + size.aliases,
      aliasLength: Math.max(sum.aliasLength, size.aliasLength),
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
    aliasLength: Math.max(below.aliasLength, selection.alias?.value.length ?? 0),
    directives: below.directives,
    rootFields: 1,
  };
}

/**
 * LIMIT_EXCEEDED where a parse error means that the document has too many tokens. graphql-js says so only in the message,
 * so the tokens up to the error's position are counted.
 */
export function tokenLimitError(error: unknown): GatewayError | undefined {
  const { extensions, source, positions } = error as Partial<GraphQLError>; // by shape, since graphql may be installed twice
  const position = positions?.[0];
  if (extensions?.['code'] !== 'GRAPHQL_PARSE_FAILED' || source === undefined || position === undefined)
    return undefined;
  return countTokens(source, position) > limits.tokens ? limitError('tokens', limits.tokens) : undefined;
}

/** The number of tokens that begin at or before a position; counting stops at an invalid token. */
function countTokens(source: Source, position: number): number {
  const lexer = new Lexer(source);
  let count = 0;
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF && token.start <= position; token = lexer.advance())
      count += 1;
  } catch {
    return count;
  }
  return count;
}

/**
 * The message of a validation error for clients. graphql-js compares fields of one name pair by pair, and gives up after
 * 500,000 steps with a message that says neither why nor what to do.
 */
export function toPlainMessage(message: string): string {
  if (message !== 'Validation aborted.') return message;
  return 'The document selects fields of one name too often to compare them. Select each field once in a selection.';
}
