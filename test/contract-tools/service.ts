import { expect, onTestFinished } from 'vitest';
import { checkService as check } from '../../src/contract-tools/check/check.ts';
import { createCorrectionsFile, printCheck, toCheckedRows, type CheckedRow } from '../../src/contract-tools/report.ts';
import { createContract, describeContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { createHttpClient } from '../../src/upstream/wire/http-client.ts';
import { parametersOf } from '../support/upstream/paging.ts';
import { pageOf, startUpstream, success, type Reply, type SeenRequest } from '../support/upstream/upstream.ts';

export interface CheckResult {
  readonly rows: readonly CheckedRow[];
  /** The file of overrides that the check would write. */
  readonly file: string;
  /** Everything that the check prints. */
  readonly printed: string;
  /** One line per call. */
  readonly calls: readonly string[];
}

/** A check of a service with the demo credentials, its calls, and the bodies that came. */
export async function runCheck(url: string, overrides: Readonly<Record<string, unknown>>, timeoutMs = 10_000) {
  const client = createHttpClient({ baseUrl: new URL(url), connections: 1 });
  const [calls, bodies]: [string[], string[]] = [[], []];
  const request: typeof client.request = async (asked) => {
    const answer = await client.request(asked);
    bodies.push(answer.kind === 'answer' ? answer.body.toString() : '');
    return answer;
  };
  const run = await check(overrides, {
    client: { request },
    credentials: { bearer: ['authorization', 'Bearer demo-token'], privateKey: ['SVCPRIVATEKEY', 'demo-key'] },
    timeoutMs,
    onCall: (line) => void calls.push(line),
  });
  await client.close();
  return { run, calls, bodies };
}

/** The same as `settlement-graph contract check` shows it. */
export async function checkService(
  url: string,
  overrides: Readonly<Record<string, unknown>> = {},
  timeoutMs?: number,
): Promise<CheckResult> {
  const { run, calls } = await runCheck(url, overrides, timeoutMs);
  const rows = toCheckedRows(describeContract(createContract(overrides)), run.findings);
  const file = createCorrectionsFile(overrides, run.corrections, run.questions);
  return { rows, file, printed: printCheck(rows), calls };
}

/** The ids of the rows that a check found contradicted. */
export function contradicted({ rows }: CheckResult): readonly string[] {
  return rows.filter(({ state }) => state === 'contradicted').map(({ id }) => id);
}

/** The rows that a check would write. */
export function written({ file }: CheckResult): Readonly<Record<string, unknown>> {
  const { overrides, faults } = parseOverrides(file, 'written.yaml');
  expect(faults).toEqual([]);
  return overrides;
}

export function findingOf({ rows }: CheckResult, row: string) {
  const { state, seen, why } = rows.find(({ id }) => id === row) ?? {};
  return { state, seen, why };
}

export type Route = readonly [tail: RegExp, answer: (request: SeenRequest) => Reply];

/** A service that answers by the first route that the target matches. OPTIONS has no answer. */
export async function startService(...routes: readonly Route[]) {
  const upstream = await startUpstream((request) => {
    const [, answer] = routes.find(([target]) => request.method !== 'OPTIONS' && target.test(request.path)) ?? [];
    return answer?.(request) ?? notThere;
  });
  onTestFinished(upstream.close);
  return upstream;
}

/** A list in pages as the contract assumes them. */
export const pages = (target: RegExp, records: readonly object[]): Route => [
  target,
  ({ path }) => pageOf(records, path),
];

/** Where the page of a list begins that a request asks for. */
type Start = (parameters: URLSearchParams, size: number, all: readonly object[]) => number;

export const byPage =
  (name: string, first = 1): Start =>
  (parameters, size) =>
    Math.max(Number(parameters.get(name) ?? first) - first, 0) * size;
/** By the number of records before it, which may stand behind letters. */
export const byOffset =
  (name: string): Start =>
  (parameters) =>
    Number(/\d+$/.exec(parameters.get(name) ?? '0'));
/** By the id of the record before it. */
export const byRecord =
  (name: string): Start =>
  (parameters, _, all) =>
    all.findIndex((each) => Reflect.get(each, 'id') === parameters.get(name)) + 1;

/** A list in pages of the size that the parameter of that name asks for. */
export function list<Item extends object>(
  target: RegExp,
  all: readonly Item[],
  start: Start,
  sizeName: string,
  toJson: (page: readonly Item[], end: number, size: number) => unknown,
  usualSize = 5,
): Route {
  return [
    target,
    ({ path }) => {
      const parameters = parametersOf(path);
      const size = Number(parameters.get(sizeName) ?? usualSize);
      const begin = start(parameters, size, all);
      return { json: toJson(all.slice(begin, begin + size), begin + size, size) };
    },
  ];
}

/** A check of a service that answers by these routes, what the service was asked, and how to check it again. */
export async function checkRoutes(routes: readonly Route[], overrides: Readonly<Record<string, unknown>> = {}) {
  const { url, requests } = await startService(...routes);
  const result = await checkService(url, overrides);
  /** By default under the rows that the first check would write. */
  const again = (rows = written(result)): Promise<CheckResult> => checkService(url, rows);
  return { ...result, requests, again };
}

export const notThere: Reply = { status: 404, json: { success: false, message: 'There is none.' } };

/** Customers that are nothing but an identifier, as pages and each alone. */
export const customers = Array.from({ length: 12 }, (_, index) => ({ id: `c${index + 1}` }));
export const customerPages = pages(/\/customers\/\?/, customers);
export const singleCustomer: Route = [/\/customers\/c\d+$/, ({ path }) => success({ id: path.split('/').at(-1) })];
