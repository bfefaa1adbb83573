/** `settlement-graph/client/look-up`: what became of a write of unknown outcome. */
import type { PendingWrite } from './pending-entry.ts';

/** A page of the list that is looked through, and the error of the client. */
export interface LookUpPage<Node> {
  readonly list?: {
    readonly nodes: readonly (Node | null)[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
  } | null;
  readonly error?: unknown;
}

export type LookUpResult<Node> =
  /** The write was done, and this is its record. */
  | { readonly is: 'found'; readonly record: Node }
  /** The whole list was read, and no record has the values so far. The write may still be on its way. */
  | { readonly is: 'missing' }
  /** Not every record of the list could be read, or there are too many. */
  | { readonly is: 'unclear'; readonly error: unknown };

/** A list that goes on is looked through no further. */
const maxPages = 50;

/**
 * Looks in a list, page by page, for the record whose fields equal all `values`, such as those of an unknown result. The
 * comparison is exact: a search finds similar records too.
 */
export async function lookUp<Node extends object>(
  values: PendingWrite['values'],
  readPage: (after: string | null) => Promise<LookUpPage<Node>>,
): Promise<LookUpResult<Node>> {
  const expected = Object.entries(values);
  if (expected.length === 0) return { is: 'unclear', error: undefined };
  const valueOf = (node: Node | null, name: string): unknown =>
    (node as Readonly<Record<string, unknown>> | null)?.[name]; // any field
  let isReadable = true;
  let after: string | null = null;
  try {
    for (let page = 0; page < maxPages; page += 1) {
      const { list, error }: LookUpPage<Node> = await readPage(after);
      if (list == null) return { is: 'unclear', error };
      const { nodes, pageInfo } = list;
      const record = nodes.find((node) => expected.every(([name, value]) => String(valueOf(node, name)) === value));
      if (record != null) return { is: 'found', record };
      isReadable &&= nodes.every((node) => expected.every(([name]) => valueOf(node, name) != null));
      if (!pageInfo.hasNextPage) return isReadable ? { is: 'missing' } : { is: 'unclear', error };
      if (pageInfo.endCursor == null) break;
      after = pageInfo.endCursor;
    }
    return { is: 'unclear', error: undefined };
  } catch (error) {
    return { is: 'unclear', error };
  }
}
