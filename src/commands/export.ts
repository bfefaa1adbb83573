import { pipeline } from 'node:stream/promises';
import {
  Kind,
  parse,
  print,
  visit,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { Config } from '../config/config.ts';
import { readInput } from '../contract-tools/cases/saved-answer.ts';
import { createLogger } from '../runtime/log.ts';
import { toPrintable } from '../runtime/printable.ts';
import { isRecord } from '../upstream/index.ts';
import { createProgress, parseObject } from './command-line.ts';
import { createDemoHeaders, startGateway } from './start-gateway.ts';
import type { CommandLine } from './usage.ts';

/** An error of an answer. */
interface Fault {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly row?: string };
}

/** The readable records of a window. `fault`: why the record behind them, or the whole list, cannot be read. */
interface Page {
  readonly nodes: readonly unknown[];
  readonly cursors: readonly string[];
  readonly hasNextPage: boolean;
  readonly fault: Fault | undefined;
}

/**
 * `settlement-graph export FILE --field customer.transactions`: writes each record of one connection of a query, read
 * through a gateway of its own. Returns the exit code: 1 at the first record that cannot be read, 130 at an interruption.
 */
export async function exportCommand({ file, values }: CommandLine, readConfig: () => Config): Promise<number> {
  const { field = '', format = 'jsonl' } = values;
  if (format !== 'jsonl' && format !== 'csv') throw new Error('--format: allowed: jsonl, csv.');
  const variables = parseObject(values.variables ?? '{}', '--variables must be a JSON object.');
  const { document, afterName, columns } = toPaged(parse((await readInput(file)).toString('utf8')), field);
  const { config, headers } = settingsOf(readConfig());
  const { server, embedded } = await startGateway(config, createLogger('silent', { write: () => {} }));
  const readPage = async (after: string | undefined): Promise<Page> => {
    const body = JSON.stringify({ query: print(document), variables: { ...variables, [afterName]: after } });
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    return toPage(await (await fetch(`${server.url}/graphql`, init)).json(), field.split('.'));
  };
  const progress = createProgress();
  let [count, isWhole, after] = [0, false, values.after];
  const interruption = new AbortController();
  const stop = (): void => interruption.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let fault: Fault | undefined;
  const lines = async function* (): AsyncGenerator<string> {
    // A continued export is appended to the file that has the names.
    if (format === 'csv' && after === undefined) yield toCsvLine(columns.map((names) => names.join('.')));
    while (!isWhole && !interruption.signal.aborted && fault === undefined) {
      const page = await readPage(after);
      for (const [index, node] of page.nodes.entries()) {
        yield format === 'csv' ? toCsvLine(columns.map((names) => valueAt(node, names))) : `${JSON.stringify(node)}\n`;
        after = page.cursors[index];
      }
      count += page.nodes.length;
      progress.show(`${count} records`);
      fault = page.fault;
      isWhole = fault === undefined && (!page.hasNextPage || page.nodes.length === 0);
    }
  };
  try {
    await pipeline(lines, process.stdout, { end: false });
  } finally {
    progress.end();
    await server.close();
    await embedded?.close();
    if (fault !== undefined) console.error(toPrintable(describeFault(fault)));
    if (!isWhole && count > 0) console.error(`Continue with --after ${after}`);
  }
  if (isWhole) return 0;
  return fault === undefined ? 130 : 1;
}

function describeFault({ message, path = [], extensions: { code, row } = {} }: Fault): string {
  const place = path.length === 0 ? '' : ` at ${path.join('.')}`;
  return `${code ?? 'Not exported'}${place}: ${message}${row === undefined ? '' : ` (row ${row})`}`;
}

/** The settings of a gateway that only this process can reach, and the credentials of a check, or the demo's. */
function settingsOf(config: Config) {
  const { bearer, privateKey } = config.checkCredentials;
  const isGiven = (bearer ?? privateKey) !== undefined;
  if (config.upstream !== 'embedded' && !isGiven)
    throw new Error('An export needs CHECK_BEARER or CHECK_PRIVATE_KEY or both, as a check does.');
  const given = {
    ...(bearer !== undefined && { [config.bearerHeaderIn]: `Bearer ${bearer}` }),
    ...(privateKey !== undefined && { [config.privateKeyHeaderIn]: privateKey }),
  };
  const local = { host: '127.0.0.1', port: 0, adminPort: 0, bankPort: 0, reusePort: false, mcp: false };
  const open = { trustedDocumentsFile: undefined, trustedDocumentsOnly: false, idempotencyStore: undefined };
  return { config: { ...config, ...local, ...open }, headers: isGiven ? given : createDemoHeaders(config) };
}

