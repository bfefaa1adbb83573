/** A text in a normal form. Runs of accents are parted, since the time to sort one grows with the square of its length. */
export function normalize(text: string, form: 'NFD' | 'NFKC'): string {
  return text.replaceAll(/\p{M}{30}/gu, '$&\u034F').normalize(form);
}
