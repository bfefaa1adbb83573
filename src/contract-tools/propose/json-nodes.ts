import { isRecord } from '../../upstream/index.ts';

const maxDepth = 4;
const maxNodes = 2_000;
const maxMembers = 500;

/** A key that may be printed. Any other, such as one with digits, may be a value: it is neither followed nor printed. */
const plainName = /^[A-Za-z_@][A-Za-z_:@.-]{0,39}$/;

export function isPlainName(key: string): boolean {
  return plainName.test(key) && key !== '__proto__';
}

/** Whether a value may be the records of a list. */
export function holdsRecords(value: unknown): boolean {
  return Array.isArray(value) && isRecord(value[0]);
}

/** A value inside parsed JSON, with its JSON pointer. */
export interface JsonNode {
  readonly pointer: string;
  readonly name: string;
  readonly value: unknown;
}

/** Each row looks at every body: a walk is made once. */
const walks = new WeakMap<object, readonly JsonNode[]>();

/** All values inside a body, breadth first, at most 4 levels deep and 2,000 in all; arrays are not entered. */
export function walk(body: unknown): readonly JsonNode[] {
  if (typeof body !== 'object' || body === null) return [{ pointer: '', name: '', value: body }];
  const earlier = walks.get(body);
  if (earlier !== undefined) return earlier;
  const nodes: JsonNode[] = [];
  let level: readonly JsonNode[] = [{ pointer: '', name: '', value: body }];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    nodes.push(...level);
    level = level.flatMap(({ pointer, value }) => (isRecord(value) ? childrenOf(pointer, value) : []));
    if (nodes.length + level.length > maxNodes) break;
  }
  walks.set(body, nodes);
  return nodes;
}

function childrenOf(pointer: string, record: Readonly<Record<string, unknown>>): readonly JsonNode[] {
  return Object.entries(record)
    .slice(0, maxMembers)
    .filter(([name]) => isPlainName(name))
    .map(([name, value]) => ({ pointer: `${pointer}/${name}`, name, value }));
}

/** The same with what stands in the first entry of an array: `/errors/0/detail`, or `/0` of an answer that is one. */
export function walkFirst(body: unknown): readonly JsonNode[] {
  const below = (node: JsonNode): readonly JsonNode[] => {
    if (!Array.isArray(node.value)) return [node];
    const entries = (node.pointer === '' ? node.value.slice(0, 2) : node.value.slice(0, 1)) as readonly unknown[];
    const inside = entries.flatMap((entry, index) =>
      walk(entry).map((each) => ({ ...each, pointer: `${node.pointer}/${index}${each.pointer}` })),
    );
    return [node, ...inside];
  };
  return walk(body).flatMap(below).slice(0, maxNodes);
}

/** Whether a record's fields stand beside its kind, as in JSON:API: `{type, id, attributes}`. */
export function isResource(record: unknown): boolean {
  return isRecord(record) && isRecord(record['attributes']) && typeof record['type'] === 'string';
}
