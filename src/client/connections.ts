/** A connection as Apollo Client's cache keeps it, of which a document may have selected any part. */
interface CachedConnection {
  readonly edges?: readonly CachedEdge[];
  readonly nodes?: readonly unknown[];
  readonly pageInfo?: CachedPageInfo;
  /** Ours: how many records stand before the place behind each known cursor. */
  readonly offsets?: Readonly<Record<string, number>>;
}

interface CachedEdge {
  readonly cursor?: unknown;
}

interface CachedPageInfo {
  readonly endCursor?: unknown;
  readonly hasNextPage?: unknown;
}

/** The part of Apollo Client's `FieldPolicy` that is used here. */
export interface ConnectionPolicy {
  readonly keyArgs: readonly string[] | false;
  readonly merge: (
    existing: CachedConnection | undefined,
    incoming: CachedConnection,
    options: { readonly args: Readonly<Record<string, unknown>> | null },
  ) => CachedConnection;
}

/**
 * One list per combination of filters; each page goes behind the cursor that it was asked after, for `edges` and `nodes`
 * alike. A page that came before replaces itself and what followed it; a first page, or one after an unknown cursor, starts
 * the list anew, so that no list has a gap or a record twice.
 */
export function connectionPolicy(filters: readonly string[]): ConnectionPolicy {
  return {
    keyArgs: filters.length === 0 ? false : filters,
    merge: (existing, incoming, { args }) => {
      const after = args?.['after'];
      const offset = typeof after === 'string' ? existing?.offsets?.[after] : undefined;
      return existing === undefined || offset === undefined
        ? { ...incoming, offsets: offsetsOf(incoming, 0) }
        : append(existing, offset, incoming);
    },
  };
}

function append(existing: CachedConnection, offset: number, incoming: CachedConnection): CachedConnection {
  const { edges: _edges, nodes: _nodes, pageInfo: _pageInfo, ...rest } = { ...existing, ...incoming };
  const edges = join(existing.edges, offset, incoming.edges);
  const nodes = join(existing.nodes, offset, incoming.nodes);
  const pageInfo = span(existing.pageInfo, incoming.pageInfo);
  const before = Object.entries(existing.offsets ?? {}).filter(([, count]) => count <= offset);
  return {
    ...rest,
    ...(edges === undefined ? {} : { edges }),
    ...(nodes === undefined ? {} : { nodes }),
    ...(pageInfo === undefined ? {} : { pageInfo }),
    offsets: { ...Object.fromEntries(before), ...offsetsOf(incoming, offset) },
  };
}

/** Undefined where a page lacks this list: half of it would look like all of it. */
function join<Entry>(
  existing: readonly Entry[] | undefined,
  offset: number,
  incoming: readonly Entry[] | undefined,
): readonly Entry[] | undefined {
  if (existing === undefined || incoming === undefined) return undefined;
  return [...existing.slice(0, offset), ...incoming];
}

/** From the start of the first page to the end of the last. */
function span(first: CachedPageInfo | undefined, last: CachedPageInfo | undefined): CachedPageInfo | undefined {
  if (first === undefined || last === undefined) return undefined;
  const { endCursor: _endCursor, hasNextPage: _hasNextPage, ...start } = first;
  return { ...last, ...start };
}

function offsetsOf({ edges, nodes, pageInfo }: CachedConnection, offset: number): Readonly<Record<string, number>> {
  const cursors = (edges ?? []).map(({ cursor }, index) => [cursor, offset + index + 1]);
  const size = (edges ?? nodes)?.length;
  const end = size === undefined ? [] : [[pageInfo?.endCursor, offset + size]];
  return Object.fromEntries([...cursors, ...end].filter(([cursor]) => typeof cursor === 'string'));
}
