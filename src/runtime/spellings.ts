/** A name in snake case, and the same in camel and in Pascal case. */
export function spellings(name: string): readonly string[] {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const pascal = camel.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return [name, camel, pascal];
}
