/** The candidate nearest to a mistyped name, with their edit distance; an empty name where there is no candidate. */
export function nearestName(name: string, names: readonly string[]) {
  const candidates = names.map((candidate) => ({ name: candidate, distance: editDistance(name, candidate) }));
  const [nearest] = candidates.toSorted((first, second) => first.distance - second.distance);
  return nearest ?? { name: '', distance: Infinity };
}

/** Edit distance (optimal string alignment): letters inserted, deleted, replaced, or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
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
