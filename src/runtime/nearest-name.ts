/**
 * The candidate nearest to a mistyped name, with the number of typing errors between them: a letter too many or too few,
 * a wrong letter, or two letters swapped.
 */
export function nearestName(name: string, names: readonly string[]): { readonly name: string; readonly slips: number } {
  const candidates = names.map((candidate) => ({ name: candidate, slips: countSlips(name, candidate) }));
  return candidates.toSorted((first, second) => first.slips - second.slips)[0] ?? { name: '', slips: Infinity };
}

/** The distance of two texts (optimal string alignment). */
function countSlips(from: string, to: string): number {
  let [beforeLast, last]: [readonly number[], readonly number[]] = [
    [],
    Array.from({ length: to.length + 1 }, (_, at) => at),
  ];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isEqual = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const at = (distances: readonly number[], index: number): number => distances[index] ?? Infinity;
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isEqual ? 0 : 1),
          isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? Infinity;
}
