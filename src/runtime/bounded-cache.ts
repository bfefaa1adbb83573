/** Values by their texts; the oldest go when the texts become too long together. */
export function createLatest<Value>(maxCharacters: number) {
  const values = new Map<string, Value>();
  let characters = 0;
  return {
    get: (text: string): Value | undefined => values.get(text),
    add: (text: string, value: Value): void => {
      if (values.has(text) || text.length > maxCharacters) return;
      values.set(text, value);
      characters += text.length;
      for (const oldest of values.keys()) {
        if (characters <= maxCharacters) return;
        values.delete(oldest);
        characters -= oldest.length;
      }
    },
  };
}
