import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { conditionsOf, fragmentsOf, type Fragments } from '../collect-fields.ts';

/** Variants kept for one operation. */
const maxVariants = 64;

/** The compiled forms of one operation: a variant for each combination of the variables in `@skip` and `@include`. */
export interface Variants<Variant> {
  readonly fragments: Fragments;
  readonly conditions: readonly string[];
  /** The variant under these variables, compiled at its first use. */
  readonly get: (variables: Readonly<Record<string, unknown>>, compile: () => Variant) => Variant;
}

export function createVariants<Variant>(document: DocumentNode, operation: OperationDefinitionNode): Variants<Variant> {
  const fragments = fragmentsOf(document);
  const conditions = conditionsOf(operation, fragments);
  const variants = new Map<string, Variant>();
  const get: Variants<Variant>['get'] = (variables, compile) => {
    const key = conditions.map((name) => (variables[name] === true ? '1' : '0')).join('');
    const cached = variants.get(key);
    if (cached !== undefined) return cached;
    if (variants.size >= maxVariants) variants.clear();
    const variant = compile();
    variants.set(key, variant);
    return variant;
  };
  return { fragments, conditions, get };
}
