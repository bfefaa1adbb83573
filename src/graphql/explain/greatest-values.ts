import { Kind, type OperationDefinitionNode, type TypeNode } from 'graphql';
import type { Slice, WorstCase } from '../../upstream/operation.ts';
import { writeCursor } from '../../upstream/paging/cursor.ts';
import { maxFirst } from '../../upstream/paging/list.ts';
import type { Values } from '../limits/selection-cost.ts';
import type { FieldCosts } from '../resolvers/field-costs.ts';

/** Value of a `first` that is not known. */
const anyFirst = Infinity;
/** Value of a cursor that is not known. */
const anyCursor = 'any';

/** The cursor that costs most: inside a page of a walk that began with a single record. */
const greatestCursor = writeCursor('-'.repeat(10), { key: { at: '1', before: 0 }, skip: 1, asked: 1 });

/** The same costs, but an unknown `first` or cursor costs as much as the most expensive one. */
export function withAnyCursor({ fields, entities }: FieldCosts): FieldCosts {
  const greatest =
    (worstCase: (slice: Slice) => WorstCase) =>
    ({ first, after }: Slice): WorstCase =>
      worstCase({ first: first === anyFirst ? maxFirst : first, after: after === anyCursor ? greatestCursor : after });
  const withGreatest = [...fields].map(
    ([name, { operation, worstCase }]) => [name, { operation, worstCase: greatest(worstCase) }] as const,
  );
  return { fields: new Map(withGreatest), entities };
}

/** The types that references may have, and the maximum number of references. */
interface References {
  readonly types: readonly string[];
  readonly maximum: number;
}

/**
 * Gives each variable without a value its most expensive one: any count, any cursor, references of the most expensive
 * type. Types are compared once all variables have a value, since the counts and cursors below a reference decide which
 * type costs most.
 */
export function fillGreatest(
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Values,
  references: References,
  total: (values: Values) => number,
): Values {
  const openVariables = variableDefinitions
    .map(({ variable, type }) => ({ name: variable.name.value, candidates: candidatesFor(type, references) }))
    .filter(({ name }) => values[name] === undefined);
  const initial = openVariables.map(({ name, candidates: [first] }) => [name, first]);
  const filled: Record<string, unknown> = Object.assign(Object.create(null), values, Object.fromEntries(initial));
  for (const { name, candidates } of openVariables) {
    const totals = candidates.map((candidate) => {
      filled[name] = candidate;
      return total(filled);
    });
    filled[name] = candidates[totals.indexOf(Math.max(...totals))];
  }
  return filled;
}

function candidatesFor(type: TypeNode, references: References): readonly unknown[] {
  if (type.kind === Kind.NON_NULL_TYPE) return candidatesFor(type.type, references);
  if (type.kind === Kind.LIST_TYPE) {
    return references.types.map((name) => Array.from({ length: references.maximum }, () => ({ __typename: name })));
  }
  const { types } = references;
  const candidates: Readonly<Record<string, readonly unknown[]>> = {
    Int: [anyFirst],
    // A literal reference may take its `__typename` from a variable.
    String: [anyCursor, ...types],
    ID: types,
    _Any: types.flatMap((name) => [{ __typename: name }, name]),
  };
  return candidates[type.name.value] ?? [];
}
