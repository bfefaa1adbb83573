import { isNode, LineCounter, parseDocument, type Document } from 'yaml';

const maxFileBytes = 1024 * 1024;
const maxFoundLength = 60;

export type FilePath = readonly (string | number)[];

/** A file of YAML or JSON, and how its faults are worded: `file:line: key: found …; allowed: …`. */
interface PlainFile {
  readonly value: unknown;
  /** The line of the deepest part of a path that the file has. */
  readonly lineOf: (path: FilePath) => number;
  readonly describeFault: (path: FilePath, allowed: string) => string;
}

/** Parses YAML or JSON of at most 1 MiB, within the library's limits. Returns all faults of its syntax instead. */
export function parsePlainYaml(text: string, file: string): PlainFile | readonly string[] {
  if (Buffer.byteLength(text) > maxFileBytes) return [`${file}: allowed: at most ${maxFileBytes} bytes`];
  const lines = new LineCounter();
  try {
    // Without the tags of sets and other values that JSON does not have.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, resolveKnownTags: false });
    const problems = [...document.errors, ...document.warnings];
    if (problems.length === 0) return toPlainFile(document, lines, file);
    return problems.map(({ pos: [start], message }) => `${file}:${lines.linePos(start).line}: ${message}`);
  } catch {
    // The library's message would quote an alias, which may be such a secret.
    return [`${file}: allowed: less deep nesting, and few aliases, each behind its anchor`];
  }
}

function toPlainFile(document: Document.Parsed, lines: LineCounter, file: string): PlainFile {
  const value: unknown = document.toJS();
  const lineOf = (path: FilePath): number => findLine(document, lines, path);
  const describeFault = (path: FilePath, allowed: string): string => {
    // The whole file may be a secret in the wrong variable.
    const found = path.length === 0 ? 'something else' : describe(path.reduce(memberOf, value));
    return `${file}:${lineOf(path)}: ${path.join('.') || '(file)'}: found ${found}; allowed: ${allowed}`;
  };
  return { value, lineOf, describeFault };
}

export function isPlainFile(file: PlainFile | readonly string[]): file is PlainFile {
  return 'lineOf' in file;
}

function memberOf(value: unknown, key: string | number): unknown {
  const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isMember ? (Reflect.get(value, key) as unknown) : undefined;
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
