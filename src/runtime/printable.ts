/**
 * Text of a foreign file as a terminal may show it: control, format and unassigned characters become `\uXXXX`, as JSON
 * spells them. Line ends and tabs stay.
 */
export function toPrintable(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => toEscape(character.charCodeAt(index))).join(''),
  );
}

function toEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
