import { isNode, LineCounter, parseDocument, visit, type Document } from 'yaml';

const maxFileBytes = 1024 * 1024;
const maxFoundLength = 60;

export type FilePath = readonly (string | number)[];

/** A file of plain YAML or JSON, and how its faults are worded: `file:line: key: found …; allowed: …`. */
interface PlainFile {
  readonly document: Document.Parsed;
  /** The line of the deepest part of a path that the file has. */
  readonly lineOf: (path: FilePath) => number;
  readonly describeFault: (path: FilePath, allowed: string) => string;
}

/** Parses YAML or JSON of at most 1 MiB, without anchors and tags. Returns all faults of its syntax instead. */
export function parsePlainYaml(text: string, file: string): PlainFile | readonly string[] {
  if (Buffer.byteLength(text) > maxFileBytes) return [`${file}: allowed: at most ${maxFileBytes} bytes`];
  const lines = new LineCounter();
  const document = unlessTooDeep(() => parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  if (document === undefined) return [`${file}: allowed: less deep nesting`];
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0)
    return problems.map(({ pos: [start], code, message }) => {
      const [key] = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:]+)/.exec(text.slice(start, start + maxFoundLength)) ?? [];
      const ourWords: Partial<Record<typeof code, string>> = {
        DUPLICATE_KEY: `${key}: found it twice; allowed: each key once`,
        MULTIPLE_DOCS: 'found several documents; allowed: one document',
      };
      return `${file}:${lines.linePos(start).line}: ${ourWords[code] ?? message}`;
    });
  const aliasOrTagAt = findAliasOrTag(document);
  if (aliasOrTagAt !== undefined)
    return [`${file}:${lines.linePos(aliasOrTagAt).line}: allowed: plain YAML, without anchors and tags`];
  const lineOf = (path: FilePath): number => findLine(document, lines, path);
  const describeFault = (path: FilePath, allowed: string): string => {
    // The whole file may be a secret in the wrong variable.
    const found = path.length === 0 ? 'something else' : describe(toJs(document, path));
    return `${file}:${lineOf(path)}: ${path.join('.') || '(file)'}: found ${found}; allowed: ${allowed}`;
  };
  return { document, lineOf, describeFault };
}

export function isPlainFile(file: PlainFile | readonly string[]): file is PlainFile {
  return 'document' in file;
}

/** Undefined where the nesting is too deep for the recursive parser. */
function unlessTooDeep<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The offset of the first alias or tag. Both are refused: plain values need neither, and each can change a value. */
function findAliasOrTag(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Alias: (_, node) => {
      offset ??= node.range?.[0] ?? 0;
    },
    Node: (_, node) => {
      if (node.tag !== undefined) offset ??= node.range?.[0] ?? 0;
    },
  });
  return offset;
}

function toJs(document: Document, path: FilePath): unknown {
  const node: unknown = document.getIn(path, true);
  return isNode(node) ? node.toJS(document, { maxAliasCount: 0 }) : node;
}

function findLine(document: Document, lines: LineCounter, path: FilePath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function describe(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > maxFoundLength ? `${text.slice(0, maxFoundLength)}…` : text;
}
