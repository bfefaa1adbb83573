/** A text in a normal form. Runs of what becomes accents are parted: to sort one takes the square of its length in time. */
export function normalize(text: string, form: 'NFD' | 'NFKC'): string {
  return text.replaceAll(/[\p{M}\uFF9E\uFF9F]{30}/gu, '$&\u034F').normalize(form);
}
