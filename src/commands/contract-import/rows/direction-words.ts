/** Words of a transaction's type, as the rows `transaction.creditWords` and `transaction.debitWords` take them. */
export interface DirectionWords {
  readonly credit: readonly string[];
  readonly debit: readonly string[];
}

type Side = keyof DirectionWords;

const sides: Readonly<Record<Side, RegExp>> = {
  credit: /^(?:credit(?:s|ed)?|crdt|cr|deposit(?:s|ed)?|in|in(?:flow|bound|coming|ward)s?|received|topup|cashin)$/,
  debit: /^(?:debit(?:s|ed)?|dbit|dr|withdraw(?:als?|n)?|out|out(?:flow|bound|going|ward)s?|sent|cashout)$/,
};
/** Words that do not change a direction, unlike "reversal" in "credit reversal", or "fee". */
const neutral =
  /^(?:wallet|account|bank|virtual|transfer|transaction|trx|customer|internal|external|manual|cash|money|funds?|pay)$/;

/**
 * Adds the words of types whose direction is certain. `unsure`: types without a certain direction, and those that the
 * words would misread. `isUsualOnly`: words that only this service has are not added.
 */
export function addDirectionWords(
  words: DirectionWords,
  types: readonly string[],
  { isUsualOnly }: { readonly isUsualOnly: boolean },
): DirectionWords & { readonly unsure: readonly string[] } {
  const unclear = new Set(types.filter((type) => sideOf(type) === undefined).flatMap(spokenIn));
  const add = (side: Side): readonly string[] => {
    const missed = types.filter(
      (type) => sideOf(type) === side && !spokenIn(type).some((word) => words[side].includes(word)),
    );
    const added = missed.flatMap((type) => {
      const spoken = spokenIn(type);
      // "walletCredit" is one word to the gateway, which ignores letter case.
      return spoken.length === 1 && !isUsualOnly ? spoken : spoken.filter((word) => sides[side].test(word));
    });
    return [...new Set([...words[side], ...added.filter((word) => !unclear.has(word))])];
  };
  const result = { credit: add('credit'), debit: add('debit') };
  const read = (type: string): Side | undefined => {
    const [isCredit, isDebit] = [result.credit, result.debit].map((list) =>
      spokenIn(type).some((word) => list.includes(word)),
    );
    if (isCredit === isDebit) return undefined;
    return isCredit === true ? 'credit' : 'debit';
  };
  return { ...result, unsure: types.filter((type) => sideOf(type) === undefined || read(type) !== sideOf(type)) };
}

/** The words that the gateway finds in a type. */
function spokenIn(type: string): readonly string[] {
  return type
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** The direction that a type means for certain: one word says it, and every other word is neutral. */
function sideOf(type: string): Side | undefined {
  const others = spokenIn(type.replaceAll(/([a-z])([A-Z])/g, '$1 $2')).filter((word) => !neutral.test(word));
  const [side, second] = (['credit', 'debit'] as const).filter((each) => others.some((word) => sides[each].test(word)));
  const isCertain = side !== undefined && second === undefined && others.every((word) => sides[side].test(word));
  return isCertain ? side : undefined;
}
