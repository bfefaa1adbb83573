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

const firsts: readonly number[] = Array.from({ length: maxFirst }, (_, index) => index + 1);

/** The cursors to compare, one of which costs most: one behind each of the first records. */
const cursors: readonly string[] = Array.from({ length: 2 * maxFirst }, (_, index) => {
  const binding = '-'.repeat(10);
  const token = { token: null, size: maxFirst, index: index % maxFirst };
  return [writeCursor(binding, undefined, { index }), writeCursor(binding, undefined, token)];
}).flat();

/** The same costs, but an unknown `first` or cursor costs as much as the most expensive one. */
export function withAnyCursor({ fields, entities }: FieldCosts): FieldCosts {
  const greatest = (worstCase: (slice: Slice) => WorstCase) => {
    // The candidates of one variable are compared while the slices stay the same.
    const cache = new Map<string, WorstCase>();
    return (slice: Slice): WorstCase => {
      if (!(slice.first === anyFirst || slice.after === anyCursor)) return worstCase(slice);
      const key = `${slice.first} ${JSON.stringify(slice.after)}`;
      const cost = cache.get(key) ?? highestCost(worstCase, slice);
      cache.set(key, cost);
      return cost;
    };
  };
  const withGreatest = [...fields].map(
    ([name, { operation, worstCase }]) => [name, { operation, worstCase: greatest(worstCase) }] as const,
  );
  return { fields: new Map(withGreatest), entities };
}

function highestCost(worstCase: (slice: Slice) => WorstCase, slice: Slice): WorstCase {
  const candidates = slicesOf(slice).map(worstCase);
  return {
    calls: Math.max(...candidates.map(({ calls }) => calls)),
    records: Math.max(...candidates.map(({ records }) => records)),
  };
}

/** Behind a known cursor, a smaller page may cost more than the greatest: its window may begin inside a page. */
function slicesOf({ first, after }: Slice): readonly Slice[] {
  if (after !== anyCursor) return firsts.map((count) => ({ first: count, after }));
  const count = first === anyFirst ? maxFirst : first;
  return [undefined, ...cursors].map((cursor) => ({ first: count, after: cursor }));
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
