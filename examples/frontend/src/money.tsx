interface MoneyProps {
  readonly money: { readonly amount: string; readonly currency: string };
}

/** An amount exactly as it was given: never a number of JavaScript's on the way. */
export function Money({ money: { amount, currency } }: MoneyProps) {
  return (
    <span className="money">
      {currency} {amount}
    </span>
  );
}
