/** A connection in Apollo Client's cache; a document may select any part of it. */
interface CachedConnection {
  readonly edges?: readonly CachedEdge[];
  readonly nodes?: readonly unknown[];
  readonly pageInfo?: CachedPageInfo;
  /** Added here: the number of records up to and including each known cursor. */
  readonly offsets?: Readonly<Record<string, number>>;
}

interface CachedEdge {
  readonly cursor?: unknown;
}

interface CachedPageInfo {
  readonly endCursor?: unknown;
  readonly hasNextPage?: unknown;
}

/** The part of Apollo Client's `FieldPolicy` in use. */
export interface ConnectionPolicy {
  readonly keyArgs: readonly string[] | false;
  readonly merge: (
    existing: CachedConnection | undefined,
    incoming: CachedConnection,
    options: { readonly args: Readonly<Record<string, unknown>> | null },
  ) => CachedConnection;
}

/**
 * Keeps one list for each combination of filters. A page is appended behind its `after` cursor, and replaces all that
 * followed it; a first page, or one after an unknown cursor, replaces the list. No list has a gap or a record twice.
 */
export function createConnectionPolicy(filters: readonly string[]): ConnectionPolicy {
  return {
    keyArgs: filters.length === 0 ? false : filters,
    merge: (existing, incoming, { args }) => {
      const after = args?.['after'];
      const offset = typeof after === 'string' ? existing?.offsets?.[after] : undefined;
      return existing === undefined || offset === undefined
        ? { ...incoming, offsets: toOffsets(incoming, 0) }
        : append(existing, offset, incoming);
    },
  };
}

function append(existing: CachedConnection, offset: number, incoming: CachedConnection): CachedConnection {
  const { edges: _edges, nodes: _nodes, pageInfo: _pageInfo, ...rest } = { ...existing, ...incoming };
  const edges = join(existing.edges, offset, incoming.edges);
  const nodes = join(existing.nodes, offset, incoming.nodes);
  const pageInfo = joinPageInfo(existing.pageInfo, incoming.pageInfo);
  const validOffsets = Object.entries(existing.offsets ?? {}).filter(([, count]) => count <= offset);
  return {
    ...rest,
    ...(edges === undefined ? {} : { edges }),
    ...(nodes === undefined ? {} : { nodes }),
    ...(pageInfo === undefined ? {} : { pageInfo }),
    offsets: { ...Object.fromEntries(validOffsets), ...toOffsets(incoming, offset) },
  };
}

/** Undefined where a page lacks this list: an incomplete list would look complete. */
function join<Entry>(
  existing: readonly Entry[] | undefined,
  offset: number,
  incoming: readonly Entry[] | undefined,
): readonly Entry[] | undefined {
  if (existing === undefined || incoming === undefined) return undefined;
  return [...existing.slice(0, offset), ...incoming];
}

/** The page info from the start of the first page to the end of the last. */
function joinPageInfo(first: CachedPageInfo | undefined, last: CachedPageInfo | undefined): CachedPageInfo | undefined {
  if (first === undefined || last === undefined) return undefined;
  const { endCursor: _endCursor, hasNextPage: _hasNextPage, ...start } = first;
  return { ...last, ...start };
}

function toOffsets({ edges, nodes, pageInfo }: CachedConnection, offset: number): Readonly<Record<string, number>> {
  const cursors = (edges ?? []).map(({ cursor }, index) => [cursor, offset + index + 1]);
  const size = (edges ?? nodes)?.length;
  const end = size === undefined ? [] : [[pageInfo?.endCursor, offset + size]];
  return Object.fromEntries([...cursors, ...end].filter(([cursor]) => typeof cursor === 'string'));
}
