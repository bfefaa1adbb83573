/** A refusal of a write, as `userErrors` have it. */
export interface UserError {
  /** The path of the input at fault, such as `["input", "nin"]`. */
  readonly field?: readonly string[] | null;
  readonly message: string;
}

/** Sorts refusals by a form's inputs: the sentence of each input at fault, and those of no input of the form. */
export function fieldErrors<Name extends string>(userErrors: readonly UserError[], names: readonly Name[]) {
  const fields: Partial<Record<Name, string>> = {};
  const others: string[] = [];
  for (const { field, message } of userErrors) {
    const name = names.find((name) => name === field?.[1]);
    if (name === undefined) others.push(message);
    else fields[name] = [fields[name] ?? [], message].flat().join(' ');
  }
  return { fields, others };
}
