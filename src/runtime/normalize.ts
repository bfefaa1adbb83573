/** A text in a Unicode normal form. Long runs of combining marks are split: sorting one takes time by the square of its length. */
export function normalize(text: string, form: 'NFD' | 'NFKC'): string {
  return text.replaceAll(/[\p{M}\uFF9E\uFF9F]{30}/gu, '$&\u034F').normalize(form);
}
