/** A connection in Apollo Client's cache; a document may select any part of it. */
interface CachedConnection {
  readonly edges?: readonly (CachedEdge | null)[] | null;
  readonly nodes?: readonly unknown[] | null;
  readonly pageInfo?: CachedPageInfo | null;
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
export interface FieldPolicy {
  readonly keyArgs?: readonly string[] | false;
  readonly read: (existing: Cached, options: FieldOptions) => Cached;
  readonly merge: (
    existing: Cached,
    incoming: CachedConnection | null,
    options: FieldOptions,
  ) => CachedConnection | null;
}

type Cached = CachedConnection | null | undefined;

interface FieldOptions {
  readonly args: Readonly<Record<string, unknown>> | null;
  /** Apollo Client's own, one for each field with its arguments. */
  readonly storage: Record<string, unknown>;
}

/**
 * Keeps the loaded record or connection where a later answer for it is null: a connection is null only where it failed,
 * and so is a record, as long as the service deletes none. `read` stores the loaded value, because Apollo Client hides the
 * existing value from `merge` on a refetch.
 */
export function createLoadedPolicy(
  merge: (existing: Cached, incoming: CachedConnection, options: FieldOptions) => CachedConnection,
): FieldPolicy {
  return {
    read: (existing, { storage }) => {
      storage['loaded'] = existing;
      return existing;
    },
    merge: (existing, incoming, options) => {
      const loaded = existing ?? (options.storage['loaded'] as Cached); // `read` put it there
      return incoming === null ? (loaded ?? null) : merge(existing, incoming, options);
    },
  };
}

/**
 * Keeps one list for each combination of filters. A page is appended behind its `after` cursor, and replaces all that
 * followed it; a first page, or one after an unknown cursor, replaces the list. No list has a gap or a record twice.
 */
export function createConnectionPolicy(filters: readonly string[]): FieldPolicy {
  const policy = createLoadedPolicy((existing, incoming, { args }) => {
    const after = args?.['after'];
    const offset = typeof after === 'string' ? existing?.offsets?.[after] : undefined;
    return existing == null || offset === undefined
      ? { ...incoming, offsets: toOffsets(incoming, 0) }
      : append(existing, offset, incoming);
  });
  return { ...policy, keyArgs: filters.length === 0 ? false : filters };
}

function append(existing: CachedConnection, offset: number, incoming: CachedConnection): CachedConnection {
  // What a page leaves out, such as the total, stays as it was.
  const known = Object.fromEntries(Object.entries(incoming).filter(([, value]) => value !== null));
  const { edges: _edges, nodes: _nodes, pageInfo: _pageInfo, ...rest } = { ...existing, ...known };
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
  existing: readonly Entry[] | null | undefined,
  offset: number,
  incoming: readonly Entry[] | null | undefined,
): readonly Entry[] | undefined {
  if (existing == null || incoming == null) return undefined;
  return [...existing.slice(0, offset), ...incoming];
}

/** The page info from the start of the first page to the end of the last; an empty page has no end of its own. */
function joinPageInfo(
  first: CachedPageInfo | null | undefined,
  last: CachedPageInfo | null | undefined,
): CachedPageInfo | undefined {
  if (first == null || last == null) return undefined;
  const { endCursor, hasNextPage: _hasNextPage, ...start } = first;
  return { ...last, ...start, ...(last.endCursor === null ? { endCursor } : {}) };
}

function toOffsets({ edges, nodes, pageInfo }: CachedConnection, offset: number): Readonly<Record<string, number>> {
  const cursors = (edges ?? []).map((edge, index) => [edge?.cursor, offset + index + 1]);
  const size = (edges ?? nodes)?.length;
  const end = size === undefined ? [] : [[pageInfo?.endCursor, offset + size]];
  return Object.fromEntries([...cursors, ...end].filter(([cursor]) => typeof cursor === 'string'));
}
