import { checkRow } from '../../contract/contract.ts';

/** What a sample or a file says of a row: its value, or what a person must decide. */
export type Proposal =
  | { readonly row: string; readonly value: unknown }
  | { readonly row: string; readonly question: string };

/** A row that adds to the graph as a question; nothing where the graph refuses it. */
export function offer(row: string, value: object, remark = ''): readonly Proposal[] {
  if (checkRow(row, value).faults.length > 0) return [];
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${JSON.stringify(inner)}`);
  return [{ row, question: `{ ${members.join(', ')} }${remark}` }];
}

export function toCamelCase(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, letter?: string) => (letter ?? '').toUpperCase());
}
