/** A refusal of a write, as `userErrors` have it. */
export interface UserError {
  /** The path of the input at fault, such as `["input", "nin"]`. */
  readonly field?: readonly string[] | null;
  readonly message: string;
}

/** Sorts refusals by a form's inputs: the sentence of each input at fault, and those of no input of the form. */
export function fieldErrors<Name extends string>(userErrors: readonly UserError[], names: readonly Name[]) {
  const byName = new Map<Name, string>();
  const others: string[] = [];
  for (const { field, message } of userErrors) {
    const name = names.find((name) => name === field?.[1]);
    if (name === undefined) others.push(message);
    else byName.set(name, [byName.get(name) ?? [], message].flat().join(' '));
  }
  const fields: Readonly<Partial<Record<Name, string>>> = Object.fromEntries(byName) as Partial<Record<Name, string>>; // of a form's names
  return { fields, others };
}