const [addition] = parse(`query ($exportAfter: String) {
  list(first: 100, after: $exportAfter) { exportPage: pageInfo { hasNextPage } exportEdges: edges { cursor } }
}`).definitions as readonly [OperationDefinitionNode];
const [list] = addition.selectionSet.selections as readonly [FieldNode];

/** The query with pages for one field, the variable that says where a page begins, and the paths of values in records. */
function toPaged(document: DocumentNode, field: string) {
  const names: string[] = [];
  const columns: (readonly string[])[] = [];
  let afterName: string | undefined;
  const paged = visit(document, {
    Field: {
      enter: ({ alias, name, selectionSet }) => {
        names.push((alias ?? name).value);
        const isValue = selectionSet === undefined && names.join('.').startsWith(`${field}.nodes.`);
        if (isValue) columns.push(names.slice(field.split('.').length + 1));
      },
      leave: (node) => {
        const path = names.join('.');
        names.pop();
        if (path !== field || node.selectionSet === undefined) return undefined;
        const { arguments: args = [], selectionSet } = node;
        const given = args.filter(({ name, value }) => name.value !== 'after' || value.kind === Kind.VARIABLE);
        const added = list.arguments?.filter(({ name }) => !given.some((each) => each.name.value === name.value)) ?? [];
        const after = given.find(({ name }) => name.value === 'after')?.value;
        afterName = after?.kind === Kind.VARIABLE ? after.name.value : 'exportAfter';
        const selections = [...selectionSet.selections, ...(list.selectionSet?.selections ?? [])];
        return { ...node, arguments: [...given, ...added], selectionSet: { ...selectionSet, selections } };
      },
    },
  });
  const [query, ...others] = paged.definitions;
  // A mutation would be sent again for each page.
  if (
    query?.kind !== Kind.OPERATION_DEFINITION ||
    query.operation !== OperationTypeNode.QUERY ||
    others.length > 0 ||
    afterName === undefined ||
    columns.length === 0
  )
    throw new Error(
      '--field: allowed: the path of a connection with `nodes`, such as customer.transactions, in a file with one query and no other definition.',
    );
  const { variableDefinitions = [] } = query;
  const further = afterName === 'exportAfter' ? (addition.variableDefinitions ?? []) : [];
  const definitions = [{ ...query, variableDefinitions: [...variableDefinitions, ...further] }];
  return { document: { ...paged, definitions }, afterName, columns };
}

function toPage(answer: unknown, names: readonly string[]): Page {
  const { data, errors = [] } = answer as { readonly data?: unknown; readonly errors?: readonly Fault[] }; // GraphQL's form
  const found = valueAt(data, names) as Selected | null; // as it was selected
  // An error above the list, or in one of its records: other fields of the query are not exported.
  const faults = errors.filter(({ path = [] }) => names.every((name, index) => (path[index] ?? name) === name));
  if (found === null) {
    const fault = faults[0] ?? { message: 'there is no such record.', path: names };
    return { nodes: [], cursors: [], hasNextPage: false, fault };
  }
  const indexOf = ({ path = [] }: Fault) => Number(path[names.length + 1] ?? Infinity);
  const count = Math.min(found.nodes.length, ...faults.map(indexOf));
  return {
    nodes: found.nodes.slice(0, count),
    cursors: found.exportEdges.map(({ cursor }) => cursor),
    hasNextPage: found.exportPage.hasNextPage,
    fault: faults.find((fault) => indexOf(fault) === count),
  };
}

interface Selected {
  readonly nodes: readonly unknown[];
  readonly exportEdges: readonly { readonly cursor: string }[];
  readonly exportPage: { readonly hasNextPage: boolean };
}

function valueAt(source: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return source;
  if (Array.isArray(source)) return source.map((entry) => valueAt(entry, [name, ...rest]));
  return isRecord(source) ? valueAt(source[name] ?? null, rest) : null;
}

/** A line of CSV. A text that a spreadsheet would take for a formula has an apostrophe in front. */
function toCsvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const cell = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
    const isFormula = /^\s*[=+\-@＝＋－＠]/.test(cell) && !/^-?\d+(?:\.\d+)?$/.test(cell);
    return `"${(isFormula ? `'${cell}` : cell).replaceAll('"', '""')}"`;
  });
  return `${cells.join(',')}\r\n`;
}
