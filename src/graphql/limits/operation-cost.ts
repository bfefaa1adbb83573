import { valueFromASTUntyped, type OperationDefinitionNode } from 'graphql';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { leftOutBy } from '../collect-fields.ts';
import { createVariants, type Variants } from '../execution/variants.ts';
import type { ResolvedOperation } from '../operation-listener.ts';
import { noCall, type WorstCase } from '../../upstream/operation.ts';
import { compileCost, readCosts, type CompiledCost, type CostTerm, type Values } from './selection-cost.ts';

/** The cost of an operation, known before anything is sent. */
interface OperationCost {
  readonly representations: number;
  /** Whether it selects `_entities`. */
  readonly readsEntities: boolean;
  /** Takes time for each reference: call it after their number was checked. */
  readonly estimate: () => Estimate;
  /** The answer to its `_entities` fields when each entity is null. */
  readonly nullEntities: () => Readonly<Record<string, readonly null[]>>;
}

/** The worst case of an operation. */
interface Estimate {
  /** Calls to the service. */
  readonly calls: number;
  /** The maximum number of references with this selection that stays within a limit of calls. */
  readonly countAccepted: (maximumCalls: number) => number;
}

export type ReadCost = (resolved: ResolvedOperation) => OperationCost;

/** The parts that do not depend on an operation's variables. They live as long as the document. */
interface Prepared {
  readonly defaults: Values;
  readonly variants: Variants<CompiledCost>;
}

/**
 * Creates the function that estimates costs. What depends on the document alone is compiled once; a request then reads
 * only the variables that slice its lists.
 */
export function createCostReader(costs: FieldCosts): ReadCost {
  const preparedOperations = new WeakMap<OperationDefinitionNode, Prepared>();
  return ({ schema, document, operation, variables }) => {
    const prepared: Prepared = preparedOperations.get(operation) ?? {
      defaults: defaultsOf(operation),
      variants: createVariants(document, operation),
    };
    preparedOperations.set(operation, prepared);
    const { defaults, variants } = prepared;
    const values = valuesOf(defaults, variables);
    const { terms, references } = variants.get(values, () => {
      const isLeftOut = leftOutBy(values);
      return compileCost({ schema, fragments: variants.fragments, isLeftOut }, costs, operation);
    });
    return {
      representations: references.reduce((sum, { read }) => sum + read(values).length, 0),
      readsEntities: references.length > 0,
      estimate: () => toEstimate(terms, values),
      nullEntities: () =>
        Object.fromEntries(references.map(({ responseName, read }) => [responseName, read(values).map(() => null)])),
    };
  };
}

function toEstimate(terms: readonly CostTerm[], values: Values): Estimate {
  const worstCases = readCosts(terms, values);
  const estimated = worstCases.reduce((sum, { calls }) => sum + calls, 0);
  return {
    calls: estimated,
    countAccepted: (maximumCalls) => {
      const ofEntities = entityCosts(terms, worstCases);
      const others = estimated - ofEntities.reduce((sum, { calls }) => sum + calls, 0);
      const mostCalls = Math.max(...ofEntities.map(({ calls, records }) => calls / Math.max(records, 1)));
      return Math.max(0, Math.floor((maximumCalls - others) / mostCalls));
    },
  };
}

/** Calls and number of the references in each `_entities` selection, with the calls of everything selected below. */
function entityCosts(terms: readonly CostTerm[], worstCases: readonly WorstCase[]): readonly WorstCase[] {
  const sums = new Map<CostTerm, WorstCase>();
  for (const term of terms) {
    let root = term;
    while (root.parent !== undefined) root = root.parent;
    const { calls } = worstCases[term.index] ?? noCall;
    const { records } = worstCases[root.index] ?? noCall;
    if (root.path[0] === '_entities') sums.set(root, { calls: (sums.get(root)?.calls ?? 0) + calls, records });
  }
  return [...sums.values()];
}

/** The defaults of an operation's variables; undefined for those without one. */
export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Values {
  return Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && valueFromASTUntyped(defaultValue),
    ]),
  );
}

/** The values of the operation's own variables. A request may carry any number of others: they are not copied. */
export function valuesOf(defaults: Values, variables: Values): Values {
  const values: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(defaults))
    values[name] = Object.hasOwn(variables, name) ? variables[name] : defaults[name];
  return values;
}
