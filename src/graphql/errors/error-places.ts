import { parse, visit, type ASTNode, type DocumentNode, type SourceLocation } from 'graphql';

/** Places of one error: a conflict of fields may name hundreds of nodes. */
const maxPlaces = 10;

const indexed = new WeakSet<DocumentNode>();
const places = new WeakMap<ASTNode, SourceLocation>();

/**
 * Notes where the nodes of a document stand, for the errors in its answers. Documents are parsed without locations, since
 * graphql-js would count the lines from the start for each node of each error, wanted or not.
 */
export function indexPlaces(document: DocumentNode, source: string): void {
  if (indexed.has(document)) return;
  indexed.add(document);
  const located = nodesOf(parse(source));
  const lineStarts = [0, ...Array.from(source.matchAll(/\r\n|[\n\r]/g), (end) => end.index + end[0].length)];
  let line = 0;
  for (const [index, node] of nodesOf(document).entries()) {
    const start = located[index]?.loc?.start ?? 0;
    // Nodes are visited in the order in which they begin.
    while ((lineStarts[line + 1] ?? Infinity) <= start) line += 1;
    places.set(node, { line: line + 1, column: start - (lineStarts[line] ?? 0) + 1 });
  }
}

/** The places of an error's nodes, as far as their document is indexed. */
export function placesOf(nodes: readonly ASTNode[] = []): readonly SourceLocation[] | undefined {
  const found = nodes.slice(0, maxPlaces).flatMap((node) => places.get(node) ?? []);
  return found.length === 0 ? undefined : found;
}

function nodesOf(document: DocumentNode): readonly ASTNode[] {
  const nodes: ASTNode[] = [];
  visit(document, { enter: (node) => void nodes.push(node) });
  return nodes;
}
