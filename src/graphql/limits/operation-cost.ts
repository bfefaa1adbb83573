import { valueFromASTUntyped, type OperationDefinitionNode } from 'graphql';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { leftOutBy } from '../collect-fields.ts';
import { createVariants, type Variants } from '../execution/variants.ts';
import type { ResolvedOperation } from '../operation-listener.ts';
import { compileCost, readCosts, type CompiledCost, type Values } from './selection-cost.ts';

/** The cost of an operation, known before anything is sent. */
interface OperationCost {
  readonly representations: number;
  /** Whether it selects `_entities`. */
  readonly readsEntities: boolean;
  /** Calls to the service at worst. Takes time for each reference: call it after their number was checked. */
  readonly estimate: () => number;
  /** The answer to its `_entities` fields when each entity is null. */
  readonly nullEntities: () => Readonly<Record<string, readonly null[]>>;
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
      estimate: () => readCosts(terms, values).reduce((sum, { calls }) => sum + calls, 0),
      nullEntities: () =>
        Object.fromEntries(references.map(({ responseName, read }) => [responseName, read(values).map(() => null)])),
    };
  };
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
