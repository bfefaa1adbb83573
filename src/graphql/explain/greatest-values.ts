import { Kind, type OperationDefinitionNode, type TypeNode } from 'graphql';
import type { Slice, WorstCase } from '../../upstream/operation.ts';
import { writeCursor } from '../../upstream/paging/cursor.ts';
import type { Values } from '../limits/selection-cost.ts';
import type { FieldCosts } from '../resolvers/field-costs.ts';

const greatestFirst = 100;
/** Stands for any unknown cursor. */
const anyCursor = 'any';

/** The cursors to compare, one of which costs most: one behind each of the first records. */
const cursors: readonly string[] = Array.from({ length: 2 * greatestFirst }, (_, index) => {
  const binding = '-'.repeat(10);
  const token = { kind: 'token', token: null, size: greatestFirst, index: index % greatestFirst } as const;
  return [
    writeCursor(binding, undefined, { kind: 'position', position: index }),
    writeCursor(binding, undefined, token),
  ];
}).flat();

/** The same costs, but an unknown cursor costs as much as the most expensive one. */
export function withAnyCursor({ fields, entities }: FieldCosts): FieldCosts {
  const greatest = (worstCase: (slice: Slice) => WorstCase) => (slice: Slice) =>
    slice.after === anyCursor ? dearest(worstCase, slice) : worstCase(slice);
  const withGreatest = [...fields].map(
    ([name, { operation, worstCase }]) => [name, { operation, worstCase: greatest(worstCase) }] as const,
  );
  return { fields: new Map(withGreatest), entities };
}

function dearest(worstCase: (slice: Slice) => WorstCase, slice: Slice): WorstCase {
  const candidates = [undefined, ...cursors].map((after) => worstCase({ ...slice, after }));
  return {
    calls: Math.max(...candidates.map(({ calls }) => calls)),
    records: Math.max(...candidates.map(({ records }) => records)),
  };
}

/** The types that references may have, and the maximum number of references. */
interface References {
  readonly types: readonly string[];
  readonly maximum: number;
}

/** Gives variables without a value their worst one: counts 100, cursors any, references the most expensive type. */
export function fillGreatest(
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Values,
  references: References,
  total: (values: Values) => number,
): Values {
  let filled = values;
  for (const { variable, type } of variableDefinitions) {
    const name = variable.name.value;
    if (values(name) !== undefined) continue;
    const fill = (value: unknown): Values => {
      const before = filled;
      return (asked) => (asked === name ? value : before(asked));
    };
    const candidates = candidatesFor(type, references).map(fill);
    const [first, ...others] = candidates;
    if (first === undefined) continue;
    filled = others.reduce((dear, candidate) => (total(candidate) > total(dear) ? candidate : dear), first);
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
    Int: [greatestFirst],
    // A literal reference may take its `__typename` from a variable.
    String: [anyCursor, ...types],
    ID: types,
    _Any: types.flatMap((name) => [{ __typename: name }, name]),
  };
  return candidates[type.name.value] ?? [];
}
