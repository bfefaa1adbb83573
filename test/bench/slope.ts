/** By how much something grows in a minute, after the least squares. */
export function slope(points: readonly { readonly minutes: number; readonly value: number }[]): number {
  const mean = (numbers: readonly number[]): number =>
    numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [x, y] = [mean(points.map(({ minutes }) => minutes)), mean(points.map(({ value }) => value))];
  const above = points.reduce((sum, { minutes, value }) => sum + (minutes - x) * (value - y), 0);
  return above / points.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0);
}
