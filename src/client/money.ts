/** `Money` of the schema: the amount as decimal text, the currency as its ISO 4217 code. */
export interface MoneyValue {
  readonly amount: string;
  readonly currency: string;
}

/**
 * Formats an amount for people in a locale, exact to its last digit: the text goes to `Intl.NumberFormat` as it is and
 * keeps its digits, also where the locale data gives the currency other ones. `signDisplay: 'always'` shows a plus too.
 * A text that is no amount, and a currency that is no code of three letters, are shown as they are.
 */
export function formatMoney(
  { amount, currency }: MoneyValue,
  locale?: string | readonly string[],
  signDisplay: 'auto' | 'always' | 'exceptZero' | 'never' = 'auto',
): string {
  const [, fraction] = /^-?\d+(?:\.(\d+))?$/.exec(amount) ?? [amount, null];
  if (fraction === null || !/^[a-z]{3}$/i.test(currency)) return `${amount} ${currency}`;
  const options = { minimumFractionDigits: fraction?.length ?? 0, signDisplay } as const;
  const format = new Intl.NumberFormat(locale as string[], { style: 'currency', currency, ...options });
  return format.format(amount as unknown as number); // text is taken as well, and keeps what a number would round
}
